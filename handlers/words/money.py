"""What was spent, in words. The sums that are shown add up to the cent."""

from typing import Final

from bot.domain.spending import Spending
from handlers.words.figures import dollars, machine, moment
from handlers.words.states import state_words

MOST_LINES: Final = 20


def spent(spending: Spending, whose: str) -> str:
    """The sum, then what it consists of: people where there are several, machines always."""
    when = f" since {moment(spending.since)}" if spending.since is not None else ""
    if not (spending.leases or spending.disks):
        return f"{whose} spent nothing{when}."
    lines = [f"{whose} spent *{dollars(spending.total_microusd)}*{when}."]
    people = spending.by_person
    if len(people) > 1:
        lines += [f"• <@{user}>: {dollars(sum_microusd)}" for user, sum_microusd in list(people.items())[:MOST_LINES]]
    lines += [
        f"• *{cost.lease.name}* ({machine(cost.lease.offer)}, {state_words(cost.lease)}): {dollars(cost.cost_microusd)}"
        for cost in spending.leases[:MOST_LINES]
    ]
    rest = spending.leases[MOST_LINES:]
    if rest:
        lines.append(f"• {len(rest)} more: {dollars(sum(cost.cost_microusd for cost in rest))}")
    lines += [
        f"• the kept disk *{cost.disk.name}* ({cost.disk.size_gib} GiB): {dollars(cost.cost_microusd)}"
        for cost in spending.disks[:MOST_LINES]
    ]
    more = spending.disks[MOST_LINES:]
    if more:
        lines.append(f"• {len(more)} more disks: {dollars(sum(cost.cost_microusd for cost in more))}")
    if any(cost.lease.offer.simulated for cost in spending.leases):
        lines.append("Machines marked as simulated bill nothing in truth.")
    return "\n".join(lines)
