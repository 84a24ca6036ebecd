"""Notices as Block Kit: words, and buttons on those that ask for something."""

from slack_sdk.models.blocks import Block

from bot.domain.lease import Lease
from bot.domain.notice import Notice, NoticeKind
from handlers.action_ids import ActionId
from handlers.blocks import Message, actions, button, section
from handlers.words.notices import notice_words


def notice_message(notice: Notice, lease: Lease) -> Message:
    """What a notice looks like."""
    words = notice_words(notice, lease)
    if notice.kind is not NoticeKind.IDLE:
        return Message(words)
    return Message(words, (section(words), *_idle_buttons(notice, lease)))


def _idle_buttons(notice: Notice, lease: Lease) -> tuple[Block, ...]:
    """Only what the provider can. Pressed later, each says what it still can do."""
    keep = button(ActionId.LEASE_KEEP_QUIET, "Keep 1 h", lease.id)
    stop = (button(ActionId.LEASE_STOP, "Stop", lease.id),) if notice.facts.get("can_stop") else ()
    release = button(ActionId.LEASE_RELEASE, "Release", lease.id, style="danger")
    return actions(keep, *stop, release)
