"""The states of a lease in words, and what each means for the owner's money and data."""

from bot.domain.instance import Capabilities, Keeps
from bot.domain.lease import Lease, LeaseState, Want

_S = LeaseState
_TITLES = {
    _S.REQUESTED: (":hourglass_flowing_sand:", "asking the provider"),
    _S.LAUNCHING: (":hourglass_flowing_sand:", "launching"),
    _S.BOOTING: (":hourglass_flowing_sand:", "booting"),
    _S.CHECKING: (":mag:", "being checked"),
    _S.READY: (":large_green_circle:", "ready"),
    _S.UNFIT: (":warning:", "not fit to hand over"),
    _S.STOPPING: (":double_vertical_bar:", "stopping"),
    _S.STOPPED: (":double_vertical_bar:", "stopped"),
    _S.STARTING: (":hourglass_flowing_sand:", "starting"),
    _S.RELEASING: (":wastebasket:", "being released"),
    _S.RELEASE_STUCK: (":rotating_light:", "release stuck"),
    _S.RELEASED: (":white_circle:", "released"),
    _S.VANISHED: (":rotating_light:", "vanished"),
    _S.FAILED: (":no_entry:", "never got a machine"),
}


def state_icon(state: LeaseState) -> str:
    """An emoji for the state; never the only bearer of it."""
    return _TITLES[state][0]


def state_words(lease: Lease) -> str:
    """The state, and what is wanted where that differs."""
    words = _TITLES[lease.state][1]
    if lease.want is Want.RELEASED and lease.state in (_S.READY, _S.STOPPED, _S.UNFIT):
        return f"{words}, release approved"
    if lease.want is Want.RELEASED and lease.state in (_S.REQUESTED, _S.LAUNCHING, _S.BOOTING, _S.CHECKING):
        return "being cancelled"
    if lease.state is _S.RELEASED and lease.launched_at is None:
        return "cancelled"
    return words


def keeps_words(able: Capabilities | None, lease: Lease | None = None) -> str:
    """What survives stop and release, in words; of one lease, or of all machines of a provider."""
    if able is None:
        return "What survives a stop or release here is not known."
    stop = {
        Keeps.ALL: "Stop keeps its disks.",
        Keeps.DATA: "Stop keeps the data disk and wipes the rest.",
        Keeps.NOTHING: "Stop keeps nothing.",
    }[able.stop_keeps]
    release = {
        Keeps.ALL: "Release keeps its disks.",
        Keeps.DATA: "Release keeps the data disk and deletes the rest.",
        Keeps.NOTHING: "Release deletes everything on it.",
    }[able.release_keeps]
    if lease is not None and lease.keeps_disk:
        name = f" as *{lease.keep_disk_as}*" if lease.keep_disk_as is not None else ""
        release = f"Release keeps the data disk{name} and deletes the rest."
    return f"{stop if able.can_stop else 'This provider cannot stop machines.'} {release}"
