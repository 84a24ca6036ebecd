"""The checklist, use, the idle reminder and the receipt, as people meet them."""

import re
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.domain.lease import Lease
from bot.domain.use import UseVerdict
from bot.playground.client_types import Message
from bot.providers.local.places import Place
from tests.e2e.deployment import ANA, GPUS, Deployment

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """A deployment that looks at use every half second and calls a machine idle after two; Ana is awake."""
    hour = datetime.now(UTC).hour
    running = Deployment(tmp_path_factory.mktemp("town"), use_look_s=0.5, idle_after_s=3, local_boot_limit_s=5)
    running.workspace.change_person("ana", tz=f"Etc/GMT{hour - 12:+d}")
    running.start()
    yield running
    running.close()


def card(town: Deployment, name: str, *words: str, timeout_s: float = 20) -> Message:
    def look() -> Message | None:
        return next((c for c in town.cards() if f"*{name}*" in c.words and all(w in c.words for w in words)), None)

    return town.wait(look, timeout_s)


def ready(town: Deployment, name: str, gpu: str = "t4") -> Message:
    assert "Renting" in town.ana(f"/gpu rent {gpu} 1h name={name}").words
    return card(town, name, "*ready*")


def said(town: Deployment, shown: Message, *words: str, timeout_s: float = 20) -> Message:
    """A reply in a card's thread."""
    ana = town.person("ana")

    def look() -> Message | None:
        thread = ana.thread(shown.channel, shown.ts)
        return next((m for m in thread[1:] if not m.ephemeral and all(w in m.words for w in words)), None)

    return town.wait(look, timeout_s)


def lease_of(town: Deployment, name: str) -> Lease:
    with town.store.read() as tx:
        found = tx.leases.by_name(name)
    assert found is not None
    return found


def place_of(town: Deployment, name: str) -> Place:
    ref = lease_of(town, name).ref
    assert ref is not None
    return Place(town.root / "data" / "local" / "instances" / ref.id)


def test_a_machine_is_handed_over_with_its_checks_and_checked_again_when_asked(town: Deployment) -> None:
    shown = ready(town, "checked")
    handed_over = said(town, shown, "is ready", "checks are good")
    assert "PyTorch is not installed" in handed_over.words
    assert "Looking at *checked*…" in town.ana("/gpu check checked").words
    words = said(town, shown, "The checklist of *checked*").words
    assert ":white_check_mark: GPU: as rented, simulated — 1× Simulated NVIDIA Tesla T4, 15360 MiB" in words
    assert ":white_check_mark: Data disk: the one that was promised" in words
    assert ":white_check_mark: Disks take files" in words
    assert f"Way out: {town.server.base_url}" in words
    assert "driver 580.95.05 (simulated)" in words
    assert ":x:" not in words


@pytest.mark.parametrize(("gpu", "words"), [("missing", "the driver sees no card"), ("one-short", "says nothing")])
def test_a_machine_with_a_broken_gpu_is_unfit_and_says_why_also_when_it_is_kept(
    town: Deployment, gpu: str, words: str
) -> None:
    name = f"broken-{gpu}"
    town.misbehaviour.set(gpu=gpu)
    try:
        assert "Renting" in town.ana(f"/gpu rent t4 1h name={name}").words
        shown = card(town, name, "*not fit to hand over*", ":x: GPU", words)
        town.person("ana").click(shown, "lease_keep_anyway")
        card(town, name, "*ready*")
        town.ana(f"/gpu check {name}")
        said(town, shown, f"The checklist of *{name}*", ":x: GPU", words)
    finally:
        town.misbehaviour.clear()


def test_torch_that_is_there_multiplies_on_the_cpu_and_that_is_said(town: Deployment) -> None:
    shown = ready(town, "with-torch", "cpu")
    folder = place_of(town, "with-torch").home / ".venv" / "bin"
    folder.mkdir(parents=True)
    python = folder / "python"
    python.write_text(
        '#!/bin/sh\necho "python=$0"\necho torch_cuda=none\necho "torch=2.12.0 False 0 "\necho framework=cpu\n'
    )
    python.chmod(0o755)
    town.ana("/gpu check with-torch")
    words = said(town, shown, "The checklist of").words
    assert "*on the CPU*: there is no real GPU here — torch 2.12.0+cpu" in words


def test_a_machine_that_cannot_be_reached_is_not_known_and_nobody_is_reminded(town: Deployment) -> None:
    shown = ready(town, "unreached", "cpu")
    town.misbehaviour.set(ssh="refuse", only=(lease_of(town, "unreached").id,))
    try:
        card(town, "unreached", "Use: not known", timeout_s=40)
        town.ana("/gpu check unreached")
        words = said(town, shown, "could not be looked at", timeout_s=60).words
        assert ":x:" not in words
        assert ":white_check_mark:" not in words
        assert words.count("could not look") >= 4
        lease = lease_of(town, "unreached")
        town.wait(lambda: len(samples(town, lease)) > 12, 60)
        assert {sample.verdict for sample in samples(town, lease)[-8:]} == {UseVerdict.UNKNOWN}
        with town.store.read() as tx:
            activity = tx.use.get(lease.id)
        assert activity is not None
        assert activity.idle_since is None
    finally:
        town.misbehaviour.clear()


def samples(town: Deployment, lease: Lease) -> tuple:  # type: ignore[type-arg]
    with town.store.read() as tx:
        return tx.use.samples(lease.id, lease.requested_at)


def reminders(town: Deployment, shown: Message) -> list[Message]:
    thread = town.person("ana").thread(shown.channel, shown.ts)
    return [message for message in thread if "is unused since" in message.words]


def test_an_idle_machine_is_brought_up_with_evidence_and_keep_silences(town: Deployment) -> None:
    shown = ready(town, "idler")
    reminder = said(town, shown, "*idler* is unused since", timeout_s=40)
    assert re.search(r"GPU at most \d %, CPU at most 0\.\d cores, no job runs, nobody is logged in", reminder.words)
    assert "it goes on at $0.39 an hour" in reminder.words
    assert reminder.action_ids == ["lease_keep_quiet", "lease_stop", "lease_release"]
    card(town, "idler", "unused since")
    town.person("ana").click(reminder, "lease_keep_quiet")
    said(town, shown, "keeps *idler*: no idle reminders until")
    before = len(reminders(town, shown))
    lease = lease_of(town, "idler")
    looks = len(samples(town, lease))
    # The next rungs pass meanwhile: twice and four times as long.
    town.wait(lambda: idle_s(town, lease) > 16 and len(samples(town, lease)) > looks + 3, 60)
    assert len(reminders(town, shown)) == before
    card(town, "idler", "no reminders until")
    assert "until" in town.ana("/gpu keep idler 2h").words


def idle_s(town: Deployment, lease: Lease) -> float:
    with town.store.read() as tx:
        activity = tx.use.get(lease.id)
    assert activity is not None
    return activity.idle_s


def test_each_rung_once_and_a_stop_from_the_reminder(town: Deployment) -> None:
    shown = ready(town, "rungs", "cpu")
    town.wait(lambda: len(reminders(town, shown)) >= 2, 60)
    lease = lease_of(town, "rungs")
    assert idle_s(town, lease) >= 5
    assert len(reminders(town, shown)) <= 1 + int(idle_s(town, lease) / 3).bit_length()
    town.person("ana").click(reminders(town, shown)[0], "lease_stop")
    card(town, "rungs", "*stopped*")


def test_work_on_the_machine_ends_the_spell(town: Deployment, on_machine: Callable[[str, str], None]) -> None:
    shown = ready(town, "worker")
    said(town, shown, "*worker* is unused since", timeout_s=40)
    on_machine("worker", "nohup sh -c 'while :; do :; done' >/dev/null 2>&1 </dev/null &")

    def works() -> Message | None:
        found = card(town, "worker", "GPU ")
        percent = re.search(r"GPU (\d+) %", found.words)
        return found if percent and int(percent[1]) >= 5 and "unused since" not in found.words else None

    town.wait(works, 40)
    assert re.search(r"GPU \d+ % · CPU \d\.\d cores", town.ana("/gpu status worker").words)


@pytest.fixture
def on_machine(town: Deployment, tmp_path: Path) -> Callable[[str, str], None]:
    """Run something by the machine's own key, as nobody but the bot could."""

    def run(name: str, command: str) -> None:
        lease = lease_of(town, name)
        assert lease.address is not None
        key, public = tmp_path / "id", tmp_path / "id.pub"
        if not key.exists():
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
        authorized = place_of(town, name).home / ".ssh" / "authorized_keys"
        authorized.write_text(authorized.read_text() + public.read_text())
        options = ["-o", "StrictHostKeyChecking=no", "-o", f"UserKnownHostsFile={tmp_path / 'known'}", "-i", str(key)]
        where = ["-p", str(lease.address.port), f"{lease.address.user}@{lease.address.host}"]
        subprocess.run(["ssh", "-o", "BatchMode=yes", *options, *where, command], check=True, timeout=20)

    return run


def test_costs_add_up_and_the_receipt_tells_all(town: Deployment) -> None:
    shown = ready(town, "billed", "h100")
    said(town, shown, "*billed* is unused since", timeout_s=40)
    town.write("billed", "model.pt")
    town.ana("/gpu release billed")
    ana = town.person("ana")
    question = town.wait(lambda: next((m for m in ana.thread(GPUS, shown.ts) if "question_yes" in m.action_ids), None))
    ana.click(question, "question_yes")
    receipt = said(town, shown, "Receipt for *billed*", timeout_s=40).words
    assert re.search(r"Cost (under )?\$0\.0\d, quoted \$2\.79: \$2\.7\d less than quoted", receipt)
    assert re.search(r"Ran \d+ s; of the \d+ s that were looked at: busy \d+ %, idle \d+ %", receipt)
    assert f"<@{ANA}> approved the release" in receipt
    assert "Nothing of it bills any more." in receipt
    words = town.ana("/gpu cost day all").words
    cents = [round(float(c) * 100) for c in re.findall(r"\$(\d+\.\d\d)", words)]
    assert cents[0] == sum(cents[1:])
    assert "*billed* (1× H100 (simulated), released)" in words
    assert "*billed*" in town.ana("/gpu cost billed").words
    assert f"<@{ANA}> spent" in town.ana(f"/gpu cost week <@{ANA}>").words
    assert "spent nothing" in town.person("ben").command(GPUS, "/gpu cost").words
