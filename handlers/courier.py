"""The courier port on Slack: one person's direct messages, words first, a file in their thread."""

from http.client import HTTPException
from typing import Final

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.domain.fetching.run import FetchReport
from bot.domain.inventory.list_wish import ListFile
from bot.domain.jobs.curve_wish import WishedPicture
from bot.domain.jobs.log_file import LogFile
from bot.domain.places import MessageRef
from bot.errors import SlackBusy
from handlers.slack_errors import DEFAULT_WAIT_S, from_post
from handlers.words.chosen_curves import picture_name, wished_alt_text, wished_words
from handlers.words.fetch import report_words
from handlers.words.list_file import list_file_content, list_file_name, list_file_words
from handlers.words.log_file import log_file_name, log_file_words
from handlers.words.paths import path_words

_UNANSWERED: Final = (SlackClientError, OSError, HTTPException)
_LONGEST_NAME: Final = 120


class SlackCourier:
    """Thread-safe."""

    def __init__(self, client: WebClient) -> None:
        self._client = client

    def tell(self, report: FetchReport) -> MessageRef:
        """What the archive holds."""
        return self._tell(report.run.asked_by, report_words(report))

    def send(self, report: FetchReport, content: bytes, message: MessageRef) -> None:
        """A file of the archive."""
        self._send(file_name(report), content, message)

    def tell_curves(self, found: WishedPicture) -> MessageRef:
        """What the curves say."""
        return self._tell(found.wish.asked_by, wished_words(found))

    def send_curves(self, found: WishedPicture, png: bytes, message: MessageRef) -> None:
        """Their picture."""
        self._send(picture_name(found), png, message, alt_txt=wished_alt_text(found))

    def tell_log(self, found: LogFile) -> MessageRef:
        """What of a job's output comes."""
        return self._tell(found.wish.asked_by, log_file_words(found))

    def send_log(self, found: LogFile, message: MessageRef) -> None:
        """A job's output."""
        self._send(log_file_name(found.job, found.lease), found.content, message)

    def tell_list(self, found: ListFile) -> MessageRef:
        """Which list comes."""
        return self._tell(found.wish.asked_by, list_file_words(found))

    def send_list(self, found: ListFile, message: MessageRef) -> None:
        """A question's whole list."""
        self._send(list_file_name(found), list_file_content(found), message)

    def _tell(self, user: str, text: str) -> MessageRef:
        """A direct message; Slack answers with the conversation that it is in."""
        try:
            answer = self._client.chat_postMessage(channel=user, text=text, unfurl_links=False, unfurl_media=False)
        except SlackApiError as error:
            raise from_post(error) from error
        except _UNANSWERED as error:
            raise SlackBusy(DEFAULT_WAIT_S) from error
        return MessageRef(str(answer["channel"]), str(answer["ts"]))

    def _send(self, name: str, content: bytes, message: MessageRef, **more: str) -> None:
        """By the conversation's id: an upload takes no person's."""
        try:
            self._client.files_upload_v2(
                content=content,
                filename=name,
                title=name,
                channel=message.channel,
                thread_ts=message.ts,
                **more,  # type: ignore[arg-type]
            )
        except SlackApiError as error:
            raise from_post(error) from error
        except _UNANSWERED as error:
            raise SlackBusy(DEFAULT_WAIT_S) from error


def file_name(report: FetchReport) -> str:
    """A name that every computer takes and nothing acts in; it says the real one as far as it can be shown."""
    wanted = report.run.wanted.rpartition(b"/")[2]
    shown = path_words(wanted, _LONGEST_NAME)[1:-1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return "".join("_" if letter in '/\\:*?"<>|' else letter for letter in shown).lstrip(".-") or "file"
