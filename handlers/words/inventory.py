"""What is on a machine and nowhere else, in words."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar

from bot.domain.inventory.compare import Change
from bot.domain.inventory.inventory import BlindSpot, GitTree, Inventory, LeftOut, Some, Verdict, WhyBlind, WhyUnknown
from handlers.words.paths import files_words, path_words, size_words
from handlers.words.text import as_code, listed

T = TypeVar("T")
NAMED: Final = 5
WHY_UNKNOWN: Final[Mapping[WhyUnknown, str]] = {
    WhyUnknown.NOT_RUNNING: "it does not run, so its disks cannot be looked at",
    WhyUnknown.UNREACHABLE: "it could not be reached",
    WhyUnknown.HOST_KEY_CHANGED: "it shows another host key than before, so I did not log in",
    WhyUnknown.LOGIN_REFUSED: "it does not let me log in any more",
    WhyUnknown.TIMED_OUT: "the look did not end in time",
    WhyUnknown.CUT_SHORT: "the look was cut short: there may be more than what it told",
    WhyUnknown.GARBLED: "what came back was not what the look says",
    WhyUnknown.NO_PYTHON: "it has no python3 that the look could run on",
    WhyUnknown.NEVER_LOOKED: "no look at it was taken when its last machine ended",
    WhyUnknown.TOUCHED: "it was attached to something that is not mine since the last look at it",
}
_CHANGED: Final[Mapping[Change, str]] = {
    Change.SIGHT: "it can no longer be seen as before, or only now",
    Change.FILES: "files came, went or changed",
    Change.WRITERS: "files are being written that were not shown as open",
    Change.BLIND_SPOTS: "there are places that could not be looked into",
    Change.JOBS: "other jobs run",
    Change.GIT: "there is other work in git trees",
}
_BLIND: Final[Mapping[WhyBlind, str]] = {
    WhyBlind.MISSING: "not there",
    WhyBlind.UNREADABLE: "not readable",
    WhyBlind.NOT_A_FOLDER: "not a folder: watch the one it is in",
    WhyBlind.MOUNT: "another disk or share",
    WhyBlind.LINK: "a link that leads elsewhere",
}
_RULES: Final[Mapping[str, str]] = {
    "cache": "caches",
    "packages": "package folders",
    "environment": "virtual environments",
    "editor": "editor servers",
    "shell": "shell histories",
    "logins": "login keys",
    "job-logs": "logs of jobs",
    "gpubot": "gpubot's own",
    "skipped": "declared to be had again elsewhere",
}


def summary(inventory: Inventory) -> str:
    """What would be lost, in a sentence or two."""
    if inventory.verdict is Verdict.UNKNOWN and inventory.why_unknown is not None:
        why = WHY_UNKNOWN[inventory.why_unknown]
        return f":grey_question: *What is on it is unknown:* {why}. Take it that everything on it exists nowhere else."
    if inventory.verdict is Verdict.CLEAN:
        return "Nothing on it would be lost: all that was added since its hand-over has a verified copy."
    if not inventory.files:
        return "No file on it lacks a verified copy, but it is not at rest or could not be seen whole:"
    lost = files_words(inventory.files, inventory.size_bytes)
    return f"*Would be lost: {lost}*, new or changed since its hand-over and in no verified copy."


def details(inventory: Inventory) -> Iterator[str]:
    """A part each: newest and biggest files; git, jobs, writers; what could not be seen and what is left out."""
    newest, biggest = inventory.newest[:NAMED], inventory.biggest[:NAMED]
    if newest:
        yield "Newest:\n" + "\n".join(f"• {path_words(file.path)} {size_words(file.size_bytes)}" for file in newest)
    if biggest and {file.path for file in biggest} != {file.path for file in newest}:
        yield "Biggest:\n" + "\n".join(f"• {path_words(file.path)} {size_words(file.size_bytes)}" for file in biggest)
    lines = [*_at_work(inventory), *_some("Git", inventory.git, _tree)]
    if lines:
        yield "\n".join(lines)
    lines = [
        *_some("Could not look into", inventory.blind, _blind),
        *_some("Links, not copied", inventory.links, lambda path: path_words(path, 80)),
        *_some("Pipes, sockets, devices, not copied", inventory.special, lambda path: path_words(path, 80)),
        *_some("Only root may list, and a copy cannot read", inventory.by_root, lambda path: path_words(path, 80)),
        *([f"Left out by rule: {'; '.join(map(_left_out, inventory.left_out))}"] if inventory.left_out else []),
    ]
    if lines:
        yield "\n".join(lines)


def changes_words(changes: tuple[Change, ...]) -> str:
    """In what a machine differs from what was shown."""
    return listed([_CHANGED[change] for change in changes]) or "the approval ran out before it could be carried out"


def _at_work(inventory: Inventory) -> Iterator[str]:
    if inventory.jobs:
        ended = listed([as_code(job) for job in inventory.jobs[:NAMED]])
        more = f" and {len(inventory.jobs) - NAMED} more" if len(inventory.jobs) > NAMED else ""
        yield f"Runs now, and would be ended: {ended}{more}"
    yield from _some("Open for writing", inventory.open, lambda path: path_words(path, 120))
    if inventory.unseen_processes:
        count = inventory.unseen_processes
        yield f"{count} {'process' if count == 1 else 'processes'} of others could not be looked into for open files"
    if inventory.young:
        yield f"{files_words(inventory.young)} changed within the last minute: somebody is likely at work"


def _some(title: str, some: Some[T], say: Callable[[T], str]) -> list[str]:
    if not some.count:
        return []
    named = [say(one) for one in some.first[:NAMED]]
    more = f" and {some.count - len(named):,} more" if some.count > len(named) else ""
    return [f"{title}: {'; '.join(named)}{more}"]


def _tree(tree: GitTree) -> str:
    if not tree.was_seen:
        return f"{path_words(tree.path, 120)}: git did not answer"
    states = [
        f"{count:,} {what}"
        for count, what in (
            (tree.uncommitted, "not committed"),
            (tree.unpushed, "commits that no remote has"),
            (tree.stashed, "stashed"),
        )
        if count
    ]
    states += [] if tree.has_remote else ["no remote at all"]
    return f"{path_words(tree.path, 120)}: {', '.join(states) or 'all of it is on a remote'}"


def _blind(spot: BlindSpot) -> str:
    return f"{path_words(spot.path, 120)} ({_BLIND[spot.why]})"


def _left_out(part: LeftOut) -> str:
    return f"{_RULES.get(part.rule, as_code(part.rule))} ({files_words(part.files, part.size_bytes)})"
