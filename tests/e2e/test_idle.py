"""What the bot costs while nobody wants anything, and how quickly it is there."""

import logging
import subprocess
import sys
import time
from pathlib import Path

from tests.e2e.conftest import Deploy
from tests.e2e.deployment import Deployment

log = logging.getLogger(__name__)
HEAVY = ("torch", "matplotlib", "numpy")
MOST_MIB = 150


def rss_mib(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def test_is_small_and_loads_nothing_heavy(deployment: Deployment) -> None:
    """Also after its first machine: SSH and the checklist are loaded by then."""
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


def test_ready_at_most_two_seconds_after_the_boot_delay(deploy: Deploy) -> None:
    boot_s = 1.0
    bot = deploy(local_boot_s=boot_s)
    bot.start()
    bot.ready("/gpu rent cpu 1h")  # the first one loads SSH
    began = time.monotonic()
    bot.ana("/gpu rent t4 1h")
    bot.wait(lambda: [c for c in bot.cards() if "*ready*" in c.words and "T4" in c.words])
    took_s = time.monotonic() - began
    log.info("ready %.2f s after the boot delay", took_s - boot_s)
    assert took_s < boot_s + 2.0
