#!/bin/sh
# How a machine is used just now, as key=value lines; changes nothing and takes about a second.
# usage: use.sh SCOPE CARDS DATA_PATH
#   SCOPE      machine: every process counts; home: those of this home alone, where the machine is a part of another
#   CARDS      how many GPUs were rented; 0: none are looked for
#   DATA_PATH  as for health.sh
# What could not be seen is missing from the output. Always exits 0.

LC_ALL=C
export LC_ALL
WINDOW_S=1
scope=$1 cards=$2
case $3 in
/*) data=$3 ;;
'' | '~' | '~/') data=$HOME ;;
'~/'*) data=$HOME/${3#'~/'} ;;
*) data=$HOME/$3 ;;
esac
if timeout -k 2 2 true 2>/dev/null; then
    bounded() { timeout -k 2 "$@"; }
else
    bounded() { shift; "$@"; }
fi

# The processes that count, by number; ours come and go and are told apart by being new or gone after the window.
processes() {
    if [ "$scope" = home ]; then
        grep -lzx "HOME=$HOME" /proc/[0-9]*/environ 2>/dev/null | sed 's,/environ$,/stat,'
    fi
}

# pid, ticks and terminal of each; a name in /proc/PID/stat may hold anything, so what follows its last ")" counts.
stats() {
    # shellcheck disable=SC2046
    set -- $(processes)
    [ "$#" -eq 0 ] || cat "$@" 2>/dev/null | sed -n 's/^\([0-9]*\) (.*) \(.*\)$/\1 \2/p' |
        awk '{ print $1, $13 + $14, $6 }'
}

seconds_since_input() { # of a terminal: reading from it moves its access time
    read_at=$(stat -c %X "$1" 2>/dev/null) && echo $(($(date +%s) - read_at))
}

logins_of() { # terminals, one a line: how many, and the latest input
    count=0 latest=
    for terminal in $1; do
        [ -c "$terminal" ] || continue
        count=$((count + 1))
        since=$(seconds_since_input "$terminal") || continue
        if [ -z "$latest" ] || [ "$since" -lt "$latest" ]; then latest=$since; fi
    done
    echo "logins=$count"
    [ -z "$latest" ] || echo "typed_s_ago=$latest"
}

jobs_running() { # a job has a claim of this boot, no end yet, and a keeper or a command that lives
    running=0 boot=${GPUBOT_BOOT_ID:-$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)}
    for job in "$HOME"/.gpubot/jobs/*/; do
        [ -e "$job/claim" ] && [ ! -e "$job/exit" ] || continue
        for record in "$job/claim" "$job/pid"; do
            grep -qF -- "$boot" "$record" 2>/dev/null || continue
            pid=$(sed -n 's/.*"pid": *\([0-9][0-9]*\).*/\1/p' "$record" 2>/dev/null | head -n 1)
            if [ -n "$pid" ] && [ -d "/proc/$pid" ]; then
                running=$((running + 1))
                break
            fi
        done
    done
    echo "jobs=$running"
}

echo use=1
if [ "$cards" -gt 0 ] 2>/dev/null; then
    for tool in nvidia-smi /usr/bin/nvidia-smi /usr/local/nvidia/bin/nvidia-smi; do
        command -v "$tool" >/dev/null 2>&1 || continue
        said=$(bounded 10 "$tool" --format=csv,noheader,nounits \
            --query-gpu=index,name,memory.total,memory.used,utilization.gpu,temperature.gpu,driver_version 2>&1)
        status=$?
        printf '%s\n' "$said" | head -n 64 | sed 's/^/smi=/'
        echo "smi_exit=$status"
        break
    done
fi
if [ "$scope" = home ]; then
    before=$(stats)
    sleep "$WINDOW_S"
    after=$(stats)
    printf '%s\n' "$before" - "$after" | awk -v window="$WINDOW_S" -v hertz="$(getconf CLK_TCK 2>/dev/null || echo 100)" '
        $1 == "-" { later = 1; next }
        !later { ticks[$1] = $2; next }
        $1 in ticks { burnt += $2 - ticks[$1] }
        END { printf "cpu_cores=%.2f\n", burnt / hertz / window }'
    # A terminal is major 136 to 143 (/dev/pts); the minor number lies in two parts.
    logins_of "$(printf '%s\n' "$after" | awk '
        { major = int($3 / 256) % 4096 }
        major >= 136 && major <= 143 { print "/dev/pts/" (major - 136) * 1048576 + int($3 / 1048576) * 256 + $3 % 256 }' | sort -u)"
else
    [ ! -r /proc/loadavg ] || awk '{ printf "cpu_cores=%.2f\n", $1 }' /proc/loadavg
    if command -v who >/dev/null 2>&1; then
        logins_of "$(who 2>/dev/null | awk '{ print "/dev/" $2 }' | sort -u)"
    fi
fi
jobs_running
row=$(bounded 5 df -P -k "$data" 2>/dev/null | tail -n +2)
[ -z "$row" ] || printf 'data_df=%s\n' "$row"
exit 0
