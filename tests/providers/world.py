"""What tests of providers need around them: a lease's key, a clearance, waiting for a condition, logging in."""

import base64
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

import paramiko

from bot.domain.disk import Disk, DiskState
from bot.domain.disk_release import ClearDisk, DiskClearance, decide_disk
from bot.domain.instance import Instance, InstanceRef, InstanceState, LaunchSpec
from bot.domain.inventory.inventory import Inventory
from bot.domain.lease import Lease, LeaseState
from bot.domain.offers import Offer
from bot.domain.on_disk import OnDisk
from bot.domain.question import Question, QuestionState
from bot.domain.release import Clear, Clearance, decide
from bot.ports.provider import Provider


def now() -> datetime:
    return datetime.fromtimestamp(time.time(), UTC)


def eventually(look: Callable[[], Any], until: Callable[[Any], bool] = bool, deadline_s: float = 10.0) -> Any:
    """What ``look`` returns once ``until`` holds for it; fails at the deadline, showing the last one."""
    end, pause = time.monotonic() + deadline_s, threading.Event()
    while not until(seen := look()):
        assert time.monotonic() < end, f"still {seen!r} after {deadline_s} s"
        pause.wait(0.01)
    return seen


@dataclass(frozen=True)
class Key:
    """A person's or a lease's key pair."""

    private: paramiko.Ed25519Key
    path: Path

    @cached_property
    def line(self) -> str:
        return f"{self.private.get_name()} {self.private.get_base64()}"


def fresh_key(path: Path) -> Key:
    from bot.providers.local.birth import make_host_key

    path.write_text(make_host_key()[0], encoding="ascii")
    path.chmod(0o600)
    return Key(paramiko.Ed25519Key.from_private_key_file(str(path)), path)


def disk_clearance(disk_id: str) -> DiskClearance:
    """Leave to delete a kept disk, as `decide_disk` gives it after a yes."""
    kept = Disk(
        "disk-1", "models", "U1", "T1", "C1", "local", "here-1", 10, 1, "lease-1", DiskState.KEPT, now(), disk_id
    )
    seen = OnDisk("lease-1", Inventory(now()))
    asked = Question(
        "q-1", "lease-1", "U1", now(), QuestionState.YES, "U1", now() - timedelta(minutes=2),
        fingerprint=seen.inventory.fingerprint, signs_read_at=now(), disk_id="disk-1",
    )  # fmt: skip
    decision = decide_disk(kept, asked, seen.inventory, seen, now(), timedelta(seconds=60))
    assert isinstance(decision, ClearDisk)
    return decision.clearance


def clearance(offer: Offer, token: str, at: datetime | None = None, keep_disk_as: str | None = None) -> Clearance:
    """Leave to release what was never handed over, as `decide` gives it."""
    at = at or now()
    lease = Lease(
        id=token,
        name="amber-fox",
        team_id="T1",
        owner="U1",
        channel="C1",
        offer=offer,
        disk_gib=10,
        length_s=3600,
        quote_microusd=1,
        requested_at=at,
        state=LeaseState.BOOTING,
        state_since=at,
        keep_disk_as=keep_disk_as,
    )
    decision = decide(lease, None, at, timedelta(seconds=60))
    assert isinstance(decision, Clear)
    return decision.clearance


def spec(offer: Offer, token: str, key: Key, **changes: object) -> LaunchSpec:
    fields = {"token": token, "name": "amber-fox", "offer": offer, "disk_gib": 10, "public_key": key.line}
    return LaunchSpec(**(fields | changes))  # type: ignore[arg-type]


def in_state(provider: Provider, ref: InstanceRef, state: InstanceState, deadline_s: float = 20.0) -> Instance:
    """The instance once it is in that state."""
    found = eventually(lambda: provider.get(ref), lambda seen: seen is not None and seen.state is state, deadline_s)
    assert found is not None
    return found


def login(instance: Instance, key: Key, timeout_s: float = 10.0) -> paramiko.SSHClient:
    """A session that trusts the promised host key and no other."""
    assert instance.address is not None
    assert instance.address.host_key is not None
    name, body = instance.address.host_key.split()
    client = paramiko.SSHClient()
    host = f"[{instance.address.host}]:{instance.address.port}"
    client.get_host_keys().add(host, name, paramiko.PKey.from_type_string(name, base64.b64decode(body)))
    client.set_missing_host_key_policy(paramiko.RejectPolicy())
    client.connect(
        instance.address.host,
        instance.address.port,
        instance.address.user,
        pkey=key.private,
        timeout=timeout_s,
        banner_timeout=timeout_s,
        auth_timeout=timeout_s,
        allow_agent=False,
        look_for_keys=False,
    )
    return client


def run(instance: Instance, key: Key, command: str | bytes) -> tuple[int, bytes]:
    """Exit status and output of one command."""
    with login(instance, key) as client:
        _, stdout, _ = client.exec_command(command, timeout=15)  # type: ignore[arg-type]
        output = stdout.read()
        return stdout.channel.recv_exit_status(), output
