#!/bin/sh
# Makes gpubot's block in ~/.ssh/authorized_keys hold exactly the public keys on stdin, one a line, in their order.
# Everything outside the block stays as it is. Repeatable; a reader sees the old file or the new one.
# Prints "keys=N" and "changed=yes|no" and exits 0, or prints "error=CODE" and exits 1 with nothing changed:
#   stdin-cut  less arrived than was sent       no-keys    nothing on stdin that is a key: would lock gpubot out
#   bad-line   a marker within a line           home       no home or no ~/.ssh
#   symlink    the file's link leads nowhere    write      the new file could not be written

LC_ALL=C
export LC_ALL
BEGIN='# gpubot begin'
END='# gpubot end'
umask 077
stdin_file= new_file=

finish() { rm -f "$stdin_file" "$new_file"; }
trap finish EXIT
trap 'exit 1' HUP INT TERM
fail() {
    echo "error=$1"
    exit 1
}

[ -n "$HOME" ] && [ -d "$HOME" ] || fail home
ssh_dir=$HOME/.ssh
mkdir -p "$ssh_dir" || fail home
chmod 700 "$ssh_dir" || fail home
keys_file=$ssh_dir/authorized_keys
if [ -L "$keys_file" ]; then
    keys_file=$(readlink -f "$keys_file") && [ -n "$keys_file" ] || fail symlink
fi

# Both beside the file, so that the rename stays within one file system.
stdin_file=$(mktemp "$keys_file.gpubot-in.XXXXXX") || fail write
new_file=$(mktemp "$keys_file.gpubot-new.XXXXXX") || fail write
cat >"$stdin_file" || fail write
if [ -n "$GPUBOT_STDIN_BYTES" ]; then
    [ "$(wc -c <"$stdin_file")" -eq "$GPUBOT_STDIN_BYTES" ] || fail stdin-cut
fi
grep -q '^[a-z][a-zA-Z0-9@.-]* [A-Za-z0-9+/]' "$stdin_file" || fail no-keys
if grep -q -e "$BEGIN" -e "$END" "$stdin_file"; then fail bad-line; fi

[ -e "$keys_file" ] || true >>"$keys_file" || fail write
# The block keeps its place, or goes to the end. A beginning without an end is not ours to cut: the lines stay.
awk -v begin="$BEGIN" -v end="$END" '
    function bare(line) { sub(/[ \t\r]+$/, "", line); return line }
    function put_block(    i) {
        if (put) return
        put = 1
        print begin
        for (i = 1; i <= keys; i++) print key[i]
        print end
    }
    function put_held(    i) { for (i = 1; i <= held; i++) print hold[i]; held = 0 }
    FNR == 1 { nth++ }
    nth == 1 { if (bare($0) != "") key[++keys] = bare($0); next }
    bare($0) == begin { put_held(); inside = 1; next }
    bare($0) == end { if (inside) put_block(); inside = 0; held = 0; next }
    inside { hold[++held] = $0; next }
    { print }
    END { put_held(); put_block() }
' "$stdin_file" "$keys_file" >"$new_file" || fail write

changed=yes
if cmp -s "$keys_file" "$new_file"; then
    changed=no
    chmod 600 "$keys_file" || fail write
else
    sync "$new_file" 2>/dev/null || true # where sync takes no file, all disks would be waited for
    mv -f "$new_file" "$keys_file" || fail write
fi
echo "keys=$(grep -c . "$stdin_file")"
echo "changed=$changed"
exit 0
