"""The courier port on Slack: one person's direct messages, words first, a file in their thread."""

from http.client import HTTPException
from typing import Final

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.domain.fetching.run import FetchReport
from bot.domain.places import MessageRef
from bot.errors import SlackBusy
from handlers.slack_errors import DEFAULT_WAIT_S, from_post
from handlers.words.fetch import report_words
from handlers.words.paths import path_words

_UNANSWERED: Final = (SlackClientError, OSError, HTTPException)
_LONGEST_NAME: Final = 120


class SlackCourier:
    """Thread-safe."""

    def __init__(self, client: WebClient) -> None:
        self._client = client

    def tell(self, report: FetchReport) -> MessageRef:
        """A direct message; Slack answers with the conversation that it is in."""
        try:
            answer = self._client.chat_postMessage(
                channel=report.run.asked_by, text=report_words(report), unfurl_links=False, unfurl_media=False
            )
        except SlackApiError as error:
            raise from_post(error) from error
        except _UNANSWERED as error:
            raise SlackBusy(DEFAULT_WAIT_S) from error
        return MessageRef(str(answer["channel"]), str(answer["ts"]))

    def send(self, report: FetchReport, content: bytes, message: MessageRef) -> None:
        """By the conversation's id: an upload takes no person's."""
        name = file_name(report)
        try:
            self._client.files_upload_v2(
                content=content, filename=name, title=name, channel=message.channel, thread_ts=message.ts
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
