"""Uploading, sharing and showing files."""

from __future__ import annotations

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.playground.client import Person, Workspace

GPUS = "C0GPUS000"
PNG = b"\x89PNG not really"


def shown(file_id: str) -> list[dict[str, object]]:
    return [{"type": "image", "alt_text": "loss", "slack_file": {"id": file_id}}]


def test_upload_v2_into_a_thread(web: WebClient, ana: Person, ws: Workspace) -> None:
    ts = web.chat_postMessage(channel=GPUS, text="job 1")["ts"]
    told = web.files_upload_v2(
        channel=GPUS, thread_ts=ts, content=PNG, filename="loss.png", title="Loss", alt_txt="loss falls"
    )
    assert told["file"]["alt_txt"] == "loss falls"
    replies = ana.thread("#gpus", ts)
    assert len(replies) == 2
    assert ws.file(replies[1].files[0]) == PNG


def test_files_info_needs_its_scope_and_tells_the_shares(web: WebClient, ws: Workspace) -> None:
    file_id = web.files_upload_v2(channel=GPUS, content=PNG, filename="loss.png")["file"]["id"]
    with pytest.raises(SlackApiError) as caught:
        web.files_info(file=file_id)
    assert caught.value.response["error"] == "missing_scope"
    ws.settings(scopes=["files:read"])
    assert GPUS in web.files_info(file=file_id)["file"]["shares"]["public"]


def test_an_image_block_waits_for_the_file_to_be_processed(web: WebClient, ws: Workspace, ana: Person) -> None:
    ws.settings(file_processing_s=0.3)
    file_id = web.files_upload_v2(content=PNG, filename="loss.png")["file"]["id"]
    with pytest.raises(SlackApiError) as caught:
        web.chat_postMessage(channel=GPUS, text="loss", blocks=shown(file_id))
    assert caught.value.response["error"] == "invalid_blocks"

    def posted() -> bool:
        told = web.api_call("api.test", params={})
        try:
            web.chat_postMessage(channel=GPUS, text="loss", blocks=shown(file_id))
        except SlackApiError:
            return False
        return bool(told["ok"])

    ws.wait_for(posted)
    assert "loss" in ana.sees("#gpus")[0].words


def test_uploads_are_checked(web: WebClient, ws: Workspace) -> None:
    with pytest.raises(SlackApiError) as caught:
        web.files_completeUploadExternal(files=[{"id": "F404", "title": "x"}])
    assert caught.value.response["error"] == "file_not_found"
    with pytest.raises(SlackApiError) as caught:
        web.files_upload_v2(channel="C0RANDOM0", content=PNG, filename="loss.png")
    assert caught.value.response["error"] == "not_in_channel"
    with pytest.raises(SlackApiError) as caught:
        web.files_upload_v2(channel="#gpus", content=PNG, filename="loss.png")
    assert caught.value.response["error"] == "channel_not_found"


def test_a_bot_deletes_its_own_files_once(web: WebClient, ana: Person, ws: Workspace) -> None:
    file_id = web.files_upload_v2(channel=GPUS, content=PNG, filename="loss.png")["file"]["id"]
    web.files_delete(file=file_id)
    assert [m.files for m in ana.sees(GPUS)] == [[]]
    with pytest.raises(SlackApiError) as caught:
        web.files_delete(file=file_id)
    assert caught.value.response["error"] == "file_not_found"
    with pytest.raises(SlackApiError):
        web.chat_postMessage(channel=GPUS, text="look", blocks=shown(file_id))
