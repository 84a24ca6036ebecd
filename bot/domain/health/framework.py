"""The lines about the framework: does a tensor get multiplied where it should, and do the versions fit."""

from dataclasses import dataclass
from typing import Final

from bot.domain.checklist import Item, Line, Verdict
from bot.domain.health.codes import Code
from bot.domain.health.expected import Expected
from bot.domain.health.gpus import read_cards
from bot.domain.health.output import Seen

OLDEST_DRIVER: Final = {13: 580, 12: 525, 11: 450}
"""By CUDA's major version: the oldest driver that runs what was built with it (CUDA minor version compatibility)."""
_NO_MEMORY: Final = ("out of memory", "cublas_status_alloc_failed")


@dataclass(frozen=True, slots=True)
class Torch:
    """``2.5.1+cu124 True 2 NVIDIA L4,NVIDIA L4``: version, whether it finds a card, how many, their names."""

    version: str
    finds_gpu: bool
    count: int
    names: tuple[str, ...]
    cuda: str = ""
    """The CUDA that it was built with; empty for a build without, or where it is not known."""

    @property
    def is_cpu_build(self) -> bool:
        """Whether it could not use any card."""
        return "+cpu" in self.version

    @property
    def cuda_major(self) -> int | None:
        """13 for ``13.0``; taken from the version's ``+cu130`` where nothing else says."""
        _, _, built = self.version.partition("+cu")
        text = self.cuda.split(".")[0] or (built[:2] if built[:3].isdecimal() else "")
        return int(text) if text.isdecimal() and len(text) < 4 else None

    @property
    def words(self) -> str:
        """``torch 2.5.1+cu124 (CUDA 12.4)``."""
        return f"torch {self.version}" + (f" (CUDA {self.cuda})" if self.cuda else "")


def read_torch(line: str, cuda: str = "") -> Torch | None:
    """None where the line is not of that form. ``cuda`` is what the framework says, ``none`` for a build without."""
    words = line.split(None, 3)
    if len(words) < 3 or words[1] not in ("True", "False") or not words[2].isdecimal() or len(words[2]) > 3:
        return None
    names = tuple(name.strip() for name in words[3].split(",")) if len(words) > 3 else ()
    known_cuda = "" if cuda == "none" else cuda
    version = f"{words[0]}+cpu" if cuda == "none" and "+" not in words[0] else words[0]
    return Torch(version, words[1] == "True", int(words[2]), names, known_cuda)


def framework(seen: Seen, expected: Expected) -> Line:
    """On the cards where there are real ones, else on the CPU, which is said."""
    torch = read_torch(seen["torch"], seen["torch_cuda"])
    words = seen["framework_seen"]
    if torch is None:
        return _without_torch(seen, expected)
    if expected.has_real_gpu:
        return _on_cards(seen, expected, torch)
    if seen["framework"] in ("cpu", "gpu"):
        return _line(Verdict.OK, Code.ON_CPU if seen["framework"] == "cpu" else Code.ON_GPU, torch.words)
    if seen["framework"] == "failed":
        return _line(Verdict.FAIL, Code.MULTIPLY_FAILED, words)
    return _not_ended(seen, expected)


def versions(seen: Seen, expected: Expected) -> Line | None:
    """None where there is neither driver nor framework to have a version."""
    torch = read_torch(seen["torch"], seen["torch_cuda"])
    cards = read_cards(seen).cards if expected.gpu_count else ()
    driver = next((card.driver for card in cards if card.driver), "")
    simulated = " (simulated)" if driver and expected.simulated_gpu else ""
    parts = [f"driver {driver}{simulated}"] if driver else []
    parts += [torch.words] if torch is not None else []
    if not parts:
        return None
    needed = _driver_needed(torch, driver) if expected.has_real_gpu else None
    if needed is not None:
        parts.append(f"which needs driver {needed} or newer")
        return Line(Item.VERSIONS, Verdict.WARN, Code.DRIVER_TOO_OLD, ", ".join(parts))
    return Line(Item.VERSIONS, Verdict.OK, Code.VERSIONS, ", ".join(parts))


def _on_cards(seen: Seen, expected: Expected, torch: Torch) -> Line:
    words = seen["framework_seen"]
    match seen["framework"]:
        case "gpu" if torch.count >= expected.gpu_count:
            return _line(Verdict.OK, Code.ON_GPU, f"{torch.words} on {torch.count} of {expected.gpu_count}")
        case "gpu":
            return _line(Verdict.FAIL, Code.FEWER_IN_FRAMEWORK, f"{torch.count} of {expected.gpu_count}")
        case "cpu" if torch.is_cpu_build:
            return _line(Verdict.WARN, Code.CPU_WHEEL, torch.words)
        case "cpu":
            return _line(Verdict.FAIL, Code.FALLS_BACK, words or torch.words)
        case "failed" if any(phrase in words.lower() for phrase in _NO_MEMORY):
            return _line(Verdict.WARN, Code.GPU_MEMORY_TAKEN, words)
        case "failed":
            return _line(Verdict.FAIL, Code.MULTIPLY_FAILED, words)
        case _:
            return _not_ended(seen, expected)


def _without_torch(seen: Seen, expected: Expected) -> Line:
    match seen["framework"]:
        case "missing":
            return _line(Verdict.WARN, Code.TORCH_MISSING, seen["python"])
        case "no-python":
            return _line(Verdict.WARN, Code.NO_PYTHON, "")
        case "broken":
            return _line(Verdict.FAIL, Code.IMPORT_FAILED, seen["framework_seen"])
        case _:
            return _not_ended(seen, expected)


def _not_ended(seen: Seen, expected: Expected) -> Line:
    """Without a real card nothing hangs on it: that is a warning."""
    code = Code.TIMED_OUT if "framework" in seen.timed_out else Code.NOT_SEEN
    relaxed = code is Code.TIMED_OUT and not expected.has_real_gpu
    return _line(Verdict.WARN if relaxed else Verdict.UNKNOWN, code, seen["python"])


def _driver_needed(torch: Torch | None, driver: str) -> int | None:
    major = driver.split(".")[0]
    if torch is None or torch.cuda_major is None or not major.isdecimal() or len(major) > 6:
        return None
    needed = OLDEST_DRIVER.get(torch.cuda_major)
    return needed if needed is not None and int(major) < needed else None


def _line(verdict: Verdict, code: Code, seen: str) -> Line:
    return Line(Item.FRAMEWORK, verdict, code, seen)
