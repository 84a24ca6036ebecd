"""How a job ended, in words, with advice for the usual causes."""

from bot.domain.jobs.causes import Cause, CauseKind
from bot.domain.jobs.ending import Ending, EndingKind
from handlers.words.paths import path_words
from handlers.words.text import as_code, plain

_K = EndingKind
_SIGNALS = {6: "SIGABRT", 7: "SIGBUS", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 2: "SIGINT"}
_NEVER = {
    "no-directory": "the directory {detail} is not there",
    "no-git": "git is not installed on the machine",
    "git-clone": "the repository could not be cloned. Is it private, or its address wrong?",
    "git-checkout": "the repository has no such branch, tag or commit",
    "git-timeout": "the repository did not come in time",
    "disk-full": "the disk is full",
    "no-python3": "the machine has no python3, which I need to look after jobs",
    "old-python3": "the machine's python3 is older than 3.6, which I need to look after jobs",
    "too-long": "the command, a path or a variable is too long for the machine's kernel",
    "nul": "it holds a NUL character, which no program can be given",
    "after-failed": "{detail}, which it was to come after, did not end well",
    "keeper-gone": "the process that was to start it is gone",
    "machine-released": "its machine was released first",
    "machine-stopped": "its machine was stopped first",
    "machine-vanished": "its machine vanished first",
}
_GONE = {
    "machine-released": "its machine was released",
    "machine-stopped": "its machine was stopped",
    "machine-vanished": "its machine vanished",
    "machine-failed": "its machine never came about",
}


def ending_icon(ending: Ending) -> str:
    """An emoji for the ending; never the only bearer of it."""
    if ending.is_success:
        return ":white_check_mark:"
    return ":black_square_for_stop:" if ending.kind in (_K.KILLED, _K.MAX_REACHED) else ":x:"


def ending_words(ending: Ending) -> str:
    """The ending as a clause, without a full stop."""
    match ending.kind:
        case _K.EXITED if ending.is_success:
            words = "done, exit 0"
        case _K.EXITED:
            words = f"failed, exit {_number(ending.exit_code)}"
        case _K.SIGNALLED:
            words = f"ended by {signal_name(ending.signal)}, which I did not send"
        case _K.OUT_OF_MEMORY:
            words = "out of memory: the kernel killed it, most probably for want of main memory"
        case _K.DISK_FULL:
            words = f"failed, exit {_number(ending.exit_code)}, and a disk that it wrote to is full"
        case _K.KILLED:
            by = f" by <@{ending.by}>" if ending.by.isalnum() else ""
            words = f"killed{by}" + (" before it began" if ending.code in ("withdrawn", "killed") else "")
        case _K.MAX_REACHED:
            words = "ended at the limit that was set with `max=`"
        case _K.REBOOTED:
            words = "gone: its machine was started anew while it ran"
        case _K.WITH_THE_MACHINE:
            words = f"gone: {_GONE.get(ending.code, 'its machine does not run any more')}"
        case _K.LOST:
            words = "gone, and nothing tells how it ended: its exit code is unknown"
        case _K.NEVER_STARTED:
            why = _NEVER.get(ending.code, "the machine could not start it")
            words = "never started: " + why.format(detail=as_code(ending.detail[-60:]))
    if ending.left_running:
        words += f"; it left {ending.left_running} {'process' if ending.left_running == 1 else 'processes'} running"
    return words


def advice(ending: Ending, cause: Cause | None) -> str:
    """What helps, as a sentence; empty where nobody knows."""
    if ending.kind is _K.OUT_OF_MEMORY:
        return "Fewer data-loader workers or smaller batches use less main memory; so does a machine with more of it."
    if ending.kind is _K.DISK_FULL:
        return "Make room (old checkpoints, caches), or rent with a bigger `disk=`."
    if ending.kind is _K.LOST:
        return "Its files are as it left them; look at `logs` before you start it again."
    return cause_advice(cause) if cause is not None else ""


def cause_advice(cause: Cause) -> str:
    """What helps against one cause, as a sentence."""
    what = _named(cause)
    named = f" {what}" if what else ""
    return {
        CauseKind.GPU_MEMORY: f"The GPU's memory is full{_asked(cause)}: a smaller batch (with more accumulation), gradient "
        "checkpointing or lower precision helps, or a GPU with more memory.",
        CauseKind.HOST_MEMORY: "Main memory ran out: fewer data-loader workers or smaller batches use less; so does a "
        "machine with more of it.",
        CauseKind.NO_SPACE: "The disk is full: make room (old checkpoints, caches), or rent with a bigger `disk=`.",
        CauseKind.NCCL_TIMEOUT: f"One process waited for the others in vain{': ' + what if what else ''}. Mostly another rank "
        "had failed, or was much slower: look for the first error in `logs`; `NCCL_DEBUG=INFO` tells more.",
        CauseKind.OLD_DRIVER: f"The machine's driver{named} is too old for the CUDA that the framework was built with: install "
        "a build for an older CUDA, or rent a machine with a newer driver.",
        CauseKind.NO_MODULE: f"Python has no module{named}: install it in the job, as in `pip install … && python …`.",
        CauseKind.NO_COMMAND: f"The shell does not find {what or 'the command'}: is it installed, and on the PATH of a login "
        "shell?",
        CauseKind.NOT_EXECUTABLE: "The file may not be executed: `chmod +x` it, or name its interpreter.",
        CauseKind.BAD_INTERPRETER: f"The script's first line names an interpreter that is not there{': ' + what if what else ''}. "
        "Was the file written on Windows, or its environment moved? Start it as `python script.py`.",
        CauseKind.NO_PERMISSION: f"Permission was denied{': ' + what if what else ''}. Is the file the job's own, and the "
        "directory writable? A script needs `chmod +x`.",
        CauseKind.NO_FILE: f"A file is not there{': ' + what if what else ''}. Jobs run in `~/work` unless `dir=` says "
        "otherwise.",
        CauseKind.NO_GPU: "The program finds no GPU. `check` looks whether the machine has one that works.",
        CauseKind.SHARED_MEMORY: "Shared memory ran out: fewer data-loader workers need less.",
    }[cause.kind]


def _named(cause: Cause) -> str:
    """What is at fault; of a long path the end is kept, which tells files apart."""
    if not cause.what:
        return ""
    is_path = cause.kind in (CauseKind.NO_FILE, CauseKind.NO_PERMISSION, CauseKind.BAD_INTERPRETER)
    return path_words(cause.what.encode("utf-8", "replace"), 80) if is_path else as_code(cause.what)


def _asked(cause: Cause) -> str:
    """``: it asked for 2.00 GiB where 340 MiB were free``."""
    if not cause.what:
        return ""
    free = f" where {as_code(cause.detail)} was free" if cause.detail else ""
    return f" (it asked for {as_code(cause.what)}{free})"


def signal_name(number: int | None) -> str:
    """``SIGKILL``; one without a name by its number."""
    return _SIGNALS.get(number or 0, f"signal {_number(number)}")


def _number(number: int | None) -> str:
    return plain(str(number)) if number is not None else "unknown"
