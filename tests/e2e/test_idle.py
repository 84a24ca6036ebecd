"""What the bot costs while nobody wants anything; how quickly it and its machines are there is told by `make bench`."""

import logging
import subprocess
import sys
from pathlib import Path

from tests.e2e.conftest import Deploy

log = logging.getLogger(__name__)
HEAVY = ("torch", "matplotlib", "numpy")
MOST_MIB = 150


def rss_mib(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def test_is_small_and_loads_nothing_heavy(deploy: Deploy) -> None:
    """Also after its first machine: SSH and the checklist are loaded by then."""
    deployment = deploy()
    deployment.start(as_command=True)
    deployment.ready()
    deployment.ana("/gpu offers")
    assert deployment.process is not None
    pid = deployment.process.pid
    size = rss_mib(pid)
    log.info("%.0f MiB", size)
    assert size < MOST_MIB
    mapped = {Path(line.split()[-1]) for line in Path(f"/proc/{pid}/maps").read_text().splitlines() if "/" in line}
    assert any(path.name.startswith("libpython") or path.name.startswith("python") for path in mapped)
    heavy = [path for path in mapped if set(HEAVY) & set(path.parts) or path.name.startswith("libtorch")]
    assert heavy == []


def test_importing_the_bot_imports_nothing_heavy() -> None:
    """What has no shared object of its own does not show in a process's map."""
    seen = subprocess.run(
        [sys.executable, "-c", "import sys, bot.bootstrap, bot.__main__; print(*sorted(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    ).stdout.split()
    assert "handlers.listeners" in seen
    assert [name for name in seen if name.split(".")[0] in HEAVY] == []
