"""What is watched on a lease's machine, and whether it can be looked at now."""

from typing import Final

from bot.domain.instance import Capabilities, Keeps
from bot.domain.inventory.request import Watch, spelled
from bot.domain.lease import Lease, LeaseState

_S = LeaseState
_DARK: Final = frozenset({_S.REQUESTED, _S.LAUNCHING, _S.STOPPING, _S.STOPPED, _S.STARTING})
"""Nothing answers there; a machine that should answer and does not is another matter."""


def watch_of(able: Capabilities, lease: Lease) -> Watch:
    """The login home, and the data path where it dies with the machine."""
    return Watch.of(able.data_path if able.release_keeps is Keeps.NOTHING and not lease.keeps_disk else "")


def watch_of_disk(able: Capabilities) -> Watch:
    """The data path alone."""
    return Watch((spelled(able.data_path),) if able.data_path else ())


def to_be_copied(lease: Lease) -> Lease:
    """The lease as copies see it: a disk that is kept is no archive, so all that is on it counts."""
    return lease.noted(disk_id=None, keep_disk_as=None)


def may_answer(lease: Lease) -> bool:
    """Whether its machine runs, as far as is known, and has an address."""
    return lease.address is not None and lease.is_live and lease.state not in _DARK
