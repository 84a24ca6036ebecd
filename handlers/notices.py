"""Notices as Block Kit: words, and buttons on those that ask for something."""

from slack_sdk.models.blocks import Block

from bot.domain.lease import Lease
from bot.domain.notice import Notice, NoticeKind
from handlers.action_ids import ActionId
from handlers.blocks import Message, actions, button, section
from handlers.extending import extend_buttons, extend_for_job
from handlers.words.notices import notice_words


def notice_message(notice: Notice, lease: Lease) -> Message:
    """What a notice looks like."""
    words = notice_words(notice, lease)
    match notice.kind:
        case NoticeKind.IDLE:
            return Message(words, (section(words), *_idle_buttons(notice, lease)))
        case NoticeKind.ENDS_SOON:
            return Message(words, (section(words), *_end_buttons(lease)))
        case NoticeKind.OWNER_ASKED:
            return Message(words, (section(words), *_answers(notice)))
        case NoticeKind.RUN_WILL_NOT_FIT:
            longer = extend_for_job(str(notice.facts.get("job")), lease, int(notice.facts.get("missing_s") or 0))
            return Message(words, (section(words), *actions(longer)))
        case _:
            return Message(words)


def _idle_buttons(notice: Notice, lease: Lease) -> tuple[Block, ...]:
    """Only what the provider can. Pressed later, each says what it still can do."""
    keep = button(ActionId.LEASE_KEEP_QUIET, "Keep 1 h", lease.id)
    stop = (button(ActionId.LEASE_STOP, "Stop", lease.id),) if notice.facts.get("can_stop") else ()
    release = button(ActionId.LEASE_RELEASE, "Release", lease.id, style="danger")
    return actions(keep, *stop, release)


def _end_buttons(lease: Lease) -> tuple[Block, ...]:
    return actions(*extend_buttons(lease), button(ActionId.LEASE_RELEASE, "Release", lease.id, style="danger"))


def _answers(notice: Notice) -> tuple[Block, ...]:
    """The same as under the question; what cannot be done is said when it is pressed."""
    question_id = str(notice.facts.get("question"))
    if notice.facts.get("disk"):
        return actions(
            button(ActionId.QUESTION_YES, "✅ Delete it and lose it", question_id, style="danger"),
            button(ActionId.QUESTION_NO, "❌ Keep it", question_id),
        )
    return actions(
        button(ActionId.QUESTION_YES, "✅ Release and lose it", question_id, style="danger"),
        button(ActionId.QUESTION_SAVE, "💾 Save, verify, then release", question_id),
        button(ActionId.QUESTION_NO, "❌ Keep it", question_id),
    )
