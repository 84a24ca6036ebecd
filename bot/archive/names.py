"""Which files rclone finds by listing folders, and which it has to be sent to one by one."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

ONE_BY_ONE: Final = {"RCLONE_NO_TRAVERSE": "true"}
_FEW: Final = 100
_ENCODED: Final = re.compile("[\x00-\x1f\x7f‛␀-␦\udc80-\udcff！-～]")
"""Listed names are compared in an encoded form: names with such characters are never found by listing."""


def in_groups(names: Sequence[bytes]) -> Iterator[tuple[list[bytes], dict[str, str]]]:
    """The names, in groups for one run each, with the environment that this run needs."""
    plain = [name for name in names if not _ENCODED.search(name.decode("utf-8", "surrogateescape"))]
    if len(plain) < _FEW:
        plain = []
    taken = set(plain)
    rest = [name for name in names if name not in taken]
    if plain:
        yield plain, {}
    if rest:
        yield rest, ONE_BY_ONE
