"""The command line of the simulated nvidia-smi."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bot.providers.local.misbehave import Watched
from bot.providers.local.places import Place
from bot.providers.local.smi.cards import Card, cards_of
from bot.providers.local.smi.pages import HELP, list_page, report_page, table_page
from bot.providers.local.smi.query import BAD_ARGUMENT, query_apps, query_gpu
from bot.providers.local.smi.use import Use, measure
from bot.providers.local.state import load_state

_NO_DEVICE, _NO_DRIVER, _LOST = 6, 9, 15
_HANG_S = 3600.0
_BAD = "Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n\n"
_WITH_VALUE = frozenset({"--format", "--query-gpu", "--query-compute-apps", "--query-apps", "-i", "--id"})
_PLAIN = frozenset({"-L", "--list-gpus", "-q", "--query", "-h", "--help"})


def run() -> None:
    """``nvidia-smi`` of the machine whose directory is the first argument."""
    text, status = answer(Place(Path(sys.argv[1])), sys.argv[2:])
    sys.stdout.write(text)
    sys.stdout.flush()
    sys.exit(status)


def answer(place: Place, arguments: Sequence[str]) -> tuple[str, int]:
    """What it prints, and its exit status."""
    options = _parsed(arguments)
    if options is None:
        return _BAD, BAD_ARGUMENT
    if "-h" in options or "--help" in options:
        return HELP, 0
    state = load_state(place.state)
    if state is None:
        return "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n\n", _NO_DRIVER
    trouble = Watched(place.misbehave, state.id, state.token).now().gpu
    if trouble == "hangs":
        time.sleep(_HANG_S)  # noqa: TID251 - a driver that hangs does just this
    if trouble == "missing":
        return "No devices were found\n", _NO_DEVICE
    use = measure(place.gpu_sample, state.mark)
    cards = cards_of(state, use)
    if trouble == "one-short":
        cards = cards[:-1]
    text, status = _page(options, cards, use)
    if trouble == "fails" and status == 0:
        return text + f"Unable to determine the device handle for GPU0000:{len(cards):02X}:00.0: Unknown Error\n", _LOST
    return text, status


def _page(options: dict[str, str], cards: list[Card], use: Use) -> tuple[str, int]:
    chosen = options.get("-i", options.get("--id"))
    if chosen is not None:
        names = chosen.split(",")
        cards = [card for card in cards if {str(card.index), card.uuid, card.bus_id} & set(names)]
        if not cards:
            return "No devices were found\n", _NO_DEVICE
    style = [word.strip() for word in options.get("--format", "").split(",")]
    apps = options.get("--query-compute-apps", options.get("--query-apps"))
    if "--query-gpu" in options or apps is not None:
        if "csv" not in style:
            return _BAD, BAD_ARGUMENT
        if apps is None:
            return query_gpu(options["--query-gpu"], style, cards)
        return query_apps(apps, style, cards, use.workers)
    if "-L" in options or "--list-gpus" in options:
        return list_page(cards), 0
    if "-q" in options or "--query" in options:
        return report_page(cards), 0
    return table_page(cards, use.workers), 0


def _parsed(arguments: Sequence[str]) -> dict[str, str] | None:
    """Options and their values; None for what the tool does not know."""
    found: dict[str, str] = {}
    words = list(arguments)
    while words:
        name, is_joined, value = words.pop(0).partition("=")
        if name in _WITH_VALUE:
            if not is_joined and not words:
                return None
            found[name] = value if is_joined else words.pop(0)
        elif name in _PLAIN and not is_joined:
            found[name] = ""
        else:
            return None
    return found
