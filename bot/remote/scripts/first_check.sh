#!/bin/sh
# What is true of a machine's disks, as key=value lines; needs no root and changes nothing that it does not undo.
# usage: first_check.sh DATA_PATH DATA_MARK
#   DATA_PATH  absolute, or relative to the home; empty: the home itself
#   DATA_MARK  name of the file in it that holds the volume's id; empty: there is none
# Each value is the rest of its line and free of control characters. Always exits 0: what could not be seen is
# missing from the output, never guessed.

LC_ALL=C
export LC_ALL
LIMIT_S=8 # for each look at a disk: a dead network mount answers nothing, for ever

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

if timeout -k 2 2 true 2>/dev/null; then
    bounded() { timeout -k 2 "$LIMIT_S" "$@"; }
else
    bounded() { "$@"; }
fi

# look NAME PROGRAM ARGS...: what did not end in time is said; other failures leave their lines out.
look() {
    what=$1 program=$2
    shift 2
    bounded sh -c "$CLEAN
$program" gpubot-look "$@" </dev/null
    case $? in
    124 | 137) echo "timed_out=$what" ;;
    esac
}

eval "$CLEAN"

case $1 in
/*) data=$1 ;;
'' | '~' | '~/') data=$HOME ;;
'~/'*) data=$HOME/${1#'~/'} ;;
*) data=$HOME/$1 ;;
esac

echo first_check=1
printf 'user=%s\n' "$(id -un 2>/dev/null | clean)"
printf 'home=%s\n' "$(printf %s "$HOME" | clean)"
printf 'data_path=%s\n' "$(printf %s "$data" | clean)"
look home_write "$WRITE" "$HOME" home
look home_df "$SIZES" "$HOME" home
seen=$(look data_state "$LOOK" "$data" "$2")
printf '%s\n' "$seen"
case $seen in
data_state=directory*)
    look data_write "$WRITE" "$data" data
    look data_df "$SIZES" "$data" data
    ;;
esac
echo first_check_end=1
exit 0
