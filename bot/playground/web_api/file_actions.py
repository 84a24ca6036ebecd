"""files.delete."""

from __future__ import annotations

from bot.playground.model import Json
from bot.playground.refusals import RefusedError
from bot.playground.web_api.call import Call, method


@method("files.delete", "files:write")
async def files_delete(call: Call) -> Json:
    """docs: reference/methods/files.delete: a bot deletes its own files only (``cant_delete_file``).

    Messages that it was shared in stay, without it; in Slack a tombstone stands in its place.
    """
    team = call.playground.team
    file = team.files.get(call.text("file"))
    if file is None or not file.completed:
        raise RefusedError("file_not_found")
    if file.user != call.bot.id:
        raise RefusedError("cant_delete_file")
    for channel_id, ts in file.shares:
        message = team.message(channel_id, ts)
        if message is not None and file.id in message.files:
            message.files.remove(file.id)
    del team.files[file.id]
    return {}
