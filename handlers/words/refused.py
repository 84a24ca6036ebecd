"""Why something is refused, and what to do instead: the catalogue of reasons."""

from collections.abc import Callable, Mapping
from datetime import datetime

from bot.domain.near import near
from bot.domain.offers import Offer
from bot.domain.policy import Denial
from bot.errors import Refused
from handlers.words.drops import REFUSALS as OF_DROPS
from handlers.words.figures import dollars, hourly, machine, moment, span
from handlers.words.paths import path_words, size_words
from handlers.words.question import NO_ARCHIVE
from handlers.words.text import as_code, listed, plain

Facts = Mapping[str, object]
MOST_KNOWN = 12
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
    return f"There is no lease {as_code(str(facts.get('name')))}.{_guess(facts)} `/gpu status all` lists them."


def _guess(facts: Facts) -> str:
    meant = [as_code(str(name)) for name in _tuple(facts.get("near"))]
    return f" Did you mean {listed(meant, 'or')}?" if meant else ""


def _jobs_meant(facts: Facts) -> str:
    titled = zip(_tuple(facts.get("near")), _tuple(facts.get("numbers")), strict=True)
    meant = [f"{_job(facts, number)} ({as_code(str(title))})" for title, number in titled]
    return f" Did you mean {listed(meant, 'or')}?" if meant else ""


def _there_is(facts: Facts, asked: str) -> str:
    """What there is instead of ``asked``, the likeliest first."""
    meant = near(asked, [str(name) for name in _tuple(facts.get("known"))])
    known = [as_code(str(name)) for name in _tuple(facts.get("known"))]
    shown = known if len(known) <= MOST_KNOWN else [*known[:MOST_KNOWN], f"{len(known) - MOST_KNOWN} more"]
    return _guess({"near": meant}) + (f" There {'is' if len(shown) == 1 else 'are'} {listed(shown)}." if shown else "")


def _no_match(facts: Facts) -> str:
    offers = [o for o in _tuple(facts.get("instead")) if isinstance(o, Offer)]
    lines = [f"{machine(o)} at {o.provider} for {hourly(o.price_microusd_per_hour)}" for o in offers]
    instead = f" What comes closest: {listed(lines, 'or')}." if lines else ""
    return f"Nothing on offer matches that.{instead} `/gpu offers` shows everything."


def _sold_out(facts: Facts) -> str:
    offers = [o for o in _tuple(facts.get("instead")) if isinstance(o, Offer)]
    lines = [f"{machine(o)} for {hourly(o.price_microusd_per_hour)}" for o in offers]
    instead = f" In stock and no smaller: {listed(lines, 'or')}." if lines else ""
    return f"That is sold out just now; nothing was rented.{instead}"


def _which(facts: Facts) -> str:
    names = [str(name) for name in _tuple(facts.get("names"))]
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


def _job(facts: Facts, number: object) -> str:
    return as_code(f"{facts.get('name')}/{number}")


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


def _size(value: object) -> str:
    return size_words(value) if isinstance(value, int) else "the limit"


def _disk_in_use(facts: Facts) -> str:
    disk, lease = as_code(str(facts.get("disk"))), as_code(str(facts.get("lease")))
    if facts.get("is_asked"):
        return f"Whether the disk {disk} is deleted is being asked. ❌ on its question, then it can be had again."
    if facts.get("state") in ("attached", "leaving"):
        return f"The disk {disk} is on {lease} now; it is free again when that machine is released."
    return f"The disk {disk} is {plain(str(facts.get('state')))} now."


def _path(facts: Facts) -> str:
    path = facts.get("path")
    return path_words(path, 120) if isinstance(path, bytes) else "That"


def _tuple(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


def _microusd(value: object) -> str:
    return dollars(value) if isinstance(value, int) else "the limit"


def _seconds(value: object) -> str:
    return span(value) if isinstance(value, int | float) else "the limit"


_REFUSALS: Mapping[str, Callable[[Facts], str]] = {
    **{denial: _denial(denial) for denial in Denial},
    **OF_DROPS,
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
        f"There is no provider {as_code(str(f.get('provider')))} here." + _there_is(f, str(f.get("provider")))
    ),
    "no-such-region": lambda f: (
        f"No machine is in a region {as_code(str(f.get('region')))}." + _there_is(f, str(f.get("region")))
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
    "no-archive": lambda _: NO_ARCHIVE,
    "saving-now": lambda f: (
        f"{as_code(str(f.get('name')))} is being saved to the archive just now. Wait for that, or press ❌ first."
    ),
    "save-needs-running": lambda f: (
        f"{as_code(str(f.get('name')))} is *{str(f.get('state')).replace('_', ' ')}*, so nothing can be copied from it. "
        f"Start it first: `/gpu start {f.get('name')}`."
    ),
    "no-such-disk": lambda f: (
        f"There is no kept disk {as_code(str(f.get('name')))}.{_guess(f)} `/gpu disks` lists yours."
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
        f"Of which machine? The archive holds {listed([as_code(str(n)) for n in _tuple(f.get('names'))]) or 'nothing of yours'}. "
        "It is written `/gpu fetch NAME PATH`."
    ),
    "sync-under-way": lambda f: (
        f"{as_code(str(f.get('name')))} is being copied already; the message in its thread tells how far."
    ),
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
    "cannot-run-now": lambda f: (
        f"{as_code(str(f.get('name')))} is *{str(f.get('state')).replace('_', ' ')}* now; jobs run on machines that are ready. "
        "Its card says what can be done."
    ),
    "too-many-jobs": lambda f: (
        f"{as_code(str(f.get('name')))} runs {f.get('most')} jobs already, the most that I look after on one machine."
    ),
    "no-job": lambda _: "That job is not known here.",
    "no-such-job": lambda f: (
        f"{as_code(str(f.get('name')))} has no job {f.get('number')}. "
        + (f"The latest is {_job(f, f.get('latest'))}; " if f.get("latest") else "")
        + f"`/gpu jobs {f.get('name')}` lists them."
    ),
    "no-job-called": lambda f: (
        f"{as_code(str(f.get('name')))} has no job called {as_code(str(f.get('title')))}."
        + _jobs_meant(f)
        + f" `/gpu jobs {f.get('name')}` lists them."
    ),
    "no-such-metric": lambda f: (
        f"`{plain(str(f.get('name')))}/{f.get('number')}` has no metric {as_code(str(f.get('metric')))}."
        + (_there_is(f, str(f.get("metric"))) or " It has none that I know yet.")
    ),
    "no-curve-yet": lambda f: (
        f"`{plain(str(f.get('name')))}/{f.get('number')}` has nothing to draw in that: no metrics that I know, or none so late."
    ),
    "no-job-yet": lambda f: (
        f"{as_code(str(f.get('name')))} has had no jobs yet. `/gpu run {f.get('name')} -- COMMAND` starts one."
    ),
    "no-live-job": lambda f: f"No job runs on {as_code(str(f.get('name')))}.",
    "which-job": lambda f: (
        f"Several jobs run: {listed([_job(f, number) for number in _tuple(f.get('numbers'))])}. "
        f"Say which one, as in `/gpu kill {f.get('name')}/{_tuple(f.get('numbers'))[0]}`."
    ),
    "job-over": lambda f: f"{_job(f, f.get('number'))} has ended already.",
    "job-fits": lambda f: f"{_job(f, f.get('number'))} fits its lease by now, or has ended; nothing was extended.",
    "after-failed": lambda f: (
        f"{_job(f, f.get('number'))} did not end well, so nothing begins after it. Leave `after=` out, or start that one again."
    ),
    "no-such-secret": lambda f: (
        f"You keep no secret {listed([as_code(str(name)) for name in _tuple(f.get('names'))])}.{_guess(f)} "
        f"`/gpu secret set {next(iter(_tuple(f.get('names'))), 'NAME')}` asks for its value where nobody else sees it; "
        "`/gpu secret list` names those that you keep."
    ),
    "bad-secret": lambda f: (
        f"A secret has {f.get('least')} characters at least, or it could not be kept out of what jobs print, and "
        f"{f.get('most'):,} at most."
    ),
    "too-many-secrets": lambda f: f"{f.get('most')} secrets are the most that I keep for a person. Remove one first.",
    "bad-git": lambda f: (
        f"{as_code(str(f.get('url')))} is no address of a repository. It is written `git=https://github.com/you/code@main`."
    ),
}
