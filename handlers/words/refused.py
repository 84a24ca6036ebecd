"""Why something is refused, and what to do instead: the catalogue of reasons."""

from collections.abc import Callable
from typing import Final

from bot.domain.offers import Offer
from bot.domain.policy import Denial
from bot.errors import Refused
from handlers.words.drops import REFUSALS as OF_DROPS
from handlers.words.figures import dollars, hourly, machine, span, where
from handlers.words.refusal_facts import Catalogue, Facts, guess, many, there_is
from handlers.words.refused_data import REFUSALS as OF_DATA
from handlers.words.refused_jobs import REFUSALS as OF_JOBS
from handlers.words.text import as_code, listed, plain

_LONGEST_EXAMPLE = 120


def refusal_words(refused: Refused) -> str:
    """The sentence for a wish that is not fulfilled."""
    say = _REFUSALS.get(refused.reason)
    return say(refused.facts) if say is not None else f"That cannot be done (`{plain(refused.reason)}`)."


def _denial(denial: Denial) -> Callable[[Facts], str]:
    def say(facts: Facts) -> str:
        owner = f"<@{facts['owner']}>" if facts.get("owner") else "its owner"
        match denial:
            case Denial.OTHER_WORKSPACE:
                return "I work for another workspace only."
            case Denial.GUEST:
                return "Guests cannot use gpubot. Ask a full member of this workspace to rent for you."
            case Denial.DEACTIVATED:
                return "Your account is deactivated, so I do nothing for it."
            case Denial.BOT:
                return "I do not take commands from bots."
            case Denial.CHANNEL:
                return "The team's policy does not allow gpubot in this channel. `/gpu policy` in an allowed one says where."
            case Denial.NOT_MEMBER:
                return "You are not on the team's list of members in the policy. An admin can add you."
            case Denial.NOT_OWNER if facts.get("lists"):
                return f"Only {owner} or an approver can see what is on this machine."
            case Denial.NOT_OWNER if facts.get("destroys"):
                return f"Only {owner} or an approver can have this machine released."
            case Denial.NOT_OWNER if facts.get("disk"):
                return f"Only {owner} or an approver can do that with the disk {as_code(str(facts.get('name')))}."
            case Denial.NOT_OWNER if facts.get("fetches"):
                return f"Only {owner} or an approver can get what the archive holds of that machine."
            case Denial.NOT_OWNER if facts.get("shows_less"):
                return f"Only {owner} or an approver can leave something out of what is asked about before a release."
            case Denial.NOT_OWNER:
                return f"Only {owner} (or, where nothing is shown in secret, an approver or admin) can do that."
            case Denial.NOT_APPROVER:
                return "Only an approver can do that."

    return say


def _near(facts: Facts) -> str:
    return f"There is no lease {as_code(str(facts.get('name')))}.{guess(facts)} `/gpu status all` lists them."


def _no_match(facts: Facts) -> str:
    lines = _offers(facts.get("instead"))
    instead = f" What comes closest: {listed(lines, 'or')}." if lines else ""
    return f"Nothing on offer matches that.{instead} `/gpu offers` shows everything."


def _sold_out(facts: Facts) -> str:
    said = "That is sold out just now; nothing was rented."
    if lines := _offers(facts.get("instead")):
        return f"{said} In stock and no smaller: {listed(lines, 'or')}."
    if lines := _offers(facts.get("smaller")):
        return f"{said} Nothing as big is in stock. What comes closest has fewer GPUs or less memory: {listed(lines, 'or')}."
    return said


def _offers(offers: object) -> list[str]:
    """Each with its place: the same machine may be had at several."""
    found = (offer for offer in many(offers) if isinstance(offer, Offer))
    return [f"{machine(o)} at {where(o)} for {hourly(o.price_microusd_per_hour)}" for o in found]


def _which(facts: Facts) -> str:
    names = [str(name) for name in many(facts.get("names"))]
    rest = str(facts.get("rest") or "")
    example = as_code(f"/gpu {facts.get('verb')} {names[0]}{' ' if rest else ''}{rest}", _LONGEST_EXAMPLE)
    return (
        f"You have {len(names)} machines: {listed([as_code(name) for name in names])}. Say which one, as in {example}."
    )


def _not_now(facts: Facts) -> str:
    return (
        f"{as_code(str(facts.get('name')))} is *{str(facts.get('state')).replace('_', ' ')}* now, "
        f"so there is nothing to {facts.get('verb')}. Its card says what can be done."
    )


def _microusd(value: object) -> str:
    return dollars(value) if isinstance(value, int) else "the limit"


def _seconds(value: object) -> str:
    return span(value) if isinstance(value, int | float) else "the limit"


_REFUSALS: Final[Catalogue] = {
    **{denial: _denial(denial) for denial in Denial},
    **OF_DATA,
    **OF_DROPS,
    **OF_JOBS,
    "no-such-lease": _near,
    "no-lease": lambda _: (
        "You have no machine. `/gpu rent cpu 1h` rents a small one; `/gpu offers` shows what there is."
    ),
    "which-lease": _which,
    "name-taken": lambda f: f"There is a live lease called {as_code(str(f.get('name')))} already. Choose another name.",
    "lease-over": lambda f: f"{as_code(str(f.get('name')))} is over ({str(f.get('state')).replace('_', ' ')}).",
    "lease-too-long": lambda f: f"The team's policy allows leases of up to {_seconds(f.get('longest_s'))}.",
    "no-such-offer": _no_match,
    "disk-too-large": lambda f: f"The largest disk that such a machine can have is {f.get('most_gib'):,} GiB.",
    "sold-out": _sold_out,
    "dearer-than-shown": lambda f: (
        f"That comes to {_microusd(f.get('quote_microusd'))} in whole, more than was shown; nothing was rented."
    ),
    "no-such-provider": lambda f: (
        f"There is no provider {as_code(str(f.get('provider')))} here." + there_is(f, str(f.get("provider")))
    ),
    "no-such-region": lambda f: (
        f"No machine is in a region {as_code(str(f.get('region')))}." + there_is(f, str(f.get("region")))
    ),
    "no-offers-yet": lambda _: (
        "I have no price list yet: the providers have not answered. Please try again in a minute."
    ),
    "quote-answered": lambda _: "That offer was answered already.",
    "quote-expired": lambda _: "That offer is more than an hour old and prices change. Please type the command again.",
    "quote-not-yours": lambda f: f"Only <@{f.get('owner')}> or an approver can answer that.",
    "quote-needs-approver": lambda f: f"Above {_microusd(f.get('limit_microusd'))} only an approver's press counts.",
    "extend-needs-approver": lambda f: (
        f"That would bring the lease to {_microusd(f.get('whole_microusd'))} in whole. "
        f"Above {_microusd(f.get('limit_microusd'))} only an approver can extend it."
    ),
    "until-is-past": lambda f: f"{as_code(str(f.get('name')))} already lasts longer than that.",
    "cannot-stop": lambda f: (
        f"{plain(str(f.get('provider')))} cannot stop machines: they run until they are released. "
        f"`/gpu release {f.get('name')}` ends it."
    ),
    "stopped-already": lambda f: f"{as_code(str(f.get('name')))} is stopped or stopping already.",
    "not-now": _not_now,
    "leaving": lambda f: (
        f"{as_code(str(f.get('name')))} is being released. ❌ on its question takes that back while it can be."
    ),
    "no-address-yet": lambda f: (
        f"{as_code(str(f.get('name')))} is *{str(f.get('state')).replace('_', ' ')}* now; there is nothing to log in to."
    ),
    "no-key-for-ssh": lambda f: (
        f"You have no key here yet, so you could not log in to {as_code(str(f.get('name')))}. Add your public key: "
        "`/gpu key add ssh-ed25519 AAAA…` (the line in `~/.ssh/id_ed25519.pub`); it is put on your machines at once."
    ),
    "too-many-keys": lambda f: f"{f.get('most')} keys are the most that I keep for a person. Remove one first.",
    "key-there-already": lambda f: f"You have that key already ({as_code(str(f.get('fingerprint')))}).",
    "no-such-key": lambda f: (
        f"You have no key {as_code(str(f.get('which')))}. `/gpu key list` numbers your {f.get('count')} key(s)."
    ),
    "bad-key": lambda f: (
        f"That is not a public key I can use: {plain(str(f.get('detail')))}. Send the line of your `.pub` file."
    ),
}
