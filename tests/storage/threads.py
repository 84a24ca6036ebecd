"""Many threads that begin at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

T = TypeVar("T")


def at_once(count: int, work: Callable[[int], T]) -> list[T]:
    """Run ``work(0)``, ``work(1)``, … in threads of their own, started together; what they returned, in order."""
    start = Barrier(count)

    def one(number: int) -> T:
        start.wait(30)
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))
