"""The demo: a trial with short intervals that people play with in their browser, until they end it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tzlocal import get_localzone_name

from bot.playground.seed import DEFAULT
from bot.playground.trial import Trial, noon

PREFIX: Final = "gpubot-demo-"
"""How the folders of demos begin."""
WAKING_HOURS: Final = range(9, 19)
UP_S: Final = 30.0
LOOK_S: Final = 0.2
# Long enough to be read, short enough to be waited for.
SHORT: Final = {
    "LOCAL_BOOT_S": "3",
    "LOOK_S": "2",
    "OFFERS_S": "10",
    "RELEASE_GRACE_S": "15",
    "IDLE_AFTER_S": "120",
    "USE_LOOK_S": "5",
    "SETTLE_S": "5",
    "JOB_LOOK_S": "1",
    "JOB_MESSAGE_S": "2",
    "PICTURE_S": "5",
    "SLACK_EDITS_PER_MINUTE": "600",
    "THREAD_FILES_MIB": "64",
}


def demo(
    folder: Path,
    port: int,
    welcome: str,
    say: Callable[[str], None],
    ending: Callable[[], None],
    stop: threading.Event,
    settings: dict[str, str],
) -> None:
    """Serve until ``stop``; says where, and that it is ``ending``. Everything lies in ``folder``. Machines are the
    caller's to end.

    ``welcome`` is what the page says to a newcomer.

    Raises:
        BotEndedError: the bot did not stay up.
    """
    seed = DEFAULT | {"people": [person | _zone() for person in DEFAULT["people"]]}

    def start(at: int) -> Trial:
        limits = {"limits_on": False}
        return Trial(folder, SHORT | settings, port=at, seed=seed, workspace_settings=limits, welcome=welcome)

    try:
        trial = start(port)
    except OSError:  # somebody has it, perhaps since a moment ago
        trial = start(0)
    try:
        deadline = time.monotonic() + UP_S
        while not trial.is_up() and time.monotonic() < deadline and not stop.is_set():
            stop.wait(LOOK_S)
        say(trial.server.base_url)
        while not stop.wait(1.0):
            trial.is_up()
    finally:
        ending()
        trial.close()


def _zone() -> dict[str, object]:
    """This computer's time zone; at night one where it is noon, because nobody is reminded in their sleep."""
    here = time.localtime()
    if here.tm_hour not in WAKING_HOURS:
        return noon()
    return {"tz": get_localzone_name(), "tz_offset": here.tm_gmtoff}
