"""What a checkup says: a line a finding, with what to do about it. Read in a terminal, so nothing is marked up."""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from bot.domain.checklist import Verdict
from bot.domain.checkup import Finding, Group
from handlers.manifest import SCOPES
from handlers.words.checkup_advice import ARCHIVE_ADVICE, LIVE_STEPS, PROVIDER_ADVICE, WITHOUT, slack_advice
from handlers.words.checkup_lines import LINES
from handlers.words.figures import span

LIVE_POSTED: Final = "gpubot is being checked: this message is edited, shown with a picture and deleted again."
LIVE_EDITED: Final = "gpubot is being checked: this message was edited."
LIVE_PICTURE_TEXT: Final = "gpubot is being checked: a small picture stands below."
LIVE_ALT_TEXT: Final = "A dark rectangle, uploaded to see whether pictures are shown"
LIVE_EPHEMERAL: Final = "gpubot is being checked: only you see this."

_LONGEST: Final = 300
_MARKS: Final = {Verdict.OK: "ok", Verdict.WARN: "warn", Verdict.FAIL: "FAIL", Verdict.UNKNOWN: "?"}
_TITLES: Final[Mapping[Group, str]] = {
    Group.SETTINGS: "Settings and policy",
    Group.KEY: "Key for secrets at rest",
    Group.DATABASE: "Database",
    Group.SLACK: "Slack: tokens and clock",
    Group.SCOPES: "Slack: scopes",
    Group.PEOPLE: "Slack: people and home channel",
    Group.ARCHIVE: "Archive",
    Group.PROVIDERS: "Providers",
    Group.LIVE: "In the channel",
}


def title(group: Group) -> str:
    """The heading over a group's lines."""
    return _TITLES[group]


def line(finding: Finding) -> str:
    """``ok / warn / FAIL  what  · what to do``."""
    what, advice = sentences(finding)
    return f"  {_MARKS[finding.verdict]:<4}  {what}" + (f"  · {advice}" if advice else "")


def sentences(finding: Finding) -> tuple[str, str]:
    """(what was found, what to do about it; empty where there is nothing to do)."""
    what, advice = LINES[finding.kind]
    facts = _shown(finding)
    return what.format_map(facts), advice.format_map(facts)


def summary(findings: Iterable[Finding]) -> str:
    """The last line."""
    verdicts = [finding.verdict for finding in findings]
    counted = (
        (Verdict.FAIL, "failed"),
        (Verdict.WARN, "to be looked at"),
        (Verdict.UNKNOWN, "not looked at"),
        (Verdict.OK, "ok"),
    )
    return ", ".join(f"{verdicts.count(v)} {word}" for v, word in counted if verdicts.count(v)) + "."


class _Facts(dict[str, str]):
    """A fact that a finding lacks leaves a gap, and not the line out."""

    def __missing__(self, name: str) -> str:
        return "?"


def _shown(finding: Finding) -> _Facts:
    """The facts as text, with the words that follow from them."""
    facts = finding.facts
    shown = _Facts({name: _text(name, value) for name, value in facts.items()})
    reason = str(facts.get("reason") or "")
    shown["in_parentheses"] = f" ({_plain(reason)})" if reason else ""
    shown["slack_advice"] = slack_advice(reason, shown["method"] if "method" in facts else "")
    if "detail" in facts:
        shown["detail_behind"] = f": {shown['detail']}" if shown["detail"] else ""
    else:
        shown["detail_behind"] = ""
    step = str(facts.get("step") or "")
    shown["did"], shown["doing"] = LIVE_STEPS.get(step, (step, step))
    scope = str(facts.get("scope") or "")
    shown["without"] = WITHOUT.get(scope) or f"it is there to {SCOPES.get(scope, 'do its work')}"
    shown["archive_advice"] = ARCHIVE_ADVICE.get(str(facts.get("why") or ""), ARCHIVE_ADVICE["failed"])
    shown["provider_advice"] = PROVIDER_ADVICE.get(str(facts.get("code") or ""), "")
    return shown


def _text(name: str, value: object) -> str:
    if isinstance(value, bool) or value is None:
        return "" if value is None else str(value).lower()
    if isinstance(value, int | float):
        if name.endswith("_bytes"):
            return f"{value / 1024**3:.1f} GiB"
        if name.endswith("_s"):
            return span(value) if value >= 60 else f"{value:.1f} s"
        return str(value)
    return _plain(str(value))


def _plain(text: str) -> str:
    """Somebody's text in a terminal: visible characters, one line, cut."""
    seen = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in text[: _LONGEST * 4])
    words = " ".join(seen.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
