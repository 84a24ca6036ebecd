"""The tool's pages for people: the table, the list, the long report."""

from collections.abc import Sequence

from bot.providers.local.smi.cards import CUDA, DRIVER, Card
from bot.providers.local.smi.use import Worker

_RULE = "+" + "-" * 89 + "+\n"
_THIRDS = "+" + "-" * 41 + "+" + "-" * 24 + "+" + "-" * 22 + "+\n"
HELP = f"""\
NVIDIA System Management Interface -- v{DRIVER} (simulated)

    nvidia-smi [-L | -q] [--query-gpu=FIELDS | --query-compute-apps=FIELDS] [-i ID] [--format=csv[,noheader][,nounits]]
"""


def list_page(cards: Sequence[Card]) -> str:
    """``-L``."""
    return "".join(f"GPU {card.index}: {card.name} (UUID: {card.uuid})\n" for card in cards)


def table_page(cards: Sequence[Card], workers: Sequence[Worker]) -> str:
    """What it prints without arguments."""
    title = f" NVIDIA-SMI {DRIVER} (simulated)   Driver Version: {DRIVER}   CUDA Version: {CUDA}"
    page = _RULE + f"|{title:<89}|\n" + _THIRDS
    page += f"| {'GPU  Name':<40}| {'Bus-Id':<23}| {'Volatile Uncorr. ECC':<21}|\n"
    page += f"| {'Fan  Temp   Perf   Pwr:Usage/Cap':<40}| {'Memory-Usage':<23}| {'GPU-Util  Compute M.':<21}|\n"
    page += _THIRDS
    for card in cards:
        name = f"{card.index:>3}  {card.name}"
        warmth = f"N/A   {card.celsius}C    {'P0' if card.busy else 'P8'}   "
        warmth += f"{card.power_w:.0f}W / {card.model.limit_w:.0f}W"
        memory = f"{card.used_mib}MiB / {card.model.memory_mib}MiB"
        page += f"| {name[:40]:<40}| {card.bus_id:<23}| {'0':>20} |\n"
        page += f"| {warmth:<40}| {memory:<23}| {card.percent:>6}%      Default |\n" + _THIRDS
    page += "\n" + _RULE + f"| {'Processes:':<88}|\n"
    for worker in workers:
        line = f"{0:>3}  N/A  N/A  {worker.pid:>9}      C   {worker.name[-44:]:<44} {worker.memory_mib:>6}MiB"
        page += f"| {line[:88]:<88}|\n"
    if not workers:
        page += f"| {'  No running processes found':<88}|\n"
    return page + _RULE


def report_page(cards: Sequence[Card]) -> str:
    """``-q``, the part of it that people look at."""
    page = "\n==============NVSMI LOG==============\n\n"
    page += _fact(0, "Driver Version", DRIVER) + _fact(0, "CUDA Version", CUDA)
    page += _fact(0, "Attached GPUs", str(len(cards)))
    for card in cards:
        page += f"GPU {card.bus_id}\n" + _fact(1, "Product Name", card.name) + _fact(1, "GPU UUID", card.uuid)
        page += "    FB Memory Usage\n" + _fact(2, "Total", f"{card.model.memory_mib} MiB")
        page += _fact(2, "Used", f"{card.used_mib} MiB") + _fact(2, "Free", f"{card.free_mib} MiB")
        page += "    Utilization\n" + _fact(2, "GPU", f"{card.percent} %")
        page += "    Temperature\n" + _fact(2, "GPU Current Temp", f"{card.celsius} C")
        page += "    GPU Power Readings\n" + _fact(2, "Average Power Draw", f"{card.power_w:.2f} W")
    return page + "\n"


def _fact(depth: int, name: str, value: str) -> str:
    indent = "    " * depth
    return f"{indent}{name:<{42 - len(indent)}}: {value}\n"
