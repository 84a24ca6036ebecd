"""Notices: what happened to a lease, for its thread."""

from bot.domain.lease import Lease
from bot.domain.notice import Notice, NoticeKind
from bot.domain.problem import Facts
from handlers.words.checks import checked_words, checklist_summary
from handlers.words.data import clean_words
from handlers.words.disks import kept_words
from handlers.words.ending import direct_words, ends_soon_words, stopped_at_end_words, wants_words
from handlers.words.figures import dollars, hourly, machine, moment, span, where
from handlers.words.home import ADD_A_KEY
from handlers.words.job_notices import JOB_KINDS, job_notice_words
from handlers.words.problems import problem_sentence
from handlers.words.receipt import receipt_words
from handlers.words.run_notices import RUN_KINDS, run_notice_words
from handlers.words.text import plain
from handlers.words.use import idle_words, moment_of

_K = NoticeKind


def notice_words(notice: Notice, lease: Lease) -> str:
    """The sentence for a notice; names the lease, since a thread's reply may be read elsewhere."""
    if notice.kind in JOB_KINDS:
        return job_notice_words(notice, lease)
    if notice.kind in RUN_KINDS:
        return run_notice_words(notice, lease)
    name, owner, facts = f"*{lease.name}*", f"<@{lease.owner}>", notice.facts
    problem = problem_sentence(lease.problem, lease) if lease.problem is not None else ""
    match notice.kind:
        case _K.LEASE_READY:
            ends = f" until {moment(lease.ends_at)}" if lease.ends_at else ""
            said = f"{owner} {name} is ready{ends}: {machine(lease.offer)}. {_how_to_log_in(facts, lease)}"
            return f"{said}\n{checklist_summary(lease.checklist)}" if lease.checklist is not None else said
        case _K.CARD_ELSEWHERE:
            card = f"<{facts['link']}|the card of {name}>" if facts.get("link") else f"the card of {name}"
            return (
                f"I may not post in <#{facts.get('asked_in')}>, so {card} is in the team's channel for them. "
                "After `/invite @gpubot` there, the next one comes to where it is asked for."
            )
        case _K.CHECKED:
            return f"<@{facts.get('by')}> {checked_words(lease)}"
        case _K.IDLE:
            return idle_words(facts, lease)
        case _K.KEPT_QUIET:
            return f"<@{facts.get('by')}> keeps {name}: no idle reminders until {moment_of(facts.get('until'))}."
        case _K.FOUND_CLEAN:
            return f"{wants_words(facts, lease)} {clean_words(facts, keeps_disk=lease.keeps_disk)}"
        case _K.RECEIPT:
            return receipt_words(facts, lease)
        case _K.LEASE_UNFIT:
            return f"{owner} {name} is not fit to hand over. {problem}"
        case _K.LEASE_FAILED:
            return f"{owner} {name}: no machine came about. {problem}"
        case _K.NEXT_OFFER:
            return f"{name}: sold out there; trying {where(lease.offer)} at the same price."
        case _K.WENT_DOWN:
            return f"{owner} {name}: {problem}"
        case _K.STOPPED:
            rate = hourly(lease.offer.stopped_microusd_per_hour)
            return f"{name} is stopped. Its disks are kept for {rate}. A stop is not a release."
        case _K.START_REFUSED:
            return f"{owner} {name} could not be started. {problem}"
        case _K.STARTED:
            return f"{name} runs again. Its address may have changed: `/gpu ssh {lease.name}`."
        case _K.EXTENDED:
            added = dollars(_whole(facts.get("added_microusd")))
            ends = f" until {moment(lease.ends_at)}" if lease.ends_at else ""
            return f"<@{facts.get('by')}> extended {name} by {span(_whole(facts.get('by_s')))}{ends}, {added} more."
        case _K.KEPT_ANYWAY:
            return f"<@{facts.get('by')}> keeps {name} as it is."
        case _K.RELEASE_STUCK:
            return f"{owner} {name}: the release is stuck and the machine may still bill. {problem}"
        case _K.RELEASED if facts.get("cancelled"):
            return f"{name} is cancelled. No machine came about; nothing is billed."
        case _K.RELEASED:
            return f"{name} is released: the provider no longer has it. It cost {_cost(facts.get('cost_microusd'))} in all."
        case _K.DISK_KEPT:
            return f"{owner} {kept_words(facts, lease.name)}"
        case _K.DISK_LOST:
            return (
                f"<@{facts.get('owner') or lease.owner}> The disk *{plain(str(facts.get('disk')))}*, last on {name}, is gone: "
                "the provider's complete list no longer has it, and I did not delete it. It bills no more and cost "
                f"{_cost(facts.get('cost_microusd'))} in all; the provider's console may say what became of it."
            )
        case _K.DISK_TOUCHED:
            return (
                f"<@{facts.get('owner') or lease.owner}> Something that is not mine has the disk "
                f"*{plain(str(facts.get('disk')))}*, last on {name}: what is on it may change. A question about it is over, and "
                "nothing is deleted; look in the provider's console what it is."
            )
        case _K.DISK_DELETED:
            return f"The disk *{plain(str(facts.get('disk')))}*, last on {name}, is deleted by the yes of <@{facts.get('by')}>."
        case _K.VANISHED:
            return f"{owner} {name}: {problem} It cost {_cost(facts.get('cost_microusd'))} in all."
        case _K.HOST_KEY_CHANGED:
            return f"{owner} {name}: {problem}"
        case _K.ENDS_SOON:
            return ends_soon_words(notice.facts, lease)
        case _K.STOPPED_AT_END:
            return stopped_at_end_words(notice.facts, lease)
        case _K.OWNER_ASKED | _K.SIGN_REFUSED | _K.SIGNS_CONTRADICT:
            return direct_words(notice, lease)
        case _K.ENDED:
            rate = hourly(lease.offer.price_microusd_per_hour)
            return (
                f"{owner} {name} is past its end and still costs {rate}. Extend it, stop it or release it on its card."
            )
        case other:
            return f"{name}: {plain(other)}"


def _how_to_log_in(facts: Facts, lease: Lease) -> str:
    """Somebody new is told what is missing, once; later `ssh` says so when it is asked."""
    if facts.get("needs_key"):
        return (
            f"To log in I need your public key first: {ADD_A_KEY}. It is put on the machine at once; then "
            f"`/gpu ssh {lease.name}` shows how."
        )
    return f"`/gpu ssh {lease.name}` shows how to log in."


def _whole(value: object) -> int:
    return int(value) if isinstance(value, int | float) else 0


def _cost(value: object) -> str:
    return dollars(_whole(value))
