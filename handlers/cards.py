"""Living messages as Block Kit: the lease's card, the question before a release, the quote."""

from collections.abc import Iterable
from typing import assert_never

from slack_sdk.models.blocks import Block, ButtonElement

from bot.domain.jobs.view import JobView
from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.living import Subject
from bot.domain.question import Cause, QuestionState
from bot.domain.views import DiskQuestionView, LeaseView, QuestionView, QuoteView, SyncView, View
from handlers.action_ids import ActionId
from handlers.blocks import Message, actions, button, context, section
from handlers.extending import extend_buttons
from handlers.job_message import job_message
from handlers.words.card import card_lines, card_text, small_print
from handlers.words.checks import checklist_words
from handlers.words.disk_question import (
    disk_question_details,
    disk_question_is_open,
    disk_question_small_print,
    disk_question_words,
    disk_yes_label,
)
from handlers.words.question import (
    can_save,
    question_details,
    question_is_open,
    question_small_print,
    question_words,
    yes_label,
)
from handlers.words.quote import quote_is_open, quote_small_print, quote_words
from handlers.words.sync import sync_words

_S = LeaseState


def message_of(view: View) -> Message:
    """What a view looks like."""
    match view:
        case LeaseView():
            return _card(view)
        case QuestionView():
            return _question(view)
        case SyncView():
            return Message(sync_words(view), [section(sync_words(view))])
        case QuoteView():
            return _quote(view)
        case DiskQuestionView():
            return _disk_question(view)
        case JobView():
            return job_message(view)
        case unreachable:
            assert_never(unreachable)


def subject_of(view: View) -> tuple[Subject, str]:
    """What a view is about, for the message's metadata."""
    match view:
        case LeaseView():
            return Subject.LEASE, view.lease.id
        case QuestionView() | DiskQuestionView():
            return Subject.QUESTION, view.question.id
        case SyncView():
            return Subject.SYNC, view.run.id
        case QuoteView():
            return Subject.QUOTE, view.quote.id
        case JobView():
            return Subject.JOB, view.job.id
        case unreachable:
            assert_never(unreachable)


def _card(view: LeaseView) -> Message:
    lease = view.lease
    blocks: list[Block] = [section("\n".join(card_lines(view)))]
    if lease.state is _S.UNFIT and lease.checklist is not None:
        blocks.append(section(checklist_words(lease.checklist)))
    blocks += actions(*lease_buttons(view))
    blocks.append(context(small_print(view)))
    return Message(card_text(view), blocks)


def lease_buttons(view: LeaseView) -> Iterable[ButtonElement]:
    """Those of a card: only what makes sense now."""
    lease = view.lease
    if not lease.is_live or lease.is_leaving:
        return
    if lease.want is Want.RELEASED:
        return
    if lease.state is _S.UNFIT:
        yield button(ActionId.LEASE_KEEP_ANYWAY, "Keep anyway", lease.id)
    if lease.state is _S.READY:
        yield button(ActionId.LEASE_SSH, "How to log in", lease.id)
    if lease.state in (_S.READY, _S.UNFIT, _S.STOPPED):
        yield button(ActionId.LEASE_EXTEND, "Extend 1 h", lease.id)
    can_stop = view.capabilities is not None and view.capabilities.can_stop
    if lease.state in (_S.READY, _S.UNFIT) and can_stop and lease.want is not Want.STOPPED:
        yield button(ActionId.LEASE_STOP, "Stop", lease.id)
    if lease.state is _S.STOPPED and lease.want is not Want.RUNNING:
        yield button(ActionId.LEASE_START, "Start", lease.id)
    yield button(ActionId.LEASE_RELEASE, _release_label(lease), lease.id, style="danger")


def _release_label(lease: Lease) -> str:
    return "Release" if lease.is_handed_over or lease.state is _S.UNFIT else "Cancel"


def _question(view: QuestionView) -> Message:
    blocks: list[Block] = [section(question_words(view))]
    blocks += [section(part) for part in question_details(view)]
    if question_is_open(view):
        blocks += actions(*_answers(view))
    blocks.append(context(question_small_print(view)))
    return Message(question_words(view), blocks)


def _answers(view: QuestionView) -> Iterable[ButtonElement]:
    """Only those that still can be given. Reactions with the same signs count alike."""
    question_id = view.question.id
    if view.question.state is QuestionState.OPEN:
        yield button(ActionId.QUESTION_YES, f"✅ {yes_label(view)}", question_id, style="danger")
        if can_save(view):
            yield button(ActionId.QUESTION_SAVE, "💾 Save, verify, then release", question_id)
    yield button(ActionId.QUESTION_NO, "❌ Keep it", question_id)
    if view.question.state is QuestionState.OPEN and view.question.cause is Cause.LEASE_END:
        yield from extend_buttons(view.lease)


def _disk_question(view: DiskQuestionView) -> Message:
    words, question_id = disk_question_words(view), view.question.id
    blocks: list[Block] = [section(words), *(section(part) for part in disk_question_details(view))]
    if disk_question_is_open(view):
        yes = button(ActionId.QUESTION_YES, f"✅ {disk_yes_label(view)}", question_id, style="danger")
        no = button(ActionId.QUESTION_NO, "❌ Keep it", question_id)
        blocks += actions(*((yes, no) if view.question.state is QuestionState.OPEN else (no,)))
    blocks.append(context(disk_question_small_print(view)))
    return Message(words, blocks)


def _quote(view: QuoteView) -> Message:
    blocks: list[Block] = [section(quote_words(view))]
    if quote_is_open(view):
        blocks += actions(*quote_buttons(view))
    blocks.append(context(quote_small_print(view)))
    return Message(quote_words(view), blocks)


def quote_buttons(view: QuoteView) -> Iterable[ButtonElement]:
    """Yes and no to an open quote."""
    yield button(ActionId.RENT_ACCEPT, "Rent", view.quote.id, style="primary")
    yield button(ActionId.RENT_DECLINE, "Not now", view.quote.id)
