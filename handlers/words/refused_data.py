"""Why something about people's data is refused (questions, copies, kept disks, paths), and what to do instead."""

from datetime import datetime
from typing import Final

from handlers.words.figures import moment
from handlers.words.paths import path_words, size_words
from handlers.words.question import NO_ARCHIVE, SAVE_STAYS
from handlers.words.refusal_facts import Catalogue, Facts, guess, many
from handlers.words.text import as_code, listed, plain


def _owner_first(facts: Facts) -> str:
    at = facts.get("counts_from")
    since = (
        f"counts {moment(at)}"
        if isinstance(at, datetime)
        else "counts some time after they were told, which is being done"
    )
    return (
        f"<@{facts.get('owner')}> has the word first: an approver's ✅ {since}. A ✅ that you leave as a reaction under the "
        "question counts then by itself; a button has to be pressed again."
    )


def _disk_in_use(facts: Facts) -> str:
    disk, lease = as_code(str(facts.get("disk"))), as_code(str(facts.get("lease")))
    if facts.get("is_asked"):
        return f"Whether the disk {disk} is deleted is being asked. ❌ on its question, then it can be had again."
    if facts.get("state") in ("attached", "leaving"):
        return f"The disk {disk} is on {lease} now; it is free again when that machine is released."
    return f"The disk {disk} is {plain(str(facts.get('state')))} now."


def _size(value: object) -> str:
    return size_words(value) if isinstance(value, int) else "the limit"


def _path(facts: Facts) -> str:
    path = facts.get("path")
    return path_words(path, 120) if isinstance(path, bytes) else "That"


REFUSALS: Final[Catalogue] = {
    "owner-first": _owner_first,
    "yes-needs-approver": lambda f: (
        f"To lose more than {_size(f.get('above_bytes'))} of {as_code(str(f.get('name')))}, or nobody knows how much, takes "
        "the ✅ of an approver who did not ask for it. 💾 and ❌ take none."
    ),
    "no-such-question": lambda f: (
        f"There is no question {as_code(str(f.get('number')))}; `/gpu audit NAME` shows their numbers."
    ),
    "question-over": lambda f: (
        f"That question is over. `/gpu {'disks delete NAME' if f.get('disk') else 'release'}` asks a new one."
    ),
    "save-needs-machine": lambda f: (
        f"Nothing can be saved from the disk {as_code(str(f.get('disk')))} while no machine has it. ❌ first, then "
        f"`/gpu rent GPU DURATION disk={f.get('disk')}` and `/gpu sync` of that machine."
    ),
    "no-archive": lambda f: (
        f"{NO_ARCHIVE}{' A 💾 that still stands then counts by itself; take it away to withdraw it.' if f.get('stays') else ''}"
    ),
    "saving-now": lambda f: (
        f"{as_code(str(f.get('name')))} is being saved to the archive just now. Wait for that, or press ❌ first."
    ),
    "save-needs-running": lambda f: (
        f"{as_code(str(f.get('name')))} is *{str(f.get('state')).replace('_', ' ')}*, so nothing can be copied from it. "
        f"Start it first: `/gpu start {f.get('name')}`.{f' {SAVE_STAYS}' if f.get('stays') else ''}"
    ),
    "no-such-disk": lambda f: (
        f"There is no kept disk {as_code(str(f.get('name')))}.{guess(f)} `/gpu disks` lists yours."
    ),
    "disk-in-use": _disk_in_use,
    "disk-elsewhere": lambda f: (
        f"The disk {as_code(str(f.get('disk')))} is at {plain(str(f.get('provider')))}, {plain(str(f.get('region')))}, and cannot "
        "be had elsewhere. Leave `provider=` and `region=` out."
    ),
    "disk-has-size": lambda f: (
        f"The disk {as_code(str(f.get('disk')))} has its own size, {f.get('size_gib'):,} GiB. Leave the size out."
    ),
    "not-at-disk": lambda f: (
        f"The disk {as_code(str(f.get('disk')))} is at {plain(str(f.get('provider')))}, {plain(str(f.get('region')))}, and that "
        f"machine is not offered there. {as_code('/gpu offers')} shows where which machine is."
    ),
    "cannot-keep-disk": lambda f: (
        f"{plain(str(f.get('provider')))} cannot keep a data disk by itself. "
        f"`/gpu sync {f.get('name')}` copies what is on it to the archive."
    ),
    "no-path": lambda f: f"{_path(f)} is not a path I can watch: write it whole, without `..`.",
    "system-path": lambda f: f"{_path(f)} is the system's, not a person's. Name the folder that your data is in.",
    "watched-itself": lambda f: (
        f"{_path(f)} is watched by its own name, so it cannot be left out. Name what in it can be had again; "
        "`--remove` takes back what somebody added."
    ),
    "too-many-paths": lambda f: f"{as_code(str(f.get('name')))} has as many paths named as I keep. Remove some first.",
    "not-watched": lambda f: (
        f"Nobody named {_path(f)} on {as_code(str(f.get('name')))}. `/gpu watch {f.get('name')}` lists what is watched."
    ),
    "fetch-of-which": lambda f: (
        f"Of which machine? The archive holds {listed([as_code(str(n)) for n in many(f.get('names'))]) or 'nothing of yours'}. "
        "It is written `/gpu fetch NAME PATH`."
    ),
    "sync-under-way": lambda f: (
        f"{as_code(str(f.get('name')))} is being copied already; the message in its thread tells how far."
    ),
}
