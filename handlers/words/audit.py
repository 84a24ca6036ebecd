"""The audit in words: who did what, when, and to how much."""

from collections.abc import Sequence

from bot.domain.audit import AuditEntry
from handlers.words.figures import moment
from handlers.words.paths import files_words
from handlers.words.text import as_code, plain

_DID = {
    "rent": "rented it",
    "rent-approved": "approved the rent",
    "stop": "stopped it",
    "start": "started it",
    "extend": "made it longer",
    "keep-anyway": "took it although a check had failed",
    "cancel": "cancelled it",
    "check": "had it looked at",
    "sync": "had it copied to the archive",
    "synced": "copied it to the archive",
    "release-asked": "asked for its release",
    "question-put": "looked at it and put the question",
    "found-clean": "looked at it and found nothing to lose",
    "release-approved": "said yes to its release",
    "release-declined": "kept it",
    "save-first": "had it saved before a release",
    "asked-anew": "asked anew",
}


def audit_words(entries: Sequence[AuditEntry], name: str | None) -> str:
    """Newest first."""
    if not entries:
        return "Nothing is on record yet."
    title = f"What was done with *{name}*, newest first:" if name is not None else "What was done, newest first:"
    return "\n".join([title, *map(_line, entries)])


def _line(entry: AuditEntry) -> str:
    who = f"<@{plain(entry.actor)}>" if entry.actor.startswith(("U", "W")) else plain(entry.actor)
    did = _DID.get(entry.action, plain(entry.action))
    return f"• {moment(entry.at)} {who} {did}{_amount(entry)}"


def _amount(entry: AuditEntry) -> str:
    facts = entry.facts
    if facts.get("verdict") == "unknown":
        return f": what is on it is unknown ({plain(str(facts.get('why_unknown')))})"
    files, size_bytes = facts.get("files"), facts.get("size_bytes")
    parts = []
    if isinstance(files, int) and isinstance(size_bytes, int) and files:
        parts.append(files_words(files, size_bytes))
    if facts.get("fingerprint") and files:
        parts.append(f"inventory {as_code(str(facts['fingerprint'])[:8])}")
    if facts.get("place"):
        parts.append(f"verified in {as_code(str(facts['place']), 200)}")
    return f": {', '.join(parts)}" if parts else ""
