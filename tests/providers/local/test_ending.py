"""Stop and release end every process of a machine, and no other."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.domain.instance import InstanceRef, InstanceState
from bot.providers.local.processes import process
from bot.providers.local.provider import LocalProvider
from tests.providers.local.behind import Behind, offer, servers
from tests.providers.world import Key, clearance, eventually, in_state, run, spec

_BOMB = """
import os, time
left = 60
while left and os.fork() == 0:
    left -= 1
    if left % 3 == 0: os.setsid()
    if left % 20 == 0 and os.fork(): os._exit(0)
while True: time.sleep(0.01)
"""
_ESCAPES = {
    "own session": "setsid sleep 1000 </dev/null >/dev/null 2>&1 &",
    "no environment": "env -i setsid sleep 1000 </dev/null >/dev/null 2>&1 &",
    "orphan": "( ( env -i sleep 1000 </dev/null >/dev/null 2>&1 & ) & )",
    "deaf": "(trap '' TERM INT HUP; exec env -i sleep 1000) </dev/null >/dev/null 2>&1 &",
    "halted": "env -i sh -c 'kill -STOP $$' </dev/null >/dev/null 2>&1 &",
    "many": f"cat > bomb.py <<'E'\n{_BOMB}\nE\nenv -i setsid python3 bomb.py </dev/null >/dev/null 2>&1 &",
}


def running(local: LocalProvider, key: Key, lease_id: str = "lease-1") -> InstanceRef:
    ref = local.launch(spec(offer(local, "cpu"), lease_id, key))
    in_state(local, ref, InstanceState.RUNNING)
    return ref


@pytest.mark.parametrize(
    ("escape", "server_is_dead"), [(name, name != "deaf") for name in _ESCAPES] + [("many", False), ("orphan", False)]
)
def test_no_process_escapes(local: LocalProvider, root: Path, key: Key, escape: str, server_is_dead: bool) -> None:
    ref, behind = running(local, key), Behind(root)
    seen = local.get(ref)
    assert seen is not None
    idle = len(behind.pids(ref))
    run(seen, key, _ESCAPES[escape])
    eventually(lambda: len(behind.pids(ref)), lambda count: count >= idle + (50 if escape == "many" else 1))
    if server_is_dead:
        os.kill(_server_pid(behind, ref), 9)
        in_state(local, ref, InstanceState.DOWN)
    started = time.monotonic()
    local.stop(ref)
    assert time.monotonic() - started < 2.0
    assert behind.pids(ref) == []
    assert in_state(local, ref, InstanceState.STOPPED).address is None


def test_an_orphan_that_has_shed_its_marks_is_still_the_servers(local: LocalProvider, key: Key) -> None:
    ref = running(local, key)
    shed = "env -i bash -c 'ulimit -q 1; echo $$; exec sleep 1000' </dev/null >pid 2>&1 &"
    seen = in_state(local, ref, InstanceState.RUNNING)
    run(seen, key, f"({shed})")
    pid = int(eventually(lambda: run(seen, key, "cat pid")[1]))
    local.stop(ref)
    assert process(pid) is None or process(pid).state == "Z"  # type: ignore[union-attr]


def _server_pid(behind: Behind, ref: InstanceRef) -> int:
    from bot.providers.local.files import read_json

    record = read_json(behind.place(ref).server)
    assert record is not None
    return int(record["pid"])


def test_a_neighbour_and_an_onlooker_live_on(local: LocalProvider, root: Path, key: Key) -> None:
    one, other, behind = running(local, key, "one"), running(local, key, "other"), Behind(root)
    onlooker = subprocess.Popen(["sleep", "1000"], cwd=behind.place(one).home)
    try:
        neighbours = behind.pids(other)
        local.stop(one)
        assert onlooker.poll() is None
        assert behind.pids(other) == neighbours
        assert in_state(local, other, InstanceState.RUNNING)
    finally:
        onlooker.kill()
        onlooker.wait()


def test_a_dead_machine_keeps_its_disks_and_starts(local: LocalProvider, root: Path, key: Key) -> None:
    ref, behind = running(local, key), Behind(root)
    seen = local.get(ref)
    assert seen is not None
    run(seen, key, "echo kept > work/kept; env -i setsid sleep 1000 </dev/null >/dev/null 2>&1 &")
    os.kill(_server_pid(behind, ref), 9)
    in_state(local, ref, InstanceState.DOWN)
    left = set(behind.pids(ref))
    assert left
    local.start(ref)
    again = in_state(local, ref, InstanceState.RUNNING)
    assert not left & set(behind.pids(ref))
    assert run(again, key, "cat work/kept") == (0, b"kept\n")


def test_each_boot_has_its_own_id_and_port(local: LocalProvider, key: Key) -> None:
    ref = running(local, key)
    before = in_state(local, ref, InstanceState.RUNNING)
    first = run(before, key, "echo $GPUBOT_BOOT_ID")[1]
    local.stop(ref)
    local.start(ref)
    after = in_state(local, ref, InstanceState.RUNNING)
    assert before.address is not None
    assert after.address is not None
    assert after.address.port != before.address.port
    assert after.address.host_key == before.address.host_key
    assert run(after, key, "echo $GPUBOT_BOOT_ID")[1] not in {first, b"\n"}


def test_what_its_user_may_not_delete_goes_too(local: LocalProvider, root: Path, key: Key) -> None:
    ref, behind = running(local, key), Behind(root)
    run(
        in_state(local, ref, InstanceState.RUNNING),
        key,
        "mkdir -p work/a/b; touch work/a/b/c; chmod 500 work/a/b work/a",
    )
    started = time.monotonic()
    local.release(ref, clearance(offer(local, "cpu"), "lease-1"))
    assert time.monotonic() - started < 1.0
    eventually(lambda: behind.traces(ref), lambda left: not left)


def test_after_the_hosts_own_reboot_all_are_down(local: LocalProvider, root: Path, key: Key) -> None:
    ref, behind = running(local, key), Behind(root)
    record = behind.place(ref).server
    pid = _server_pid(behind, ref)
    record.write_text(json.dumps(json.loads(record.read_text()) | {"host_boot_id": "another"}), encoding="ascii")
    in_state(local, ref, InstanceState.DOWN)
    local.start(ref)
    in_state(local, ref, InstanceState.RUNNING)
    assert pid != _server_pid(behind, ref)


def test_many_hands_on_one_machine(cloud: Callable[..., LocalProvider], root: Path, key: Key) -> None:
    ref = cloud().launch(spec(offer(cloud(), "cpu"), "lease-1", key))
    verbs = ["stop", "start", "get", "list"] * 6

    def act(verb: str) -> None:
        local = cloud()
        match verb:
            case "stop":
                local.stop(ref)
            case "start":
                local.start(ref)
            case "get":
                assert local.get(ref)
            case _:
                assert len(local.list_owned().instances) == 1

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(act, verbs))
    local = cloud()
    local.start(ref)
    assert run(in_state(local, ref, InstanceState.RUNNING), key, "echo in")[1] == b"in\n"
    assert len(servers(root)) == 1
