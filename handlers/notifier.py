"""The notifier port on Slack: living messages and notices, within Slack's budgets."""

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from http.client import HTTPException
from socket import gaierror
from threading import Lock
from typing import Any, Final
from urllib.error import URLError

import structlog
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.domain.jobs.view import JobView
from bot.domain.lease import Lease
from bot.domain.living import Subject
from bot.domain.notice import Audience, Notice
from bot.domain.places import MessageRef, Place
from bot.domain.question import Answer, QuestionState
from bot.domain.views import DiskQuestionView, QuestionView, View
from bot.errors import NotifierError, PictureRefused, SlackBusy, SlackUnsure
from handlers.blocks import Message
from handlers.budget import EDITS_PER_MINUTE, Budget
from handlers.cards import message_of, subject_of
from handlers.data import REACTIONS
from handlers.notices import notice_message
from handlers.slack_errors import DEFAULT_WAIT_S, SlackRefused, from_edit, from_post, reason_of
from handlers.words.curve import alt_text
from handlers.words.jobs import job_name, job_text
from handlers.words.question import can_save, question_is_open

log = structlog.get_logger()
EVENT_TYPE: Final = "gpubot_message"
LOOK_BACK: Final = 200
_OFFERED_AT_MOST: Final = 1000
_UNANSWERED: Final = (SlackClientError, OSError, HTTPException)
"""No answer, or half of one: what was asked may have been done."""


class SlackNotifier:
    """Posts, edits and finds messages. Thread-safe."""

    def __init__(
        self, client: WebClient, monotonic: Callable[[], float], edits_per_minute: float = EDITS_PER_MINUTE
    ) -> None:
        self._client = client
        self._budget = Budget(monotonic, edits_per_minute)
        self._offered: OrderedDict[tuple[MessageRef, str], None] = OrderedDict()
        self._lock = Lock()

    def post(self, view: View, place: Place) -> MessageRef:
        """Post a living message; a question is shown in the channel too, since it needs a person."""
        subject, subject_id = subject_of(view)
        metadata = {"event_type": EVENT_TYPE, "event_payload": {"subject": subject, "id": subject_id}}
        broadcast = isinstance(view, QuestionView | DiskQuestionView) and place.thread_ts is not None
        try:
            return self._post(place, message_of(view), metadata=metadata, reply_broadcast=broadcast)
        except SlackRefused as error:
            if (refused := _of_picture(view, error.reason)) is not None:
                raise refused from error
            raise

    def edit(self, view: View, message: MessageRef) -> None:
        """Make the message show the view."""
        self._budget.edits.take()
        self.invite_answers(view, message)
        payload = message_of(view).payload()
        try:
            self._client.chat_update(channel=message.channel, ts=message.ts, **payload)  # type: ignore[arg-type]
        except SlackApiError as error:
            raise self._spent(_of_picture(view, reason_of(error)) or from_edit(error)) from error
        except _UNANSWERED as error:
            raise SlackBusy(DEFAULT_WAIT_S) from error

    def upload(self, view: JobView, png: bytes) -> str:
        """Upload a picture that a message is to show."""
        return self._upload(view, png)

    def post_picture(self, view: JobView, png: bytes, place: Place) -> None:
        """Post a picture in a thread, with its words."""
        self._budget.posts(place.channel).take()
        self._upload(view, png, channel=place.channel, thread_ts=place.thread_ts, initial_comment=job_text(view))

    def find(self, subject: Subject, subject_id: str, place: Place, since: datetime) -> MessageRef | None:
        """A message of ours about the subject. Needs a history scope; without it nothing is ever found."""
        oldest = f"{since.timestamp():.6f}"
        try:
            if place.thread_ts is not None:
                page = self._client.conversations_replies(
                    channel=place.channel, ts=place.thread_ts, oldest=oldest, limit=LOOK_BACK, include_all_metadata=True
                )
            else:
                page = self._client.conversations_history(
                    channel=place.channel, oldest=oldest, limit=LOOK_BACK, include_all_metadata=True
                )
        except SlackApiError as error:
            if isinstance(busy := from_post(error), SlackBusy):
                raise busy from error
            log.info("message.cannot-look", channel=place.channel, reason=reason_of(error))
            return None
        except _UNANSWERED as error:
            raise SlackBusy(DEFAULT_WAIT_S) from error
        wanted = {"subject": str(subject), "id": subject_id}
        for message in page.get("messages") or ():
            metadata = message.get("metadata") or {}
            if metadata.get("event_type") == EVENT_TYPE and metadata.get("event_payload") == wanted:
                return MessageRef(place.channel, str(message["ts"]))
        return None

    def tell(self, notice: Notice, lease: Lease, about: MessageRef | None) -> None:
        """Say a notice in the lease's thread, or to one person directly."""
        if notice.audience is Audience.PERSON or about is None:
            pointed = notice.with_facts(link=self._link(about))
            self._post(Place(str(notice.facts.get("to") or lease.owner)), notice_message(pointed, lease))
            return
        broadcast = notice.audience is Audience.THREAD_AND_CHANNEL
        self._post(Place(about.channel, about.ts), notice_message(notice, lease), reply_broadcast=broadcast)

    def _link(self, message: MessageRef | None) -> str | None:
        """Where a message is read; words do without it."""
        if message is None:
            return None
        try:
            found = self._client.chat_getPermalink(channel=message.channel, message_ts=message.ts)
        except (SlackApiError, *_UNANSWERED) as error:
            log.info("message.not-linked", channel=message.channel, reason=type(error).__name__)
            return None
        return str(found["permalink"])

    def _post(self, place: Place, message: Message, **more: Any) -> MessageRef:
        self._budget.posts(place.channel).take()
        if place.thread_ts is not None:
            more["thread_ts"] = place.thread_ts
        else:
            more.pop("reply_broadcast", None)
        try:
            answer = self._client.chat_postMessage(channel=place.channel, **message.payload(), **more)  # type: ignore[arg-type]
        except SlackApiError as error:
            raise self._spent(from_post(error)) from error
        except _UNANSWERED as error:
            raise (SlackBusy if _was_never_sent(error) else SlackUnsure)(DEFAULT_WAIT_S) from error
        return MessageRef(str(answer["channel"]), str(answer["ts"]))

    def invite_answers(self, view: View, message: MessageRef) -> None:
        """The reactions under a question that can be answered, each once: those that it offers as buttons too, which it
        has also without them."""
        if not isinstance(view, QuestionView | DiskQuestionView) or view.question.state is not QuestionState.OPEN:
            return
        if isinstance(view, QuestionView) and not question_is_open(view):
            return
        saves = isinstance(view, QuestionView) and can_save(view)
        with self._lock:
            offered = (name for name, answer in REACTIONS.items() if saves or answer is not Answer.SAVE)
            names = [name for name in offered if (message, name) not in self._offered]
            self._offered.update(((message, name), None) for name in names)
            while len(self._offered) > _OFFERED_AT_MOST:
                self._offered.popitem(last=False)
        for name in names:
            try:
                self._client.reactions_add(channel=message.channel, timestamp=message.ts, name=name)
            except (SlackApiError, *_UNANSWERED) as error:
                reason = reason_of(error) if isinstance(error, SlackApiError) else type(error).__name__
                log.info("reaction.not-put", channel=message.channel, name=name, reason=reason)

    def _upload(self, view: JobView, png: bytes, **where: str | None) -> str:
        name = job_name(view.job, view.lease)
        try:
            answer = self._client.files_upload_v2(
                content=png,
                filename=f"{name.replace('/', '-')}.png",
                title=name,
                alt_txt=alt_text(name, view.curve),
                **where,  # type: ignore[arg-type]
            )
        except SlackApiError as error:
            raise self._spent(from_post(error)) from error
        except _UNANSWERED as error:
            raise SlackBusy(DEFAULT_WAIT_S) from error
        return str((answer.get("files") or [{}])[0].get("id") or "")

    def _spent(self, error: NotifierError) -> NotifierError:
        if isinstance(error, SlackBusy):
            self._budget.edits.empty()
        return error


def _of_picture(view: View, reason: str) -> PictureRefused | None:
    """Slack says of blocks only that they are wrong; of ours the picture is the one part that it may not know yet."""
    if isinstance(view, JobView) and view.picture_file and reason in ("invalid_blocks", "invalid_slack_file"):
        return PictureRefused(reason)
    return None


def _was_never_sent(error: Exception) -> bool:
    """Whether no connection came about; otherwise it may be out, and whoever repeats it looks for it first."""
    cause = error.reason if isinstance(error, URLError) else error
    return isinstance(cause, ConnectionRefusedError | gaierror)
