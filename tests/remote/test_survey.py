"""Looks at a lease's machine over a real login: what they tell, and what they make of a machine that does not."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from bot.domain.instance import Capabilities, Keeps, SshAddress
from bot.domain.inventory.files import KnownFiles
from bot.domain.inventory.hashes import Hashed, HashKind, WhyNot
from bot.domain.inventory.inventory import Verdict, WhyBlind, WhyUnknown
from bot.domain.inventory.wishes import Treatment, WatchedPath
from bot.domain.lease import Lease, LeaseState
from bot.domain.secret import Secret
from bot.ports.remote import Step
from bot.remote.ssh import SshRemote
from bot.remote.survey import ScriptSurveyor
from tests.domain.lifecycle.sample import NOW, handed_over
from tests.remote.servers import Key, Sshd, free_port


class OpenVault:
    """Keeps the one key as it is."""

    def __init__(self, key: Secret) -> None:
        self.key = key

    def unseal(self, _sealed: str) -> Secret:
        return self.key


WISHES: list[WatchedPath] = []
"""What people named on the machine."""


@pytest.fixture
def server(start_sshd: Callable[..., Sshd]) -> Sshd:
    started = start_sshd(kinds=("ed25519",))
    (started.home / "work").mkdir()
    return started


@pytest.fixture
def survey(server: Sshd, remote: SshRemote) -> ScriptSurveyor:
    able = Capabilities(True, Keeps.ALL, Keeps.NOTHING, False, False, 60, 1, "work", "", simulated=False)
    vault = OpenVault(server.login().private_key)
    return ScriptSurveyor(remote, vault, {"local": able}, 1, lambda _: tuple(WISHES))  # type: ignore[arg-type]


@pytest.fixture
def lease(server: Sshd) -> Lease:
    address = SshAddress("127.0.0.1", server.port, server.login().address.user, server.host_keys["ed25519"])
    return handed_over(LeaseState.READY, address=address, public_key=server.key.line)


def test_what_came_after_the_baseline_is_told_with_the_jobs(survey: ScriptSurveyor, lease: Lease, server: Sshd) -> None:
    (server.home / "image").write_bytes(b"brought")
    known = survey.baseline(lease)
    assert survey.inventory(lease, known, NOW).verdict is Verdict.CLEAN
    (server.home / "work" / "model.pt").write_bytes(b"12345")
    found = survey.inventory(lease, known, NOW, ("fox/1",))
    assert (found.files, found.size_bytes, found.jobs) == (1, 5, ("fox/1",))
    (state,) = survey.listing(lease, known, (0, 1))
    assert state.path == b"~/work/model.pt"
    assert survey.inventory(lease, known.with_states([state]), NOW).verdict is Verdict.CLEAN
    answers = survey.hashes(lease, (state.path, b"~/gone"), HashKind.MD5)
    assert isinstance(answers[state.path], Hashed)
    assert answers[b"~/gone"] is WhyNot.GONE


def test_doors_are_closed_for_people_and_not_for_the_bot(
    survey: ScriptSurveyor, lease: Lease, server: Sshd, remote: SshRemote
) -> None:
    keys_file, person = server.home / ".ssh" / "authorized_keys", Key.fresh().line
    both = f"{server.key.line}\n{person}\n".encode()
    remote.run(server.login(), Step.PUT_KEYS, (), both, 20)
    assert person in keys_file.read_text()
    assert survey.close_doors(lease)
    assert person not in keys_file.read_text()
    assert server.key.line in keys_file.read_text()


@pytest.mark.parametrize(
    ("state", "why"), [(LeaseState.STOPPED, WhyUnknown.NOT_RUNNING), (LeaseState.READY, WhyUnknown.UNREACHABLE)]
)
def test_what_cannot_be_seen_is_unknown_and_nothing_raises(
    survey: ScriptSurveyor, lease: Lease, state: LeaseState, why: WhyUnknown
) -> None:
    assert lease.address is not None
    nowhere = SshAddress("127.0.0.1", free_port(), lease.address.user, lease.address.host_key)
    dark = lease.noted(state=state, address=nowhere)
    assert survey.inventory(dark, KnownFiles(), NOW).why_unknown is why
    assert not survey.close_doors(dark)
    assert survey.hashes(dark, (b"~/x",), HashKind.MD5) == {b"~/x": WhyNot.NOT_REACHED}


def test_another_host_key_is_a_reason_of_its_own(survey: ScriptSurveyor, lease: Lease) -> None:
    assert lease.address is not None
    other = " ".join(Key.fresh().line.split()[:2])
    address = SshAddress(lease.address.host, lease.address.port, lease.address.user, other)
    found = survey.inventory(lease.noted(address=address), KnownFiles(), NOW)
    assert found.why_unknown is WhyUnknown.HOST_KEY_CHANGED


def test_what_people_named_counts_and_what_can_be_had_again_is_named_alone(
    survey: ScriptSurveyor, lease: Lease, server: Sshd, tmp_path: Path
) -> None:
    aside, data = tmp_path / "scratch", server.home / "work" / "data set"
    for folder in (aside, data):
        folder.mkdir()
        (folder / "a.jpg").write_bytes(b"123")
    (data / "best.pt").write_bytes(b"12345")
    wish = partial(WatchedPath, lease.id, by="U1", at=NOW)
    known = survey.baseline(lease)
    WISHES[:] = [
        wish(os.fsencode(aside), Treatment.ADDED),
        wish(b"/no/such", Treatment.ADDED),
        wish(os.fsencode(aside / "a.jpg"), Treatment.ADDED),
        wish(os.fsencode(data), Treatment.SKIPPED),  # typed as it really is, walked as ~/work/data set
    ]
    try:
        found = survey.inventory(lease, KnownFiles(), NOW)
        assert {state.path for state in survey.listing(lease, known, (0, 1))} == {os.fsencode(aside / "a.jpg")}
    finally:
        WISHES.clear()
    blind = {(os.fsencode(aside / "a.jpg"), WhyBlind.NOT_A_FOLDER), (b"/no/such", WhyBlind.MISSING)}
    assert {(spot.path, spot.why) for spot in found.blind.first} == blind
    (skipped,) = [part for part in found.left_out if part.rule == "skipped"]
    assert (skipped.files, skipped.size_bytes) == (1, 3)
    assert b"~/work/data set/best.pt" in {file.path for file in found.biggest}
