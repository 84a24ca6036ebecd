"""The script's output: ``key=value`` lines, of which only known keys count; the first of a key holds."""

import re
from dataclasses import dataclass
from typing import Final

_KNOWN: Final = re.compile(
    r"(health|user|home|data_path|data_state|data_resolved|mark_state|mark|timed_out"
    r"|(?:home|data)_(?:write|write_seen|df|df_inodes|mount)"
    r"|smi|smi_table|smi_exit|nvrm|python|torch|torch_cuda|framework|framework_seen|net|net_seen)=(.*)"
)
_SEVERAL: Final = frozenset({"smi", "smi_table", "nvrm", "timed_out"})
MOST_LINES: Final = 200


@dataclass(frozen=True, slots=True)
class Seen:
    """Values by key; ``several`` holds those that come once a line."""

    values: dict[str, str]
    several: dict[str, tuple[str, ...]]

    def __getitem__(self, key: str) -> str:
        return self.values.get(key, "")

    def text(self, key: str) -> str:
        """The lines of a key that comes several times, as they were printed."""
        return "\n".join(self.several.get(key, ()))

    @property
    def timed_out(self) -> frozenset[str]:
        """The looks that did not end in time."""
        return frozenset(self.several.get("timed_out", ()))


def read_output(text: str) -> Seen:
    """Any text; one that is not the script's has nothing in it."""
    values: dict[str, str] = {}
    several: dict[str, list[str]] = {key: [] for key in _SEVERAL}
    for line in text.split("\n"):
        found = _KNOWN.fullmatch(line.rstrip())
        if found is None:
            continue
        if found[1] in _SEVERAL:
            if len(several[found[1]]) < MOST_LINES:
                several[found[1]].append(found[2].strip())
        else:
            values.setdefault(found[1], found[2].strip())
    if "health" not in values:
        return Seen({}, {})
    return Seen(values, {key: tuple(lines) for key, lines in several.items()})
