"""A new machine's directory: made aside, complete with keys, home and disks, then moved into place at once."""

import shutil
import subprocess
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bot.providers.local.files import make_private_dir, write_private
from bot.providers.local.places import DATA_MARK, DATA_PATH, Place, Root
from bot.providers.local.state import MachineState, save_state

_PROFILE = """\
# What every login shell reads; /etc/profile has set PATH anew, so the machine's own tools are put first again.
export PATH={tools}:"$PATH"
case $- in *i*) PS1='\\u@{name}:\\w\\$ ' ;; esac
"""


def make_host_key() -> tuple[str, str]:
    """A fresh key: the private part in OpenSSH's format, the public one as ``ssh-ed25519 base64``."""
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
    return private.decode("ascii"), public.decode("ascii")


def make_machine(
    root: Root, state: MachineState, private_host_key: str, public_key: str, disk: Path | None = None
) -> Place:
    """Make the directory; until the last step nothing of it is seen by anyone. ``disk``: of a kept one.

    Called under the stock lock; what is left of a call that died is thrown away by `discard_drafts`.
    """
    draft = Place(root.drafts / state.id)
    make_private_dir(draft.dir)
    if disk is None:
        make_private_dir(draft.data)
        write_private(draft.data / DATA_MARK, state.volume_id + "\n")
    else:
        draft.data.symlink_to(disk)
    for folder in (draft.home / ".ssh", draft.tools, draft.tmp, draft.no_disk):
        make_private_dir(folder)
    write_private(draft.host_key, private_host_key)
    write_private(draft.lease_key, public_key + "\n")
    write_private(draft.home / ".ssh" / "authorized_keys", public_key + "\n")
    place = root.place(state.id)
    profile = _PROFILE.format(tools=_quoted(place.tools), name=_plain(state.name))
    write_private(draft.home / ".profile", profile, mode=0o644)
    (draft.home / DATA_PATH).symlink_to(place.data)
    save_state(draft.state, state)
    draft.dir.rename(place.dir)
    return place


def discard_drafts(root: Root) -> None:
    """Throw away what launches that died have left. Only under the stock lock."""
    for draft in root.drafts.iterdir():
        shutil.rmtree(draft, ignore_errors=True)


def discard_machine(root: Root, place: Place, new_id: str) -> None:
    """Delete the machine's disks. They are out of sight when this returns; the space follows a little later."""
    if not place.dir.exists():
        return
    place.dir.rename(root.trash / f"{place.id}-{new_id}")
    empty_trash(root)


def empty_trash(root: Root) -> None:
    """Delete what has been released; goes on when the caller ends."""
    doomed = [str(path) for path in root.trash.iterdir()]
    if doomed:
        # Users leave directories that they may not write to. The shell is not waited for: an environment of
        # 30,000 files takes longer than a caller has.
        script = '(chmod -R u+rwX -- "$@"; rm -rf -- "$@") </dev/null >/dev/null 2>&1 &'
        subprocess.run(["/bin/sh", "-c", script, "sh", *doomed], check=True, start_new_session=True)


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "'\\''") + "'"


def _plain(name: str) -> str:
    return "".join(letter for letter in name if letter.isalnum() or letter in "-_.") or "machine"
