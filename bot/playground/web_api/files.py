"""files.*: the external upload in three steps, and files.info."""

from __future__ import annotations

from bot.playground.blocks import read_blocks
from bot.playground.file_objects import file_told
from bot.playground.model import Channel, File, Json
from bot.playground.refusals import RefusedError
from bot.playground.web_api.call import Call, method


@method("files.getUploadURLExternal", "files:write")
async def files_get_upload_url_external(call: Call) -> Json:
    """docs: reference/methods/files.getUploadURLExternal. facts: the alt text goes into this step."""
    name, length = call.text("filename"), call.number("length", 0)
    if length <= 0:
        # docs: reference/methods/files.getUploadURLExternal#errors, missing_argument.
        raise RefusedError("missing_argument")
    team = call.playground.team
    key = team.new_id("upload-")
    file = File(
        id=team.new_id("F"),
        name=name,
        title=name,
        length=length,
        alt_text=str(call.args["alt_txt"]) if call.args.get("alt_txt") else None,
        user=call.bot.id,
        created=int(call.playground.now()),
        upload_key=key,
    )
    team.files[file.id] = file
    return {"upload_url": f"{call.playground.address}/upload/{key}", "file_id": file.id}


@method("files.completeUploadExternal", "files:write")
async def files_complete_upload_external(call: Call) -> Json:
    """docs: reference/methods/files.completeUploadExternal. facts: the answer has no usable message ts."""
    team = call.playground.team
    entries = call.parsed("files")
    if not isinstance(entries, list) or not entries:
        raise RefusedError("invalid_arguments")
    files = []
    for entry in entries:
        file = team.files.get(str(entry.get("id")) if isinstance(entry, dict) else "")
        if file is None or file.content is None or file.completed:
            raise RefusedError("file_not_found")
        file.title = str(entry.get("title") or file.name)
        files.append(file)
    channels = _channels(call)
    for file in files:
        file.completed = True
        # facts: a file is processed after the upload; until then blocks may not refer to it.
        file.ready_at = call.playground.now() + call.playground.settings.file_processing_s
    for channel in channels:
        _share(call, channel, files)
    return {"files": [_told(call, f) for f in files]}


@method("files.info", "files:read")
async def files_info(call: Call) -> Json:
    """docs: reference/methods/files.info."""
    file = call.playground.team.files.get(call.text("file"))
    if file is None or not file.completed:
        raise RefusedError("file_not_found")
    return {"file": _told(call, file), "comments": []}


def _channels(call: Call) -> list[Channel]:
    """Where to share: by channel id, never by name (facts). Raises RefusedError before anything is done."""
    wanted = str(call.args.get("channels") or call.args.get("channel_id") or "")
    found = []
    for one in filter(None, wanted.split(",")):
        call.args["channel_id"] = one
        channel = call.joined_channel("channel_id")
        if channel.archived:
            raise RefusedError("is_archived")
        found.append(channel)
    return found


def _share(call: Call, channel: Channel, files: list[File]) -> None:
    thread_ts = call.args.get("thread_ts")
    blocks: list[Json] = []
    if call.args.get("blocks"):
        blocks = read_blocks(call.args["blocks"], call.playground.file_ready)
    message = call.playground.conversation.post(
        channel,
        call.bot,
        str(call.args.get("initial_comment") or ""),
        blocks=blocks,
        thread_ts=str(thread_ts) if thread_ts else None,
        files=[f.id for f in files],
        subtype="file_share",
    )
    for file in files:
        file.shares.append((channel.id, message.ts))


def _told(call: Call, file: File) -> Json:
    playground = call.playground
    return file_told(playground.team, file, playground.address, ready=playground.file_ready(file.id))
