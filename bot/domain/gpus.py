"""GPU models people rent, and how what they typed becomes a request for them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from rapidfuzz import fuzz, process

MAX_COUNT = 16


@dataclass(frozen=True, slots=True)
class GpuModel:
    """One model as clouds sell it.

    ``key`` is stable and stored (``a100-80``); ``label`` is for people (``A100 80GB``); ``memory_gib`` is the
    nominal size of one card, 0 for ``cpu``.
    """

    key: str
    label: str
    memory_gib: int


@dataclass(frozen=True, slots=True)
class GpuRequest:
    """What a person asked for: ``count`` cards (1 to 16) of any one of ``models`` (smallest memory first)."""

    models: tuple[GpuModel, ...]
    count: int

    @property
    def spelling(self) -> str:
        """The request as it would be typed: ``a100``, ``a100-80``, ``h100x8``."""
        name = self.models[0].key if len(self.models) == 1 else self.models[0].key.split("-")[0]
        return name if self.count == 1 else f"{name}x{self.count}"


class GpuFault(StrEnum):
    """Why a text is no request."""

    UNKNOWN = "unknown"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class GpuProblem:
    """A text that is no request: ``word`` is the name (or count) at fault, ``nearest`` what it may mean.

    ``max_count`` is set for ``GpuFault.COUNT`` only.
    """

    fault: GpuFault
    word: str
    nearest: tuple[str, ...] = ()
    max_count: int = 0


# Memory as the clouds list it, per card: the table behind gpuhunt's KNOWN_NVIDIA_GPUS (PyPI gpuhunt 0.1.34),
# agreeing with what EC2 reports. B200: 180 usable (192 on the vendor's sheet). GH200: the 96 GB variant.
_CATALOGUE = (
    GpuModel("cpu", "CPU only", 0),
    GpuModel("t4", "T4", 16),
    GpuModel("l4", "L4", 24),
    GpuModel("a10", "A10", 24),
    GpuModel("a10g", "A10G", 24),
    GpuModel("a6000", "RTX A6000", 48),
    GpuModel("l40s", "L40S", 48),
    GpuModel("a100-40", "A100 40GB", 40),
    GpuModel("a100-80", "A100 80GB", 80),
    GpuModel("h100", "H100", 80),
    GpuModel("h200", "H200", 141),
    GpuModel("b200", "B200", 180),
    GpuModel("rtx3090", "RTX 3090", 24),
    GpuModel("rtx4090", "RTX 4090", 24),
    GpuModel("rtx5090", "RTX 5090", 32),
    GpuModel("gh200", "GH200", 96),
)

MODELS: Mapping[str, GpuModel] = MappingProxyType({model.key: model for model in _CATALOGUE})
"""Every known model by key."""


def _spellings() -> dict[str, tuple[GpuModel, ...]]:
    """Every accepted spelling, lower case and without spaces, dashes and underscores."""
    spellings = {"a100": (MODELS["a100-40"], MODELS["a100-80"]), "b200192gb": (MODELS["b200"],)}
    for model in _CATALOGUE:
        family = model.key.split("-")[0]
        names = [family, family.removeprefix("rtx")] if family.startswith("rtx") else [family]
        if family == "a6000":
            names.append("rtxa6000")
        for name in names:
            if "-" not in model.key:
                spellings[name] = (model,)
            if model.memory_gib:
                for unit in ("", "g", "gb", "gib"):
                    spellings[f"{name}{model.memory_gib}{unit}"] = (model,)
    return spellings


_SPELLINGS = _spellings()
_TYPED = (*MODELS, "a100", "3090", "4090", "5090")
_COUNT_FIRST = re.compile(r"([0-9]{1,3})(?: ?[x*] ?| )(\S.*)")
_COUNT_LAST = re.compile(r"(\S.*?) ?[x*:] ?([0-9]{1,3})")
_SCORE_CUTOFF = 60
_LONGEST_NAME = 40


def parse_gpu(text: str) -> GpuRequest | GpuProblem:
    """Read ``a100``, ``A100-80GB``, ``h100x8``, ``8xh100``, ``h100:8``, ``2 x h100``, ``rtx 4090``.

    Never raises. A name without a memory size means every size of it. ``cpu`` comes in ones.
    """
    folded = _fold(text)
    for name, count in _readings(folded):
        models = _SPELLINGS.get(re.sub(r"[ _-]", "", name))
        if models is None:
            continue
        most = MAX_COUNT if models[0].memory_gib else 1
        if not 1 <= count <= most:
            return GpuProblem(GpuFault.COUNT, str(count), (models[0].key.split("-")[0],), most)
        return GpuRequest(models, count)
    return GpuProblem(GpuFault.UNKNOWN, text.strip(), nearest_gpus(folded))


def nearest_gpus(text: str) -> tuple[str, ...]:
    """Up to three names that look like ``text``, best first; empty when none does."""
    found: dict[str, float] = {}
    for name, _ in _readings(_fold(text)):
        for choice, score, _ in process.extract(
            name[:_LONGEST_NAME], _TYPED, scorer=fuzz.ratio, limit=3, score_cutoff=_SCORE_CUTOFF
        ):
            key = f"rtx{choice}" if choice.isdigit() else choice
            found[key] = max(score, found.get(key, 0.0))
    return tuple(sorted(found, key=lambda key: -found[key])[:3])


def _fold(text: str) -> str:
    folded = " ".join(text.lower().replace("×", "x").split())
    for brand in ("nvidia ", "geforce "):
        folded = folded.removeprefix(brand)
    return folded


def _readings(folded: str) -> Iterator[tuple[str, int]]:
    """The ways to read a text as name and count; the whole as a name first, or rtx4090 is 4090 of ``rt``."""
    yield folded, 1
    if first := _COUNT_FIRST.fullmatch(folded):
        yield first[2], int(first[1])
    if last := _COUNT_LAST.fullmatch(folded):
        yield last[1], int(last[2])
