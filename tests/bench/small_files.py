"""20,000 small files from a machine into the archive: what the verification costs on top of the copying."""

from pathlib import Path
from statistics import median

from bot.remote.ssh import SshRemote
from bot.services.run_syncs import FILES_AT_ONCE
from tests.bench.copying import ours, peer
from tests.bench.rows import Row, Say, at_most
from tests.remote.servers import Key, Sshd

FILES, SIZE_BYTES = 20_000, 1_000
REPEATS = 2
MOST = 2.0


def measure(folder: Path, say: Say) -> list[Row]:
    """Medians, in turn, each into an empty archive."""
    server = Sshd(
        folder / "sshd", Key.fresh(), kinds=("ed25519",), options=("Subsystem sftp internal-sftp", "LogLevel ERROR")
    )
    server.start()
    remote = SshRemote()
    taken: dict[str, list[float]] = {}
    try:
        data = server.home / "work"
        names = [f"{number // 200:03}/{number:05}.json" for number in range(FILES)]
        for name in names:
            (data / name).parent.mkdir(parents=True, exist_ok=True)
            (data / name).write_bytes(name.encode().ljust(SIZE_BYTES, b"."))
        paths = [f"~/work/{name}".encode() for name in names]
        parts = [tuple(paths[begin : begin + FILES_AT_ONCE]) for begin in range(0, FILES, FILES_AT_ONCE)]
        login = server.login(server.host_keys["ed25519"])
        for number in range(REPEATS):
            told = ours(folder, server, login, remote, parts) | peer(folder, login, data)
            for name, seconds in told.items():
                taken.setdefault(name, []).append(seconds)
            say(
                f"  {number + 1} of {REPEATS}: " + ", ".join(f"{name} {all_[-1]:.1f} s" for name, all_ in taken.items())
            )
    finally:
        remote.close()
        server.stop()
    middle = {name: median(told) for name, told in taken.items()}
    return [
        at_most(f"{FILES:,} small files, verified as well", middle["ours whole"], middle["ours"], "s", MOST),
        at_most(f"{FILES:,} small files, copied", middle["ours"], middle["rclone"], "s"),
    ]
