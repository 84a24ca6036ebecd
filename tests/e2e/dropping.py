"""People drop files into machines' threads, and look at what became of them."""

import httpx

from bot.playground.client_types import Message
from handlers.manifest import manifest
from tests.e2e.deployment import GPUS, Deployment


def grant_files(bot: Deployment, *, thread_files: bool = True) -> None:
    """Install the app as its manifest is printed with the setting on."""
    asked = manifest(thread_files=thread_files)
    bot.workspace.settings(
        scopes=asked["oauth_config"]["scopes"]["bot"],
        subscriptions=asked["settings"]["event_subscriptions"]["bot_events"],
    )


def drop(bot: Deployment, name: str, *files: tuple[str, bytes], who: str = "ana", text: str = "") -> str:
    """Drop files into a lease's thread, in one message; the message's id."""
    form = {"user": bot.person(who).id, "channel": GPUS, "text": text, "thread_ts": bot.card_of(name).ts}
    address = f"{bot.server.base_url}/control/act/upload"
    told = httpx.post(address, data=form, files=[("file", file) for file in files], trust_env=False)
    assert told.status_code == 200, told.text
    return str(told.json()["ts"])


def press(bot: Deployment, message: Message, action_id: str, nth: int, who: str = "ana") -> None:
    """Press the button of that kind for the nth file of a message, as it stands there now."""
    now = bot.person(who).again(message)
    assert now is not None
    (row,) = [
        block["block_id"]
        for block in now.blocks
        if any(e.get("action_id") == action_id and e["value"].endswith(f"/{nth}") for e in block.get("elements", ()))
    ]
    assert bot.person(who).click(now, action_id, block_id=row).acked


def whispers(bot: Deployment, name: str, who: str) -> list[str]:
    """What only that person sees in a lease's thread."""
    return [m.words for m in bot.person(who).thread(GPUS, bot.card_of(name).ts) if m.ephemeral]


def content(bot: Deployment, name: str) -> dict[str, bytes]:
    """What lies in the data path of a lease's machine, by name; not what its provider keeps there."""
    folder = bot.home(name) / "work"
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file() and p.name != ".gpubot-volume"}
