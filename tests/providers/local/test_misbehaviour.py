"""Each switch makes the provider misbehave as it says, and lets it behave again."""

import socket
import threading
from collections.abc import Callable
from pathlib import Path

import paramiko
import pytest

from bot.domain.instance import InstanceRef, InstanceState, ReleaseOutcome
from bot.errors import CredentialsRefused, NoCapacity, NotAllowed, QuotaExceeded, RateLimited, VendorTrouble
from bot.providers.local.misbehave import Misbehaviour
from bot.providers.local.provider import LocalProvider
from tests.providers.local.behind import Behind, offer
from tests.providers.world import Key, clearance, eventually, in_state, login, run, spec


@pytest.fixture
def switches(root: Path) -> Misbehaviour:
    """As another process would set them."""
    return Misbehaviour(root)


def launch(local: LocalProvider, key: Key, token: str) -> InstanceRef:
    return local.launch(spec(offer(local, "l4"), token, key))


def test_no_switch_is_misspelt(switches: Misbehaviour) -> None:
    with pytest.raises(TypeError):
        switches.set(no_such_switch=True)
    assert switches.read() == switches.set()


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"away": True}, VendorTrouble),
        ({"rate_limited_s": 7.5}, RateLimited),
        ({"credentials_refused": True}, CredentialsRefused),
    ],
)
def test_every_call_fails(
    local: LocalProvider, switches: Misbehaviour, key: Key, change: dict[str, object], error: type[Exception]
) -> None:
    l4, ref = offer(local, "l4"), InstanceRef("local", "0")
    switches.set(**change)
    calls: list[Callable[[], object]] = [
        local.offers,
        local.list_owned,
        lambda: local.launch(spec(l4, "one", key)),
        lambda: local.get(ref),
        lambda: local.release(ref, clearance(l4, "one")),
        lambda: local.stop(ref),
        lambda: local.start(ref),
    ]
    for call in calls:
        with pytest.raises(error):
            call()
    switches.clear()
    assert local.list_owned().instances == ()


@pytest.mark.parametrize("name", ["l4", "here-1/l4", "*"])
def test_no_capacity(cloud: Callable[..., LocalProvider], switches: Misbehaviour, key: Key, name: str) -> None:
    local = cloud(boot_s=60.0)
    switches.set(no_capacity=(name,))
    with pytest.raises(NoCapacity):
        launch(local, key, "one")
    assert offer(local, "l4").stock == 0
    assert local.list_owned().instances == ()
    switches.clear()
    assert launch(local, key, "one")


def test_quota_and_lost_answer(cloud: Callable[..., LocalProvider], switches: Misbehaviour, key: Key) -> None:
    local = cloud(boot_s=60.0)
    switches.set(quota=True)
    with pytest.raises(QuotaExceeded):
        launch(local, key, "one")
    switches.set(quota=False, launch_error=True)
    with pytest.raises(VendorTrouble):
        launch(local, key, "one")
    (made,) = local.list_owned().instances
    assert made.token == "one"
    switches.clear()
    assert launch(local, key, "one") == made.ref


def test_listings_and_words_that_are_not_what_they_were(
    cloud: Callable[..., LocalProvider], switches: Misbehaviour, key: Key
) -> None:
    local = cloud(boot_s=60.0)
    refs = [launch(local, key, token) for token in ("one", "two")]
    switches.set(list_first=1)
    listing = local.list_owned()
    assert (len(listing.instances), listing.complete) == (1, False)
    switches.set(list_first=None, unknown_state=True, only=("two",))
    assert [local.get(ref).state for ref in refs] == [InstanceState.PENDING, InstanceState.UNKNOWN]  # type: ignore[union-attr]


def test_refused_and_slow_releases(cloud: Callable[..., LocalProvider], switches: Misbehaviour, key: Key) -> None:
    local = cloud(boot_s=60.0)
    ref, leave = launch(local, key, "one"), clearance(offer(local, "l4"), "one")
    for word, error in (("not-allowed", NotAllowed), ("vendor-trouble", VendorTrouble)):
        switches.set(release_refused=word)
        with pytest.raises(error):
            local.release(ref, leave)
    in_state(local, ref, InstanceState.PENDING)
    switches.set(release_refused="", stop_refused=True)
    with pytest.raises(NotAllowed):
        local.stop(ref)
    switches.set(release_s=0.5)
    assert local.release(ref, leave) is ReleaseOutcome.ACCEPTED
    in_state(local, ref, InstanceState.RELEASING)
    with pytest.raises(NotAllowed):
        local.start(ref)
    assert [one.state for one in local.list_owned().instances] == [InstanceState.RELEASING]
    eventually(lambda: local.get(ref), lambda seen: seen is None)
    assert local.release(ref, leave) is ReleaseOutcome.GONE


def test_boots(local: LocalProvider, switches: Misbehaviour, key: Key) -> None:
    switches.set(boot_s=1.0)
    slow = launch(local, key, "slow")
    switches.set(boot_s=0.0, never_boots=True, only=("never",))
    never = launch(local, key, "never")
    threading.Event().wait(0.5)
    in_state(local, slow, InstanceState.PENDING)
    in_state(local, slow, InstanceState.RUNNING)
    in_state(local, never, InstanceState.PENDING)
    local.stop(never)
    in_state(local, never, InstanceState.STOPPED)
    local.start(never)
    switches.clear()
    in_state(local, never, InstanceState.RUNNING)


def test_ssh_that_does_not_let_in(local: LocalProvider, switches: Misbehaviour, key: Key) -> None:
    seen = in_state(local, launch(local, key, "one"), InstanceState.RUNNING)
    assert seen.address is not None
    where = (seen.address.host, seen.address.port)
    switches.set(ssh="deny")
    with pytest.raises(paramiko.AuthenticationException):
        login(seen, key)
    with socket.create_connection(where):
        switches.set(ssh="refuse")
        eventually(lambda: not _is_open(where))
    assert local.get(seen.ref) == seen
    switches.set(ssh="silent")
    eventually(lambda: _is_open(where))
    with socket.create_connection(where) as silent:
        silent.settimeout(0.3)
        with pytest.raises(TimeoutError):
            silent.recv(100)
    switches.clear()
    eventually(lambda: _answers(where))
    assert run(seen, key, "echo in")[1] == b"in\n"


def _is_open(where: tuple[str, int]) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(where) == 0


def _answers(where: tuple[str, int]) -> bool:
    try:
        with socket.create_connection(where) as door:
            door.settimeout(0.2)
            return door.recv(4) == b"SSH-"
    except OSError:
        return False


def test_dying(local: LocalProvider, switches: Misbehaviour, root: Path, key: Key) -> None:
    spared, doomed = launch(local, key, "spared"), launch(local, key, "doomed")
    seen = in_state(local, doomed, InstanceState.RUNNING)
    run(seen, key, "env -i setsid sleep 1000 </dev/null >/dev/null 2>&1 &")
    switches.set(dies_after_s=0.0, only=("doomed",))
    in_state(local, doomed, InstanceState.DOWN)
    assert Behind(root).pids(doomed) == []
    in_state(local, spared, InstanceState.RUNNING)
    switches.clear()
    local.start(doomed)
    in_state(local, doomed, InstanceState.RUNNING)


def test_data_disks(local: LocalProvider, switches: Misbehaviour, key: Key) -> None:
    switches.set(data_disk="missing")
    ref = launch(local, key, "one")
    look = "cat work/.gpubot-volume"
    assert run(in_state(local, ref, InstanceState.RUNNING), key, look)[0] == 1
    for word, answer in (
        ("unmarked", (1, b"")),
        ("other", (0, b"vol-of-another-machine\n")),
        ("read-only", (0, b"cannot\n")),
        ("", None),
    ):
        switches.set(data_disk=word)
        local.stop(ref)
        local.start(ref)
        seen = in_state(local, ref, InstanceState.RUNNING)
        promised = (0, f"{seen.volume_id}\n".encode())
        command = "touch work/x || echo cannot" if word == "read-only" else look
        assert run(seen, key, command) == (answer or promised)


def test_gpu_trouble(local: LocalProvider, switches: Misbehaviour, key: Key) -> None:
    ref = local.launch(spec(offer(local, "h100x2"), "one", key))
    seen = in_state(local, ref, InstanceState.RUNNING)
    ask = "nvidia-smi --query-gpu=index --format=csv,noheader"
    for word, status, lines in (("missing", 6, 1), ("one-short", 0, 1), ("fails", 15, 3), ("", 0, 2)):
        switches.set(gpu=word)
        got = run(seen, key, ask)
        assert (got[0], len(got[1].splitlines())) == (status, lines)
    switches.set(gpu="hangs")
    assert run(seen, key, f"timeout 0.5 {ask}") == (124, b"")


def test_switches_of_a_file_written_by_hand(root: Path, local: LocalProvider) -> None:
    path = root / "misbehave.json"
    path.write_text('{"no_capacity": ["h100"], "not-a-switch": 1}', encoding="ascii")
    assert local.misbehaviour.read().no_capacity == ("h100",)
    path.write_text("not json", encoding="ascii")
    assert local.misbehaviour.read().no_capacity == ()
    path.unlink()
