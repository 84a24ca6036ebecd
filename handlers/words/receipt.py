"""The receipt of a lease, in words."""

from collections.abc import Iterator, Mapping
from typing import Final

from bot.domain.instance import Keeps
from bot.domain.lease import Lease, LeaseState
from bot.domain.problem import Facts
from handlers.words.data import data_lines
from handlers.words.figures import dollars, machine, span
from handlers.words.text import plain
from handlers.words.use import moment_of

_YES: Final[Mapping[str, str]] = {
    "release-approved": "approved the release",
    "keep-anyway": "took it although a check had failed",
    "extend": "made it longer",
    "rent-approved": "approved the rent",
}
_BILLS: Final[Mapping[str, str]] = {
    Keeps.NOTHING: "Nothing of it bills any more.",
    Keeps.DATA: "Its data disk is kept, and *bills on* until it is deleted at the provider.",
    Keeps.ALL: "Its disks are kept, and *bill on* until they are deleted at the provider.",
}


def receipt_words(facts: Facts, lease: Lease) -> str:
    """Money, time and use, what became of the data, who said yes to what, what still bills."""
    return "\n".join(
        (
            f"Receipt for *{lease.name}* ({machine(lease.offer)}, <@{lease.owner}>)",
            _money(facts),
            _time(facts),
            *(f"• {line}" for line in data_lines(facts)),
            *_consents(facts),
            _bills(facts, lease),
        )
    )


def _money(facts: Facts) -> str:
    quote, cost = _whole(facts, "quote_microusd"), _whole(facts, "cost_microusd")
    off = quote - cost
    compared = "as quoted" if off == 0 else f"{dollars(abs(off))} {'less' if off > 0 else 'more'} than quoted"
    return f"• Cost {dollars(cost)}, quoted {dollars(quote)}: {compared}"


def _time(facts: Facts) -> str:
    line = f"• Ran {span(_number(facts, 'running_s'))}"
    if _number(facts, "stopped_s"):
        line += f", stopped {span(_number(facts, 'stopped_s'))}"
    busy_s, idle_s, unknown_s = (_number(facts, f"{name}_s") for name in ("busy", "idle", "unknown"))
    seen_s = busy_s + idle_s + unknown_s
    if seen_s < 1:
        return f"{line}; its use was not looked at for long enough to say anything"
    shares = f"busy {busy_s / seen_s:.0%}, idle {idle_s / seen_s:.0%}"
    not_known = f", not known {unknown_s / seen_s:.0%}" if unknown_s else ""
    return f"{line}; of the {span(seen_s)} that were looked at: {shares}{not_known}".replace("%", " %")


def _consents(facts: Facts) -> Iterator[str]:
    for entry in str(facts.get("consents") or "").split():
        by, _, rest = entry.partition(":")
        what, _, stamp = rest.rpartition(":")
        when = moment_of(int(stamp)) if stamp.isdecimal() else "at some time"
        yield f"• <@{plain(by)}> {_YES.get(what, plain(what))}, {when}"


def _bills(facts: Facts, lease: Lease) -> str:
    if lease.state is LeaseState.VANISHED:
        return "• It ended without my doing. Look in the provider's console whether a disk of it still bills."
    if lease.keeps_disk:
        return "• Its data disk is kept, and *bills on* by itself: `/gpu disks`."
    return f"• {_BILLS.get(str(facts.get('keeps')), 'Whether a disk of it still bills is not known here: look at the provider.')}"


def _whole(facts: Facts, name: str) -> int:
    value = facts.get(name)
    return int(value) if isinstance(value, int | float) else 0


def _number(facts: Facts, name: str) -> float:
    value = facts.get(name)
    return float(value) if isinstance(value, int | float) else 0.0
