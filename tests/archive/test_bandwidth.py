"""The cap on the network: who copies alone has all of it, and who comes later gets an equal share of it."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from bot.archive.bandwidth import Bandwidth, Share
from bot.archive.rclone import RcloneArchive
from bot.ports.archive import Place, TroubleKind
from tests.archive.conftest import Machine
from tests.providers.world import eventually

KIB = 1024
CAP = 400 * KIB


def test_copies_that_run_share_the_cap_and_one_alone_has_all_of_it(
    machine: Machine, there: Path, tmp_path: Path
) -> None:
    """As rclone itself says, while it runs."""
    bandwidth = Bandwidth(CAP, copies=2)
    archive = RcloneArchive(str(there), tmp_path / "run", os.environ, bandwidth=bandwidth)
    (machine.data / "big").write_bytes(os.urandom(64 * 1024 * KIB))
    ends = {name: Event() for name in ("first", "second")}

    def copy(name: str) -> TroubleKind | None:
        order = machine.order(b"~/work/big", place=Place("U1", name))
        saved = machine.save(archive, order, should_stop=ends[name].is_set)
        return saved.trouble.kind if saved.trouble is not None else None

    def rates() -> list[int | None]:
        return [share.rate() for share in tuple(bandwidth.shares)]

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(copy, "first")
        try:
            eventually(rates, lambda told: told == [CAP])
            second = pool.submit(copy, "second")
            eventually(rates, lambda told: told == [CAP // 2, CAP // 2])
            ends["second"].set()
            assert second.result(20) is TroubleKind.STOPPED
            eventually(rates, lambda told: told == [CAP])
        finally:
            for end in ends.values():
                end.set()
        assert first.result(20) is TroubleKind.STOPPED
    assert not bandwidth.shares


def test_nobody_without_the_password_changes_it(machine: Machine, there: Path, tmp_path: Path) -> None:
    bandwidth, stop = Bandwidth(CAP, copies=2), Event()
    archive = RcloneArchive(str(there), tmp_path / "run", os.environ, bandwidth=bandwidth)
    (machine.data / "big").write_bytes(os.urandom(64 * 1024 * KIB))
    with ThreadPoolExecutor(1) as pool:
        copying = pool.submit(machine.save, archive, machine.order(b"~/work/big"), should_stop=stop.is_set)
        try:
            eventually(lambda: [share.rate() for share in tuple(bandwidth.shares)], lambda told: told == [CAP])
            (share,) = bandwidth.shares
            assert share.socket.parent.stat().st_mode & 0o077 == 0
            stranger = Share(Bandwidth(9 * CAP, copies=2), share.socket, share.bytes_per_s)
            stranger.keep_up()
            assert (stranger.bytes_per_s, stranger.rate(), share.rate()) == (CAP, None, CAP)
        finally:
            stop.set()
        saved = copying.result(20)
    assert saved.trouble is not None
    assert saved.trouble.kind is TroubleKind.STOPPED


def test_where_no_socket_can_be_it_has_its_part_of_all(tmp_path: Path) -> None:
    share = Share(Bandwidth(CAP, copies=4), tmp_path / ("x" * 100), CAP // 4)
    assert share.environment == {"RCLONE_BWLIMIT": f"{CAP // 4}B"}
    share.keep_up()
    assert share.bytes_per_s == CAP // 4
