"""The list of everything that a question was about, packed to be kept for good."""

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from bot.domain.inventory.files import FileState
from bot.domain.inventory.inventory import Inventory

LISTED_AT_MOST: Final = 500_000
_SUM: Final = 1 << 128


@dataclass(frozen=True, slots=True)
class Listed:
    """``packed`` holds ``files`` of them; ``is_whole``: they are those that the inventory counted, byte for byte of
    their states."""

    files: int
    is_whole: bool
    packed: bytes

    def lines(self, most: int) -> Iterator[tuple[int, bytes]]:
        """(bytes, path) of the first files."""
        unpacked = zlib.decompress(self.packed)
        at = 0
        for _ in range(min(most, self.files)):
            end = unpacked.index(b"\0", at)
            size, _, path = unpacked[at:end].partition(b" ")
            yield int(size), path
            at = end + 1


def pack(states: Iterable[FileState], inventory: Inventory) -> Listed:
    """The list, as far as it was told, and whether its sum is the one that the inventory is bound to."""
    packer = zlib.compressobj(6)
    apart = {state.path for state in inventory.apart}
    parts: list[bytes] = []
    files = total = 0
    for state in states:
        if files >= LISTED_AT_MOST:
            break
        files += 1
        if state.path not in apart:
            total += int.from_bytes(state.digest, "big")
        parts.append(packer.compress(b"%d %s\0" % (state.size_bytes, state.path)))
    parts.append(packer.flush())
    is_whole = files == inventory.files and f"{total % _SUM:032x}" == inventory.rest
    return Listed(files, is_whole, b"".join(parts))
