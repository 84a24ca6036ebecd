"""What keeps a lease from what was wanted, and what helps."""

from collections.abc import Mapping

from bot.domain.lease import Lease
from bot.domain.problem import Problem
from handlers.words.figures import machine, span
from handlers.words.text import plain

_WHY: Mapping[str, str] = {
    "tcp": "its port does not take connections",
    "banner": "something answers, but not as an SSH server does",
    "handshake": "the SSH handshake fails",
    "session": "it opens no session",
}
_CODES: Mapping[str, str] = {
    "unreachable": "SSH does not answer",
    "login-refused": "SSH answers, but does not accept this lease's key",
    "step-timed-out": "SSH answers, but a short command did not end in time",
    "step-garbled": "SSH answers, but commands do not run as they should",
    "vendor-trouble": "the provider fails or does not answer",
    "rate-limited": "the provider asks for fewer calls",
    "credentials": "the provider does not accept the team's key",
    "not-allowed": "the provider does not allow it",
    "bad-request": "the provider calls the request malformed",
    "listing-incomplete": "the provider's list of machines is incomplete",
    "no-such-provider": "its provider is not set up any more",
}


def why(code: str, detail: object = "") -> str:
    """An error's code as half a sentence, with the vendor's own words behind it."""
    said = plain(str(detail or ""))
    known = _CODES.get(code, "something unexpected came back")
    return f"{known} ({said})" if said else known


def problem_sentence(problem: Problem, lease: Lease) -> str:
    """What is wrong and what to do, in one or two sentences."""
    facts, name = problem.facts, lease.name
    detail = plain(str(facts.get("detail") or ""))
    match problem.code:
        case "no-capacity":
            return (
                f"{machine(lease.offer)} is sold out at {lease.offer.provider} just now; nothing was rented and "
                "nothing is billed. `/gpu offers` shows what can be had."
            )
        case "quota":
            return (
                f"The account at {lease.offer.provider} may not have more ({detail}). Nothing was rented. "
                "An admin can raise the quota or the balance there."
            )
        case "credentials":
            return (
                f"{lease.offer.provider} does not accept the team's key. Nothing was rented. "
                "An admin has to set a valid one."
            )
        case "not-allowed":
            return f"{lease.offer.provider} does not allow this rent ({detail}). Nothing was rented."
        case "bad-request":
            return (
                f"{lease.offer.provider} calls the request malformed ({detail}). Nothing was rented. "
                "This is a fault of gpubot: please report it."
            )
        case "launch-trouble":
            return (
                f"No machine yet: {why(str(facts.get('code')), facts.get('detail'))}. I keep trying; "
                f"`/gpu release {name}` cancels."
            )
        case "launch-gave-up":
            return f"Given up: {why(str(facts.get('code')), facts.get('detail'))}. Nothing is billed."
        case "never-booted":
            return (
                f"The provider has not got it running within {span(_number(facts.get('after_s')))}. It may be billed. "
                "I keep looking; release it and rent another if you cannot wait."
            )
        case "no-login":
            return f"It runs at the provider, but {_no_login(facts)}. I keep trying; release it if you cannot wait."
        case "host-key-changed":
            return (
                "It shows another host key than the one on record, so somebody else may be answering there. "
                "I do not log in. If you did not reinstall it, release it."
            )
        case "checklist":
            return "It runs and answers, but a check failed (below). *Keep anyway* takes it as it is."
        case "vendor-failed":
            return f"The provider says that it failed ({detail}). It will not run any more; release it."
        case "went-down":
            return (
                f"It went down by itself; its disks are kept. `/gpu start {name}` boots it again, "
                f"`/gpu release {name}` ends it."
            )
        case "no-gpu-at-start":
            return (
                "Its GPU was given to somebody else while it was stopped; its disks are kept. "
                f"Try `/gpu start {name}` later, or rent another."
            )
        case "not-seen":
            since = facts.get("since")
            seen = f" since <!date^{since}^{{time}}|a while ago>" if since else ""
            return f"Not seen{seen}: {why(str(facts.get('code')))}. Nothing is taken for gone; I keep looking."
        case "unknown-state":
            return f"The provider says `{plain(str(facts.get('vendor_state')))}`, a word I do not know. I keep looking."
        case "release-refused":
            return (
                f"The provider has not taken the release: {why(str(facts.get('code')), facts.get('detail'))}. "
                "It still bills. I keep trying."
            )
        case "release-slow":
            return (
                "The provider took the release, but still shows the machine; it may still bill. "
                "I keep looking; if this lasts, end it in the provider's console."
            )
        case "release-unproven":
            return (
                "The provider took the release and no longer shows the machine, but its list is incomplete, so I cannot "
                "be sure that it is gone. I keep looking."
            )
        case "vanished":
            return (
                "It is gone at the provider, and not by my release: ended in its console, reclaimed, or out of "
                "money. The meter is frozen. What was only on its disk is lost."
            )
        case _:
            return f"Something is wrong with it (`{plain(problem.code)}`)."


def _no_login(facts: Mapping[str, object]) -> str:
    fault = str(facts.get("fault") or "")
    if fault == "unreachable":
        stage = str(facts.get("detail") or "").split(":", 1)[0]
        return _WHY.get(stage, _CODES["unreachable"])
    return why(fault, facts.get("detail"))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
