"""What is on a machine and not known to be safe, in one bounded pass, without root.

stdin: one line of JSON (`bot.domain.inventory.request`), then the digests that are known, 8 bytes each.
stdout: lines of JSON in ASCII, the last of which is ``{"end": ...}``; without it the pass was cut short.
Nothing is followed, read or changed, and nothing is asked of the network.
"""
# ruff: noqa: UP006, UP035

import gc
import json
import os
import sys
import time
from typing import Any, Dict

from bot.remote.scripts.inventory_crew import walk_all
from bot.remote.scripts.inventory_found import Found
from bot.remote.scripts.inventory_git import look_at
from bot.remote.scripts.inventory_output import raw, said, write
from bot.remote.scripts.inventory_roots import Roots
from bot.remote.scripts.inventory_rules import SKIPPED, Rules
from bot.remote.scripts.inventory_sudo import Sudo
from bot.remote.scripts.inventory_walk import Folder, Walk, Wanted
from bot.remote.scripts.inventory_writers import Writers

_OPEN_AT_MOST = 200
_TREES_AT_MOST = 50


def main() -> int:
    """One inventory."""
    gc.disable()  # nothing here is circular, and looking for it takes a third of the time
    began = time.monotonic()
    header, _, known = sys.stdin.buffer.read().partition(b"\n")
    asked: Dict[str, Any] = json.loads(header.decode("ascii"))
    if len(known) != asked["known_bytes"]:
        write({"error": "stdin-cut"})
        return 1
    ends_at = began + asked["deadline_s"]
    roots = Roots(raw(os.path.expanduser("~")), [raw(path) for path in asked["roots"]])  # noqa: PTH111 - bytes
    skipped = [spelling for path in asked["skip"] for spelling in roots.spellings(raw(path))]
    rules, sudo = Rules(dict.fromkeys(skipped, SKIPPED)), Sudo(ends_at)
    writers = Writers(roots, rules, sudo)
    writers.look()
    now_ns = int(time.time() * 1e9)
    wanted = Wanted(
        known=frozenset(known[at : at + 8] for at in range(0, len(known), 8)),
        apart=writers.open.copy() if asked["apart"] is None else {raw(path) for path in asked["apart"]},
        share=tuple(asked["share"] or (-1, 1)),
        baseline=asked["baseline"],
        young_since_ns=now_ns - int(asked["young_s"] * 1e9),
        ends_at=ends_at,
    )
    folders = [Folder(root.shown, root.real, "", b"", root.device) for root in roots.all]
    found = walk_all(lambda begun: Walk(roots, rules, sudo, wanted, begun), folders, asked["output_bytes"])
    for spelling, why in roots.missing:
        found.blind.add(said(spelling), why)
    writers.look()  # once more: who began to write behind the walk is told as well
    tell(roots, found, writers, ends_at, now_ns)
    return 0


def tell(roots: Roots, found: Found, writers: Writers, ends_at: float, now_ns: int) -> None:
    """The long lists, then the closing line."""
    lines = [{"list": line} for line in found.listing.lines()] + [{"known": line} for line in found.digests.lines()]
    for line in lines:
        write(line)
    trees = [(path, tree) for path, tree in sorted(found.trees.items()) if path in found.touched_trees or tree.rule]
    opened = sorted(writers.open)
    end = {
        "version": 1,
        "lines": len(lines),
        "unlisted": found.listing.refused + found.digests.refused,
        "was_cut": found.was_cut,
        "home": said(roots.home),
        "roots": [said(root.shown) for root in roots.all],
        "now_ns": now_ns,
        "seen": found.seen,
        "files": found.files,
        "bytes": found.bytes,
        "young": found.young,
        "rest": f"{found.fingerprint % (1 << 128):032x}",
        "apart": [[said(path), *state] for path, state in sorted(found.apart.items())],
        "open": {"count": len(opened), "first": [[said(path)] for path in opened[:_OPEN_AT_MOST]]},
        "unseen_processes": writers.unseen,
        "newest": [[said(path), size, mtime_ns] for mtime_ns, size, path in found.newest],
        "biggest": [[said(path), size, mtime_ns] for size, mtime_ns, path in found.biggest],
        "left_out": found.left_out,
        "links": found.links.told(),
        "special": found.special.told(),
        "blind": found.blind.told(),
        "by_root": found.by_root.told(),
        "trees": {
            "count": len(trees),
            "first": [
                [said(path), tree.rule, path in found.touched_trees, look_at(tree.real, ends_at)]
                for path, tree in trees[:_TREES_AT_MOST]
            ],
        },
    }
    write({"end": end})


if __name__ == "__main__":
    sys.exit(main())
