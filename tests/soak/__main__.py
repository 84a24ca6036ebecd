"""``python -m tests.soak N``: random histories, as many as you like. Ends with how many bytes' files were lost."""

import argparse
import random
import sys
import time

from tests.soak.play import Tally, in_memory, play

TELL_EVERY_S = 10.0


def main() -> int:
    """0 where nothing was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("histories", type=int)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6, 10**9))
    asked = parser.parse_args()
    print(f"seed {asked.seed}: python -m tests.soak {asked.histories} --seed {asked.seed}", flush=True)
    began, told_at = time.monotonic(), time.monotonic()
    tally = Tally()

    def tell(tally: Tally) -> None:
        nonlocal told_at
        now = time.monotonic()
        if now - told_at < TELL_EVERY_S and tally.histories < asked.histories:
            return
        told_at, rate = now, tally.histories / (now - began)
        left_s = max(0, asked.histories - tally.histories) / rate
        print(
            f"{tally.histories} of {asked.histories} histories, {tally.steps} steps, {tally.releases} releases, "
            f"{rate:.1f} histories a second, {left_s / 60:.0f} min left",
            flush=True,
        )

    try:
        with in_memory() as theatre:
            play(theatre, asked.histories, asked.seed, tell, tally=tally)
    except AssertionError as lost:
        print("\n".join((*getattr(lost, "__notes__", ()), str(lost))), file=sys.stderr)
    print(f"histories {tally.histories}, bytes lost without a yes {tally.lost_bytes}")
    return 0 if tally.histories >= asked.histories and not tally.lost_bytes else 1


if __name__ == "__main__":
    sys.exit(main())
