"""What a history is played on: a machine, its vendor and an archive, simulated or real."""

from collections.abc import Callable
from typing import Protocol

from bot.domain.inventory.wishes import WatchedPath
from bot.domain.lease import Lease
from bot.ports.archive import Archive
from bot.ports.examiner import Examiner
from bot.ports.provider import Provider
from bot.ports.remote import Remote
from bot.ports.surveyor import Surveyor
from bot.ports.vault import Vault
from tests.soak.files import Files
from tests.soak.judge import Sights

Watched = Callable[[str], tuple[WatchedPath, ...]]


class Stage(Protocol):
    """A machine, its vendor and an archive, simulated or real."""

    files: Files
    provider: Provider
    remote: Remote
    examiner: Examiner
    archive: Archive
    vault: Vault
    settle_s: float
    at: Callable[[str], None]

    def survey(self, remote: Remote, watched: Watched) -> Surveyor:
        """The surveyor, over a way to the machine; ``watched`` tells what people want looked at."""
        ...

    @property
    def is_up(self) -> bool:
        """Its files can be written to."""
        ...

    @property
    def has_left_a_disk(self) -> bool:
        """The machine is gone, and its data disk was kept."""
        ...

    def now_s(self) -> float:
        """Seconds since 1970, as they truly pass."""
        ...

    def pass_time(self, s: float) -> None: ...
    def witness(self) -> Sights:
        """What the walk that just ended saw."""
        ...

    def holds(self, lease: Lease, path: bytes, content: bytes) -> bool:
        """Whether the archive has these very bytes of that file."""
        ...

    def strike(self, trouble: str) -> None:
        """Something goes wrong from now on."""
        ...

    def heal(self) -> None:
        """All is well again."""
        ...
