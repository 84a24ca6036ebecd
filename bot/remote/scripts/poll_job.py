"""Tells how jobs are, several in one call, with the output that is new.

stdin: ``{"jobs": [{"job": ID, "offset": BYTES}, ...], "limit_bytes": EACH, "total_bytes": ALL}``; a negative offset
counts from the end. A job may have ``"files"`` too: see `job_trainer_files.look_at_files`. Prints a line about the
machine, a status for each job (`job_files.status`) and a closing line.
"""
# ruff: noqa: UP006, UP035

import sys
from typing import List

from bot.remote.scripts.job_files import Record, read_request, say, say_report, status
from bot.remote.scripts.job_trainer_files import look_at_files


def main() -> int:
    """One poll."""
    try:
        request = read_request()
        statuses = look(request)
    except (ValueError, KeyError, TypeError) as error:
        say({"error": str(error) if isinstance(error, ValueError) else "bad-request"})
        return 1
    say_report(*statuses)
    return 0


def look(request: Record) -> List[Record]:
    """A status each; whoever comes first gets what is left of the total."""
    left, found = int(request["total_bytes"]), []
    for asked in request["jobs"]:
        one = status(asked["job"], int(asked["offset"]), min(left, int(request["limit_bytes"])))
        text = one.get("output") or ""
        left -= len(text) * 3 // 4 - text.count("=")
        if asked.get("files"):
            told, taken = look_at_files(asked["job"], one["state"], asked["files"], int(request["limit_bytes"]), left)
            one.update(told)
            left -= taken
        found.append(one)
    return found


if __name__ == "__main__":
    sys.exit(main())
