"""Looks behind the local provider's back."""

from pathlib import Path

from bot.domain.instance import InstanceRef
from bot.domain.offers import Offer
from bot.ports.provider import Provider
from bot.providers.local.places import Place, Root
from bot.providers.local.processes import SERVER_MODULE, Marks, living, members
from bot.providers.local.state import load_state


class Behind:
    """Finds what machines have left; remembers their marks for when their records are gone."""

    def __init__(self, root: Path) -> None:
        self._root = Root(root)
        self._marks: dict[str, tuple[int, int]] = {}

    def place(self, ref: InstanceRef) -> Place:
        return self._root.place(ref.id)

    def pids(self, ref: InstanceRef) -> list[int]:
        """Processes that carry its marks, also those that are no longer below its server."""
        state = load_state(self.place(ref).state)
        if state is not None:
            self._marks[ref.id] = state.mark
        return [found.pid for found in members(Marks(ref.id, self._marks.get(ref.id, (0, 0))))]

    def traces(self, ref: InstanceRef) -> list[str]:
        left = [f"process {pid}" for pid in self.pids(ref)]
        left += [str(path) for path in (self._root.instances, self._root.trash) for path in path.glob(f"{ref.id}*")]
        return left


def servers(root: Path) -> list[int]:
    """Servers of machines below the root, recorded or not."""
    lines = {found.pid: _command(found.pid) for found in living()}
    return [pid for pid, line in lines.items() if SERVER_MODULE in line and str(root) in line and "/bin/sh" not in line]


def _command(pid: int) -> str:
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""


def offer(provider: Provider, ref: str, region: str | None = None) -> Offer:
    """The first offer on the list with that reference."""
    return next(one for one in provider.offers() if one.ref == ref and region in (None, one.region))
