"""The audit in words: who did what, when, and to how much."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bot.domain.audit import AuditEntry
from bot.domain.problem import Facts
from bot.domain.question import Cause, QuestionState
from bot.domain.release import Ground
from bot.services.read_questions import Shown
from handlers.words.figures import dollars, moment, span
from handlers.words.inventory import WHY_UNKNOWN, summary
from handlers.words.list_file import SHORT
from handlers.words.paths import files_words, path_words, size_words
from handlers.words.text import as_code, plain

_DID = {
    "rent": "rented it",
    "rent-approved": "approved the rent",
    "run": "started a job on it",
    "kill": "ended a job on it",
    "keep": "wanted no idle reminders of it for a while",
    "key-add": "added a public key of theirs",
    "key-remove": "removed a public key of theirs",
    "secret-set": "set a secret of theirs",
    "secret-removed": "removed a secret of theirs",
    "stop": "stopped it",
    "start": "started it",
    "extend": "made it longer",
    "keep-anyway": "took it although a check had failed",
    "cancel": "cancelled it",
    "check": "had it looked at",
    "sync": "had it copied to the archive",
    "disk-keep": "wanted its data disk kept",
    "disk-kept": "kept its data disk",
    "disk-lost": "saw that its kept disk is gone",
    "disk-touched": "saw its kept disk on something else",
    "disk-delete-asked": "asked for its kept disk to be deleted",
    "disk-delete-approved": "said yes to the deletion of its kept disk",
    "disk-delete-declined": "kept its kept disk",
    "disk-deleted": "deleted its kept disk",
    "watch-add": "had paths on it watched",
    "watch-skip": "declared paths on it to be had again",
    "watch-remove": "took paths on it from what is watched",
    "file-put": "put a file on it",
    "fetch": "asked for what the archive holds of it",
    "synced": "copied it to the archive",
    "release-asked": "asked for its release",
    "question-put": "looked at it and put the question",
    "found-clean": "looked at it and found nothing to lose",
    "release-approved": "said yes to its release",
    "release-declined": "kept it",
    "save-first": "had it saved before a release",
    "asked-anew": "asked anew",
    "released": "released it",
    "vanished": "saw that it is gone at the provider, by nobody's yes",
    "failed": "got no machine for it",
}


_CAUSES = {
    Cause.LEASE_END: ", since its lease ended",
    Cause.IDLE: ", since nobody used it",
    Cause.AFTER_JOB: ", by the end of a job",
}
_GROUNDS = {
    Ground.NEVER_HANDED_OVER: ", which nobody had been given yet",
    Ground.CLEAN: ", since nothing on it would have been lost",
    Ground.APPROVED: " by the yes of <@{by}>",
}
_BECAME = {
    QuestionState.LOOKING: "its machine is being looked at",
    QuestionState.OPEN: "it waits for an answer",
    QuestionState.SAVING: "{by} had it saved first, {at}",
    QuestionState.YES: "{by} said yes, {at}",
    QuestionState.CLEAN: "nothing would be lost, so nobody had to say yes",
    QuestionState.NO: "{by} kept it, {at}",
    QuestionState.SUPERSEDED: "another question followed",
}
_WHY_UNKNOWN = {why.value: words for why, words in WHY_UNKNOWN.items()}
LISTED_AT_MOST: Final = 50


def is_cut(shown: Shown) -> bool:
    """Whether a message cannot show the whole list."""
    return shown.listed is not None and shown.listed.files > LISTED_AT_MOST


def shown_words(shown: Shown) -> str:
    """One question on record: what became of it, and the files that it was about."""
    question, inventory, listed = shown.question, shown.inventory, shown.listed
    at = moment(question.answered_at) if question.answered_at is not None else "at no known time"
    became = _BECAME[question.state].format(by=f"<@{question.answered_by}>", at=at)
    lines = [
        f"Question {as_code(question.id[:SHORT])} about *{shown.lease.name}*, "
        f"asked {moment(question.asked_at)}: {became}."
    ]
    if inventory is None:
        return "\n".join([*lines, "Nothing was looked at."])
    lines.append(f"{summary(inventory)} Fingerprint {as_code(inventory.fingerprint)}.")
    if listed is None:
        return "\n".join([*lines, *(["The list itself was not told."] if inventory.files else [])])
    lines += [f"• {path_words(path, 160)} {size_words(size)}" for size, path in listed.lines(LISTED_AT_MOST)]
    if is_cut(shown):
        more = f"… and {listed.files - LISTED_AT_MOST:,} more, {listed.files:,} in all"
        lines.append(f"{more}: the whole list comes to you directly as a file.")
    if not listed.is_whole:
        lines.append("The list was taken right after the look and differs from it: something was written in between.")
    return "\n".join(lines)


def audit_words(
    entries: Sequence[AuditEntry], name: str | None, names: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Newest first. ``names`` of leases by their ids: where they are of several, each line says which."""
    if not entries:
        return "Nothing is on record yet."
    title = f"What was done with *{name}*, newest first:" if name is not None else "What was done, newest first:"
    return "\n".join([title, *(_line(entry, names.get(entry.lease_id or "")) for entry in entries)])


def _line(entry: AuditEntry, name: str | None) -> str:
    who = f"<@{plain(entry.actor)}>" if entry.actor.startswith(("U", "W")) else plain(entry.actor)
    has_copied = entry.action != "synced" or bool(entry.facts.get("files"))
    did = _DID.get(entry.action, plain(entry.action)) if has_copied else "found nothing of it to copy to the archive"
    which = f" *{plain(name)}*:" if name else ""
    return f"• {moment(entry.at)}{which} {who} {did}{_why(entry.facts)}{_amount(entry)}"


def _why(facts: Facts) -> str:
    """Which clock, or on what ground."""
    cause = next((words for cause, words in _CAUSES.items() if cause == facts.get("cause")), "")
    ground = next((words for ground, words in _GROUNDS.items() if ground == facts.get("ground")), "")
    return cause + ground.format(by=plain(str(facts.get("by"))))


def _amount(entry: AuditEntry) -> str:
    facts = entry.facts
    asked = [f"question {as_code(str(facts['question'])[:SHORT])}"] if facts.get("question") else []
    if facts.get("verdict") == "unknown":
        why = _WHY_UNKNOWN.get(str(facts.get("why_unknown")), "nobody knows why")
        return f": what is on it is unknown ({', '.join([why, *asked])})"
    files, size_bytes = facts.get("files"), facts.get("size_bytes")
    parts: list[str] = []
    if isinstance(quote := facts.get("quote_microusd"), int):
        parts.append(dollars(quote))
    if isinstance(files, int) and isinstance(size_bytes, int) and files:
        parts.append(files_words(files, size_bytes))
    if facts.get("fingerprint") and files:
        parts.append(f"inventory {as_code(str(facts['fingerprint'])[:8])}")
    if facts.get("job"):
        parts.append(f"job {plain(str(facts['job']))}")
    if isinstance(for_s := facts.get("for_s"), int):
        parts.append(span(for_s))
    if facts.get("paths"):
        parts.append(as_code(str(facts["paths"]), 200))
    if facts.get("place") and files:
        parts.append(f"verified in {as_code(str(facts['place']), 200)}")
    parts += asked
    return f": {', '.join(parts)}" if parts else ""
