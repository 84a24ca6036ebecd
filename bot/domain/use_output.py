"""What ``use.sh`` printed, read as `Use`. Any text gives one; what it does not say is None."""

import re
from typing import Final

from bot.domain.health.df import read_df
from bot.domain.health.nvidia_smi import read_smi
from bot.domain.use import Use

_LINE: Final = re.compile(r"(use|smi|smi_exit|cpu_cores|logins|typed_s_ago|jobs|data_df)=(.*)")
_COUNT: Final = re.compile(r"-?\d{1,9}")
_CORES: Final = re.compile(r"\d{1,6}\.\d{1,6}")


def read_use(text: str) -> Use:
    """``gpus_seen`` is False where the driver's tool failed; a machine without cards has none to be seen."""
    values: dict[str, str] = {}
    smi: list[str] = []
    for line in text.splitlines():
        found = _LINE.fullmatch(line.strip())
        if found is None:
            continue
        if found[1] == "smi":
            smi.append(found[2])
        else:
            values.setdefault(found[1], found[2])
    if "use" not in values:
        return Use(gpus_seen=False)
    status = _count(values.get("smi_exit"))
    reading = read_smi("\n".join(smi), status) if status is not None else None
    rows = read_df(values.get("data_df", ""))
    typed = _count(values.get("typed_s_ago"))
    return Use(
        gpu_percent=tuple(card.percent for card in reading.cards) if reading is not None else (),
        gpus_seen=reading is None or reading.fault is None,
        cpu_cores=_cores(values.get("cpu_cores")),
        logins=_count(values.get("logins")),
        typed_s_ago=None if typed is None else max(0, typed),
        jobs=_count(values.get("jobs")),
        disk_percent=rows[0].percent if rows else None,
    )


def _count(text: str | None) -> int | None:
    return int(text) if text is not None and _COUNT.fullmatch(text) else None


def _cores(text: str | None) -> float | None:
    return float(text) if text is not None and _CORES.fullmatch(text) else None
