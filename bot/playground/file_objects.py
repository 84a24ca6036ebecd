"""How files are told to apps and to people."""

from __future__ import annotations

import mimetypes

from bot.playground.model import File, Json
from bot.playground.team import Team


def mimetype(name: str) -> str:
    """The type that a file's name says it has."""
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


def file_told(team: Team, file: File, address: str, *, ready: bool = True) -> Json:
    """The file object (docs: reference/objects/file-object). ``ready``: it has been processed."""
    shares: dict[str, dict[str, list[Json]]] = {}
    for channel_id, ts in file.shares:
        kind = "public" if team.channels[channel_id].kind == "channel" else "private"
        shares.setdefault(kind, {}).setdefault(channel_id, []).append({"ts": ts})
    return {
        "id": file.id,
        "created": file.created,
        "timestamp": file.created,
        "name": file.name,
        "title": file.title,
        "mimetype": mimetype(file.name) if ready else "",
        "filetype": file.name.rpartition(".")[2].lower(),
        "user": file.user,
        "size": file.length,
        "alt_txt": file.alt_text,
        "mode": "hosted",
        "is_external": False,
        "url_private": f"{address}/files/{file.id}/{_slug(file.name)}",
        "url_private_download": f"{address}/files/{file.id}/{_slug(file.name)}",
        "channels": [c for c, _ in file.shares],
        "shares": shares,
    }


def _slug(name: str) -> str:
    """What stands of a name in an address: whatever it holds, one part of a path."""
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "_" for letter in name)
    return plain if plain.strip(".") else "file"


def file_withheld(file: File) -> Json:
    """What an app is told of a file that it may not read.

    Source: docs reference/objects/file-object#slack_connect_files, and the recorded event in hackage's slack-web,
    tests/golden/SlackWebhookEvent/message_file_share_slack_connect.json.
    """
    return {
        "id": file.id,
        "mode": "file_access",
        "file_access": "check_file_info",
        "created": 0,
        "timestamp": 0,
        "user": "",
    }
