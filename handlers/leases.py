"""The verbs that act on one lease, and `status`; typed or pressed."""

from bot.domain.commands import All, Extend, Person, Release, Ssh, Start, Status, Stop
from bot.domain.disk import Disk
from bot.domain.durations import whole_seconds
from bot.domain.lease import Lease
from bot.domain.question import Answer
from bot.errors import Refused
from handlers.desk import Asked, Desk
from handlers.extending import EXTEND_BY_S, EXTEND_LONG_BY_S
from handlers.words import replies
from handlers.words.disks import disk_answer
from handlers.words.jobs import jobs_that_end


def status(desk: Desk, asked: Asked, command: Status) -> str:
    """One's own machines, somebody's, everybody's, or one by name; in a thread, that thread's."""
    target = command.target
    match target:
        case str():
            lease = desk.find(asked.actor, target, asked.place)
            return replies.status_of_one(desk.read.one(lease.id))
        case Person(user):
            return replies.status(desk.read.status(user), f"<@{user}> has")
        case All():
            return replies.status(desk.read.status(None), "The team has")
        case None:
            if asked.place.thread_ts is not None:
                lease = desk.find(asked.actor, None, asked.place)
                return replies.status_of_one(desk.read.one(lease.id))
            return replies.status(desk.read.status(asked.actor.user), "You have")


def stop(desk: Desk, asked: Asked, command: Stop) -> str:
    """Halt it, keep its disks."""
    return _stopping(desk, desk.operate.stop(asked.actor, _meant(desk, asked, command.name).id))


def start(desk: Desk, asked: Asked, command: Start) -> str:
    """Boot it again."""
    return replies.starting(desk.operate.start(asked.actor, _meant(desk, asked, command.name).id))


def release(desk: Desk, asked: Asked, command: Release) -> str:
    """Ask whether it may go; before it was handed over: cancel."""
    lease = _meant(desk, asked, command.name)
    return replies.release_answer(desk.release.ask(asked.actor, lease.id, keep_disk=command.keep_disk), lease.name)


def extend(desk: Desk, asked: Asked, command: Extend) -> str:
    """A longer lease; ``until`` names its new end."""
    lease = _meant(desk, asked, command.name)
    by_s = command.duration.duration_s
    if command.duration.until is not None and lease.ends_at is not None:
        by_s = whole_seconds(max(lease.ends_at, asked.now), command.duration.until)
        if by_s <= 0:
            raise Refused("until-is-past", name=lease.name)
    return replies.extended(desk.operate.extend(asked.actor, lease.id, by_s, asked.delivery))


def ssh(desk: Desk, asked: Asked, command: Ssh) -> str:
    """How to log in."""
    return replies.access(desk.read.access(asked.actor, _meant(desk, asked, command.name).id))


def press_stop(desk: Desk, asked: Asked, lease_id: str) -> str:
    """*Stop* on a card."""
    return _stopping(desk, desk.operate.stop(asked.actor, lease_id))


def press_start(desk: Desk, asked: Asked, lease_id: str) -> str:
    """*Start* on a card."""
    return replies.starting(desk.operate.start(asked.actor, lease_id))


def press_extend(desk: Desk, asked: Asked, lease_id: str) -> str:
    """*Extend 1 h* on a card."""
    return replies.extended(desk.operate.extend(asked.actor, lease_id, EXTEND_BY_S, asked.delivery))


def press_extend_long(desk: Desk, asked: Asked, lease_id: str) -> str:
    """*Extend 4 h* on a reminder or a question."""
    return replies.extended(desk.operate.extend(asked.actor, lease_id, EXTEND_LONG_BY_S, asked.delivery))


def press_release(desk: Desk, asked: Asked, lease_id: str) -> str:
    """*Release* or *Cancel* on a card."""
    name = desk.read.one(lease_id).lease.name
    return replies.release_answer(desk.release.ask(asked.actor, lease_id), name)


def press_keep_anyway(desk: Desk, asked: Asked, lease_id: str) -> str:
    """*Keep anyway* on the card of an unfit machine."""
    return replies.kept_anyway(desk.operate.keep_anyway(asked.actor, lease_id))


def press_ssh(desk: Desk, asked: Asked, lease_id: str) -> str:
    """*How to log in* on a card."""
    return replies.access(desk.read.access(asked.actor, lease_id))


def press_answer(desk: Desk, asked: Asked, question_id: str, answer: Answer) -> str | None:
    """✅, 💾 or ❌ on a question, which itself shows the answer to everybody; or in a direct message about it."""
    became = desk.answers.answer(asked.actor, question_id, answer)
    if not asked.place.channel.startswith("D"):
        return None
    about = desk.questions.asked_about(question_id)
    return disk_answer(became, about.name) if isinstance(about, Disk) else replies.release_answer(became, about.name)


def _stopping(desk: Desk, lease: Lease) -> str:
    return " ".join(filter(None, (replies.stopping(lease), jobs_that_end(desk.jobs.live(lease.id), lease))))


def _meant(desk: Desk, asked: Asked, name: str | None) -> Lease:
    return desk.find(asked.actor, name, asked.place)
