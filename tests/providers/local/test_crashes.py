"""Callers that die anywhere, callers in several processes, callers in many threads: never a second machine."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.domain.instance import InstanceRef, InstanceState
from bot.providers.local.provider import LocalProvider
from tests.providers.local.behind import Behind, offer, servers
from tests.providers.world import Key, clearance, eventually, in_state, run, spec

_HOUSE = Path(__file__).parents[3]
# The audit event before which the caller dies, what it mentions, and its how-manieth one.
_LAUNCH_DEATHS = {
    "first file": ("open", "host_key", 1),
    "home half made": ("open", "authorized_keys", 1),
    "complete, not in place": ("os.rename", "/instances/", 1),
    "in place, no boot": ("os.rename", "state.json", 2),
    "boot recorded, no server": ("subprocess.Popen", "GPUBOT_LOG", 1),
    "server runs, not recorded": ("os.rename", "server.json", 1),
}


def starter(root: Path, call: str, key: Key, *death: object) -> subprocess.Popen[str]:
    arguments = [str(root), call, "lease-1", key.line, *map(str, death)]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.providers.local.starter", *arguments],
        cwd=_HOUSE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def killed(root: Path, call: str, key: Key, *death: object) -> None:
    with starter(root, call, key, *death) as caller:
        assert caller.wait(20) == -signal.SIGKILL, "it did not get to where it was to die"


@pytest.mark.parametrize("death", _LAUNCH_DEATHS.values(), ids=_LAUNCH_DEATHS.keys())
def test_a_launch_that_dies_makes_one_machine_or_none(
    cloud: Callable[..., LocalProvider], root: Path, key: Key, death: tuple[str, str, int]
) -> None:
    killed(root, "launch", key, *death)
    if death[1] == "server.json":  # the orphan is to be there first, whatever this machine is busy with
        eventually(lambda: list(root.glob("instances/*/server.lock")))
    local = cloud()
    if death[1] != "state.json":
        listed = local.list_owned().instances
        assert len(listed) <= 1
        for found in listed:
            in_state(local, found.ref, InstanceState.RUNNING)
    ref = local.launch(spec(offer(local, "cpu"), "lease-1", key))
    seen = in_state(local, ref, InstanceState.RUNNING)
    assert run(seen, key, "cat work/.gpubot-volume")[0] == 0
    assert [one.ref for one in local.list_owned().instances] == [ref]
    eventually(lambda: servers(root), lambda pids: len(pids) == 1)
    assert list((root / "drafts").iterdir()) == []


@pytest.mark.parametrize(
    ("call", "death", "state"),
    [
        ("stop", ("os.kill", "", 1), InstanceState.STOPPED),
        ("stop", ("os.kill", "", 2), InstanceState.STOPPED),
        ("stop", ("os.rename", "state.json", 2), InstanceState.STOPPED),
        ("release", ("os.kill", "", 2), None),
        ("release", ("os.rename", "/trash/", 1), None),
        ("release", ("subprocess.Popen", "rm -rf", 1), None),
    ],
)
def test_what_a_dead_caller_has_begun_is_finished(
    cloud: Callable[..., LocalProvider],
    root: Path,
    key: Key,
    call: str,
    death: tuple[str, str, int],
    state: InstanceState | None,
) -> None:
    local, behind = cloud(), Behind(root)
    ref = local.launch(spec(offer(local, "cpu"), "lease-1", key))
    in_state(local, ref, InstanceState.RUNNING)
    assert behind.pids(ref)
    killed(root, call, key, *death)
    seen = cloud().get(ref)
    assert (seen and seen.state) == state
    assert behind.pids(ref) == []
    if state is None:
        eventually(lambda: behind.traces(ref), lambda left: not left)


def test_a_start_that_dies_is_finished(cloud: Callable[..., LocalProvider], root: Path, key: Key) -> None:
    local = cloud()
    ref = local.launch(spec(offer(local, "cpu"), "lease-1", key))
    local.stop(ref)
    killed(root, "start", key, "subprocess.Popen", "GPUBOT_LOG", 1)
    in_state(cloud(), ref, InstanceState.RUNNING)
    assert len(servers(root)) == 1


def test_machines_outlive_whoever_started_them(cloud: Callable[..., LocalProvider], root: Path, key: Key) -> None:
    with starter(root, "launch", key) as caller:
        instance_id, _ = caller.communicate(timeout=20)
    local = cloud()
    seen = in_state(local, InstanceRef("local", instance_id), InstanceState.RUNNING)
    assert run(seen, key, "echo alive") == (0, b"alive\n")
    with pytest.raises(ProcessLookupError):
        os.killpg(caller.pid, 0)


def test_processes_that_launch_the_same_token(cloud: Callable[..., LocalProvider], root: Path, key: Key) -> None:
    callers = [starter(root, "launch", key) for _ in range(4)]
    ids = {caller.communicate(timeout=30)[0] for caller in callers}
    assert [caller.returncode for caller in callers] == [0] * 4
    assert len(ids) == 1
    in_state(cloud(), InstanceRef("local", ids.pop()), InstanceState.RUNNING)
    assert len(servers(root)) == 1


def test_twenty_at_once(local: LocalProvider, root: Path, key: Key) -> None:
    cpu = offer(local, "cpu")
    with ThreadPoolExecutor(20) as pool:
        refs = list(pool.map(lambda number: local.launch(spec(cpu, f"lease-{number}", key)), range(20)))
        seen = list(pool.map(lambda ref: in_state(local, ref, InstanceState.RUNNING, 40), refs))
        assert len({one.address.port for one in seen if one.address}) == 20
        assert len({one.volume_id for one in seen}) == 20
        started = time.monotonic()
        list(pool.map(lambda n: local.release(refs[n], clearance(cpu, f"lease-{n}")), range(20)))
        assert time.monotonic() - started < 10.0
    assert local.list_owned().instances == ()
    assert servers(root) == []
