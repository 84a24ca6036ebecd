"""The port to what is stored about watched paths and about wishes to get something from the archive."""

from dataclasses import dataclass
from typing import Protocol

from bot.domain.fetching.browse import ArchivedFile
from bot.domain.fetching.run import FetchRun
from bot.domain.inventory.hashes import HashKind
from bot.domain.inventory.wishes import WatchedPath
from bot.domain.lease import Lease
from bot.ports.errand_store import ErrandStore


class WatchStore(Protocol):
    """Paths that people named on machines; one entry for each."""

    def put(self, wish: WatchedPath) -> None:
        """Name one; what was said of the same path before no longer counts."""
        ...

    def remove(self, lease_id: str, path: bytes) -> bool:
        """False where it was not named."""
        ...

    def of(self, lease_id: str) -> tuple[WatchedPath, ...]:
        """In the order they were named."""
        ...


@dataclass(frozen=True, slots=True)
class Holding:
    """A lease of which the archive holds something."""

    lease: Lease
    files: int
    size_bytes: int


class FetchStore(ErrandStore[FetchRun], Protocol):
    """What the archive holds, as the manifests say; and who wants something of it."""

    def called(self, name: str) -> tuple[tuple[Lease, bool], ...]:
        """Leases that have or had that name, or whose folder in the archive is called so, each with whether the archive
        holds something of it; the newest first."""
        ...

    def holdings(self, owner: str, limit: int) -> tuple[Holding, ...]:
        """An owner's leases with at least one verified copy, the newest first."""
        ...

    def names(self, limit: int) -> tuple[str, ...]:
        """Of leases with at least one verified copy, the newest first."""
        ...

    def files(self, lease_id: str) -> tuple[ArchivedFile, ...]:
        """All with a verified copy, by path; without when they were verified."""
        ...

    def file(self, lease_id: str, path: bytes) -> ArchivedFile | None:
        """One with a verified copy."""
        ...

    def below(self, lease_id: str, path: bytes) -> tuple[int, int]:
        """(files, bytes) with a verified copy in a folder, however deep."""
        ...

    def hash_of(self, lease_id: str, path: bytes) -> tuple[HashKind, str] | None:
        """Of the verified copy of a file."""
        ...
