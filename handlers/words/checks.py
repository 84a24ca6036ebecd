"""The lines of a checklist in words: how each look ended, what was seen, what to do."""

from collections.abc import Mapping

from bot.domain.checklist import Checklist, Item, Line, Verdict
from bot.domain.health.codes import Code
from bot.domain.lease import Lease
from handlers.words.paths import path_words
from handlers.words.problems import why
from handlers.words.text import plain

_ICONS = {
    Verdict.OK: ":white_check_mark:",
    Verdict.WARN: ":warning:",
    Verdict.FAIL: ":x:",
    Verdict.UNKNOWN: ":grey_question:",
}
_ITEMS = {
    Item.PROVIDER: "Provider",
    Item.SSH: "Login",
    Item.DATA_DISK: "Data disk",
    Item.DISK_WRITABLE: "Disks take files",
    Item.DISK_SPACE: "Disk space",
    Item.GPU: "GPU",
    Item.FRAMEWORK: "Framework",
    Item.VERSIONS: "Versions",
    Item.NETWORK: "Way out",
}
_REBOOT = "Reboot it (stop and start where the provider can), or release it and rent another"
_ANOTHER = "Release it and rent another; the provider owes you the right one"
_SAID: Mapping[str, tuple[str, str]] = {
    Code.ANSWERED: ("works", ""),
    Code.NO_ANSWER: ("it did not answer", "Try `check` again in a minute; its card says what is wrong"),
    Code.TIMED_OUT: ("no answer in time", "Try `check` again; a dead network disk or a hanging driver does this"),
    Code.NOT_SEEN: ("the look did not say", "Try `check` again"),
    Code.MARKED: ("the one that was promised", ""),
    Code.MOUNTED: ("a disk is mounted there", ""),
    Code.NO_VOLUME: ("the directory is there; the provider names no disk to compare it with", ""),
    Code.MISSING: ("there is nothing at its path", "The disk was not attached: stop and start, or rent another"),
    Code.NOT_A_DIRECTORY: ("its path is not a directory", "Move what is there out of the way"),
    Code.NOT_ALLOWED: ("the login user may not", "Change its owner with `sudo chown`"),
    Code.NO_MARK: ("the directory is there, the disk is not mounted", "What is written there is lost at a stop"),
    Code.OTHER_MARK: ("another disk is there", "Do not write to it; tell an admin"),
    Code.NOT_MOUNTED: (
        "no disk is mounted there; it lies on another one",
        "What is written there may be lost at a stop",
    ),
    Code.MARK_UNREADABLE: ("it cannot be told which disk it is", ""),
    Code.WRITABLE: ("yes, and give them back", ""),
    Code.READ_ONLY: ("read-only", "The file system has an error or was mounted so: `dmesg` says why"),
    Code.FULL: ("full", "Delete something or take a larger disk, before a job fails on it"),
    Code.WRITE_FAILED: ("no", ""),
    Code.SPACE_LEFT: ("enough", ""),
    Code.NEARLY_FULL: ("getting short", "Make room before a job fails on it"),
    Code.INODES_FULL: (
        "no more files can be made, though there is space",
        "Delete many small files: caches, old checkpoints",
    ),
    Code.AS_RENTED: ("as rented", ""),
    Code.SIMULATED: ("as rented, simulated", ""),
    Code.OTHER_MODEL: ("another model than was rented", _ANOTHER),
    Code.FEWER_CARDS: ("fewer cards than were rented", f"{_REBOOT}"),
    Code.LESS_MEMORY: ("less memory than was rented", _ANOTHER),
    Code.MORE_MEMORY: ("more memory than was rented", ""),
    Code.GPU_LOST: ("a card is lost (the kernel calls it Xid 79)", f"{_REBOOT}: power, PCIe or heat"),
    Code.GPU_RESET: ("a card has to be reset", _REBOOT),
    Code.DRIVER_MISMATCH: (
        "driver and library are of two versions: an update changed one of them",
        "Reboot it; jobs that run may still be alive, so wait for them",
    ),
    Code.NO_DRIVER: ("the driver does not answer", _REBOOT),
    Code.NO_DEVICES: (
        "the driver sees no card",
        f"{_REBOOT}; `dmesg | grep NVRM` says why (a driver too old for the card, or the card off the bus)",
    ),
    Code.NO_TOOL: (
        "there is no nvidia-smi",
        "The image has no driver, or keeps it off the PATH: try `/usr/bin/nvidia-smi`",
    ),
    Code.NO_OUTPUT: ("nvidia-smi says nothing, which is not health", _REBOOT),
    Code.DRIVER_HANGS: ("nvidia-smi hangs", _REBOOT),
    Code.SMI_FAILED: ("nvidia-smi fails", _REBOOT),
    Code.XID: ("the kernel reports an error that only a reboot mends", _REBOOT),
    Code.ON_GPU: ("a tensor was multiplied and went back on the GPU", ""),
    Code.ON_CPU: ("a tensor was multiplied and went back, *on the CPU*: there is no real GPU here", ""),
    Code.TORCH_MISSING: (
        "PyTorch is not installed, so no tensor could be multiplied",
        "This look needs it: `pip install torch`",
    ),
    Code.NO_PYTHON: ("there is no python3, so no tensor could be multiplied", "`try`, `run` and this look need it"),
    Code.CPU_WHEEL: (
        "PyTorch is a build without CUDA and computes on the CPU",
        "Install one with CUDA: `pip install torch`",
    ),
    Code.GPU_MEMORY_TAKEN: ("no tensor fits beside what runs on the card", "Look again when it is done"),
    Code.FALLS_BACK: (
        "PyTorch finds no GPU and would compute on the CPU",
        "The driver is too old for it, or the fabric manager is down: see Versions",
    ),
    Code.FEWER_IN_FRAMEWORK: (
        "PyTorch finds fewer cards than were rented",
        "Look at `CUDA_VISIBLE_DEVICES`, else reboot",
    ),
    Code.IMPORT_FAILED: ("PyTorch is installed and does not load", "Install it anew"),
    Code.MULTIPLY_FAILED: ("the multiplication failed", "Error 802 is a fabric manager that is down; else reboot"),
    Code.VERSIONS: ("", ""),
    Code.DRIVER_TOO_OLD: (
        "the driver is too old for PyTorch's CUDA",
        "Take an older PyTorch, or an image with a newer driver",
    ),
    Code.ANSWERS_OUT: ("", ""),
    Code.NO_WAY_OUT: ("none", "Downloads will fail: look at the provider's firewall, or set a proxy"),
    Code.OFFLINE_HERE: ("none from this computer, whose network it has", "Downloads will fail"),
}


def checklist_words(checklist: Checklist) -> str:
    """One line an item."""
    return "\n".join(line_words(line) for line in checklist.lines)


def checklist_summary(checklist: Checklist) -> str:
    """How many looks were good, and the lines of those that were not."""
    others = [line for line in checklist.lines if line.verdict is not Verdict.OK]
    good = len(checklist.lines) - len(others)
    said = f"{good} of {len(checklist.lines)} checks are good" + (":" if others else ".")
    return "\n".join([said, *(line_words(line) for line in others)])


def checked_words(lease: Lease) -> str:
    """The answer to ``check``."""
    if lease.checklist is None:
        return f"*{lease.name}* was looked at."
    if all(line.verdict is Verdict.UNKNOWN for line in lease.checklist.lines):
        return f"*{lease.name}* could not be looked at. That says nothing about it yet.\n{checklist_words(lease.checklist)}"
    return f"The checklist of *{lease.name}*:\n{checklist_words(lease.checklist)}"


def line_words(line: Line) -> str:
    """One item: how it ended, what was seen, what to do."""
    said, advice = _SAID.get(line.code, ("", ""))
    if line.verdict is Verdict.UNKNOWN:
        said = f"could not look, {said}" if said else "could not look"
    seen = _seen(line)
    shown = ": ".join(part for part in (_ITEMS[line.item], said) if part)
    shown = f"{shown}{' — ' if said else ': '}{seen}" if seen else shown
    return f"{_ICONS[line.verdict]} {shown}{f'. {advice}.' if advice else ''}"


def _seen(line: Line) -> str:
    if line.code == Code.NO_ANSWER:
        return why(line.seen) if line.seen else ""
    if line.code == Code.ANSWERED:
        return f"as {plain(line.seen)}" if line.seen else ""
    if line.code == Code.TORCH_MISSING and line.seen:
        return f"in {path_words(line.seen.encode(), 48)}"
    return plain(line.seen)
