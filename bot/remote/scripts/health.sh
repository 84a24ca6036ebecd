#!/bin/sh
# What is true of a machine, as key=value lines; needs no root and changes nothing that it does not undo.
# usage: health.sh login
#        health.sh all DATA_PATH DATA_MARK CARDS URL
#   login      only who we are: says that a login works
#   DATA_PATH  absolute, or relative to the home; empty: the home itself
#   DATA_MARK  name of the file in it that holds the volume's id; empty: there is none
#   CARDS      how many GPUs were rented; 0: none are looked for
#   URL        an address that should answer; empty: the way out is not looked for
# Each value is the rest of its line and free of control characters. Always exits 0: what could not be seen is
# missing from the output, never guessed. Every look has a deadline of its own; slow ones run side by side, and each
# of their lines is written at once.

LC_ALL=C
export LC_ALL
DISK_S=8       # for each look at a disk: a dead network mount answers nothing, for ever
SMI_S=15       # a driver that hangs
FRAMEWORK_S=60 # torch from a slow disk, and the first call to a card
NET_S=4

# A function cannot be given to timeout, so what may hang is text for a shell of its own.
CLEAN='clean() { head -c 1000 | tr "\n\r\t" "   " | tr -d "\000-\037\177" | sed "s/ *\$//"; }'

LOOK='
dir=$1 mark=$2
[ -e "$dir" ] || [ -L "$dir" ] || { echo data_state=missing; exit 0; }
[ -d "$dir" ] || { echo data_state=not-a-directory; exit 0; }
cd "$dir" 2>/dev/null || { echo data_state=denied; exit 0; }
echo data_state=directory
printf "data_resolved=%s\n" "$(pwd -P | clean)"
[ -n "$mark" ] || { echo mark_state=not-asked; exit 0; }
[ -e "$mark" ] || { echo mark_state=missing; exit 0; }
[ -f "$mark" ] && text=$(head -c 200 "./$mark" 2>/dev/null) || { echo mark_state=unreadable; exit 0; }
echo mark_state=present
printf "mark=%s\n" "$(printf %s "$text" | clean)"
'

SIZES='
dir=$1 name=$2
printf "%s_df=%s\n" "$name" "$(df -P -k "$dir" 2>&1 | tail -n +2 | clean)"
printf "%s_df_inodes=%s\n" "$name" "$(df -P -i "$dir" 2>/dev/null | tail -n +2 | clean)"
mount=$(df -P "$dir" 2>/dev/null | tail -n 1 | sed "s/^.*[0-9-]%\{0,1\} \{1,\}\//\//")
printf "%s_mount=%s\n" "$name" "$(awk -v mount="$mount" "\$2 == mount" /proc/mounts 2>/dev/null | tail -n 1 | clean)"
'

# 64 KiB that have to reach the disk: a full one still takes a few bytes. What went wrong is the tool's own words.
WRITE='
dir=$1 name=$2 file=
trap "rm -f \"\$file\" 2>/dev/null" EXIT
trap "exit 1" HUP INT TERM
fail() { printf "%s_write=failed\n%s_write_seen=%s\n" "$name" "$name" "$(printf %s "$1" | clean)"; exit 0; }
file=$(mktemp "$dir/.gpubot-check.XXXXXX" 2>&1) || { seen=$file; file=; fail "$seen"; }
seen=$(head -c 65536 /dev/zero | tr "\000" g | dd of="$file" bs=65536 conv=fsync 2>&1) || fail "$seen"
[ "$(tr -d g <"$file" | wc -c)" -eq 0 ] && [ "$(wc -c <"$file")" -eq 65536 ] || fail "read back differently"
rm -f "$file" || fail "the test file cannot be removed"
file=
printf "%s_write=ok\n" "$name"
'

# The driver's tool, where a shell without a profile may not have it on its PATH.
CARDS='
[ "$1" -gt 0 ] || exit 0
for tool in nvidia-smi /usr/bin/nvidia-smi /usr/local/nvidia/bin/nvidia-smi; do
    command -v "$tool" >/dev/null 2>&1 || continue
    said=$("$tool" --query-gpu=index,name,memory.total,memory.used,utilization.gpu,temperature.gpu,driver_version \
        --format=csv,noheader,nounits 2>&1)
    status=$?
    printf "%s\n" "$said" | head -n 64 | while IFS= read -r line; do
        printf "smi=%s\n" "$(printf %s "$line" | clean)"
    done
    echo "smi_exit=$status"
    case $said in
    *"[N/A]"*) # cards that are divided are shown on the page for people alone
        "$tool" 2>&1 | head -n 150 | while IFS= read -r line; do printf "smi_table=%s\n" "$line"; done ;;
    esac
    exit 0
done
echo smi_exit=127
'

# Errors of the cards in the kernel's log, where one may read it.
KERNEL='
[ "$1" -gt 0 ] || exit 0
dmesg 2>/dev/null | grep "NVRM: Xid" | tail -n 20 | while IFS= read -r line; do
    printf "nvrm=%s\n" "$(printf %s "$line" | clean)"
done
'

# Python that finds torch multiplies on each card (else on the CPU) and goes back through it. Exit 3: no torch here.
TORCH='
import sys
def say(key, value):
    sys.stdout.write("%s=%s\n" % (key, " ".join(str(value).split())[:600]))
    sys.stdout.flush()
say("python", sys.executable)
try:
    import torch
except ModuleNotFoundError:
    sys.exit(3)
except Exception as error:
    say("framework", "broken")
    say("framework_seen", error)
    sys.exit(0)
finds = torch.cuda.is_available()
count = torch.cuda.device_count() if finds else 0
names = ",".join(torch.cuda.get_device_name(i) for i in range(count))
say("torch_cuda", torch.version.cuda or "none")
say("torch", "%s %s %d %s" % (torch.__version__, finds, count, names))
try:
    for device in ["cuda:%d" % i for i in range(count)] or ["cpu"]:
        weight = torch.ones(256, 256, device=device, requires_grad=True)
        (weight @ weight).sum().backward()
        if weight.grad.sum().item() != 512.0 * 256 * 256:
            raise ArithmeticError("%s gave a wrong product" % device)
    if not finds and torch.version.cuda:
        try:
            torch.zeros(1).cuda()
        except Exception as error:
            say("framework_seen", error)
    say("framework", "gpu" if finds else "cpu")
except Exception as error:
    say("framework", "failed")
    say("framework_seen", error)
'

# The python that a job would get by typing python3, then where environments usually are.
FRAMEWORK='
program=$1 found=
login=$(bash -lc "command -v python3 || command -v python" 2>/dev/null </dev/null | tail -n 1)
for python in "$login" python3 "$HOME"/.venv/bin/python "$HOME"/venv/bin/python "$HOME"/work/.venv/bin/python \
    /opt/conda/bin/python "$HOME"/miniconda3/bin/python "$HOME"/anaconda3/bin/python "$HOME"/miniforge3/bin/python \
    /opt/venv/bin/python /venv/bin/python; do
    [ -n "$python" ] && command -v "$python" >/dev/null 2>&1 || continue
    [ "$python" != python3 ] || [ "$(command -v python3)" != "$login" ] || continue
    said=$("$python" -c "$program" 2>/dev/null)
    status=$?
    if [ "$status" -ne 3 ]; then
        printf "%s\n" "$said"
        [ "$status" -eq 0 ] || printf "framework=failed\nframework_seen=the test ended with status %s\n" "$status"
        exit 0
    fi
    [ -n "$found" ] || found=$python
done
[ -n "$found" ] || { echo framework=no-python; exit 0; }
printf "python=%s\n" "$(printf %s "$found" | clean)"
echo framework=missing
'

# Any answer will do: whoever answers "not found" is there.
NETWORK='
url=$1 limit_s=$2
[ -n "$url" ] || { echo net=not-asked; exit 0; }
if command -v curl >/dev/null 2>&1; then
    seen=$(curl -sS -o /dev/null -m "$limit_s" -- "$url" 2>&1)
    status=$?
elif command -v wget >/dev/null 2>&1; then
    seen=$(wget -q -O /dev/null -T "$limit_s" -t 1 -- "$url" 2>&1)
    status=$?
    [ "$status" -ne 8 ] || status=0
else
    exit 0
fi
if [ "$status" -eq 0 ]; then echo net=ok; seen=$url; else echo net=failed; fi
printf "net_seen=%s\n" "$(printf %s "${seen:-$url does not answer}" | clean)"
'

if timeout -k 2 2 true 2>/dev/null; then
    bounded() { limit_s=$1; shift; timeout -k 2 "$limit_s" "$@"; }
else
    bounded() { shift; "$@"; }
fi

# look NAME LIMIT_S PROGRAM ARGS...: what did not end in time is said; other failures leave their lines out.
look() {
    what=$1 within_s=$2 program=$3
    shift 3
    bounded "$within_s" sh -c "$CLEAN
$program" gpubot-look "$@" </dev/null
    case $? in
    124 | 137) echo "timed_out=$what" ;;
    esac
}

eval "$CLEAN"

echo health=1
printf 'user=%s\n' "$(id -un 2>/dev/null | clean)"
printf 'home=%s\n' "$(printf %s "$HOME" | clean)"
[ "$1" = all ] || exit 0

case $2 in
/*) data=$2 ;;
'' | '~' | '~/') data=$HOME ;;
'~/'*) data=$HOME/${2#'~/'} ;;
*) data=$HOME/$2 ;;
esac
printf 'data_path=%s\n' "$(printf %s "$data" | clean)"
look smi "$SMI_S" "$CARDS" "${4:-0}" &
look nvrm "$DISK_S" "$KERNEL" "${4:-0}" &
look framework "$FRAMEWORK_S" "$FRAMEWORK" "$TORCH" &
look net $((NET_S + 2)) "$NETWORK" "$5" "$NET_S" &
look home_write "$DISK_S" "$WRITE" "$HOME" home
look home_df "$DISK_S" "$SIZES" "$HOME" home
seen=$(look data_state "$DISK_S" "$LOOK" "$data" "$3")
printf '%s\n' "$seen"
case $seen in
data_state=directory*)
    look data_write "$DISK_S" "$WRITE" "$data" data
    look data_df "$DISK_S" "$SIZES" "$data" data
    ;;
esac
wait
echo health_end=1
exit 0
