"""Every way a provider can misbehave ends in a true card and a sentence that helps."""

from collections.abc import Iterator

import pytest

from bot.playground.client_types import Message
from tests.e2e.conftest import Deploy
from tests.e2e.deployment import GPUS, Deployment

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _calm(town: Deployment) -> Iterator[None]:
    yield
    town.misbehaviour.clear()
    town.wait(lambda: " left" in town.ana("/gpu offers cpu").words and " left" in town.ana("/gpu offers t4").words)


@pytest.fixture
def believing(deploy: Deploy) -> Deployment:
    """It has read the price lists once: what is sold out since then it learns from its first launch."""
    running = deploy(offers_s=3600)
    running.start()
    running.wait(lambda: " left" in running.ana("/gpu offers t4").words)
    return running


def card(town: Deployment, name: str, *words: str, timeout_s: float = 20) -> Message:
    """The card of ``name`` once it says all the words."""

    def look() -> Message | None:
        return next(
            (c for c in town.cards() if f"*{name}*" in c.text + c.words and all(w in c.words for w in words)), None
        )

    return town.wait(look, timeout_s)


def said(town: Deployment, shown: Message, words: str) -> Message:
    """What the card's thread says, once it says it."""
    ana = town.person("ana")
    return town.wait(lambda: next((m for m in ana.thread(GPUS, shown.ts) if words in m.words), None))


def rent(town: Deployment, name: str, gpu: str = "cpu") -> None:
    assert "Renting" in town.ana(f"/gpu rent {gpu} 1h name={name}").words


def token_is_gone(town: Deployment, name: str) -> bool:
    with town.store.read() as tx:
        lease = tx.leases.by_name(name)
    assert lease is not None
    return lease.id not in {i.token for i in town.provider.list_owned().instances}


def test_no_capacity(believing: Deployment) -> None:
    believing.misbehaviour.set(no_capacity=("*",))
    rent(believing, "no-capacity", "t4")
    shown = card(believing, "no-capacity", "never got a machine", "sold out", "nothing is billed", "$0.00 in all")
    said(believing, shown, "no machine came about")
    assert shown.buttons == []
    assert token_is_gone(believing, "no-capacity")


def test_sold_out_in_one_region_goes_on_in_the_next_of_the_same_price(believing: Deployment) -> None:
    """cpu costs more in here-2, so the promise of the quote forbids it."""
    believing.misbehaviour.set(no_capacity=("here-1/cpu",))
    rent(believing, "one-region")
    card(believing, "one-region", "never got a machine")


def test_quota(town: Deployment) -> None:
    town.misbehaviour.set(quota=True)
    rent(town, "quota")
    card(town, "quota", "never got a machine", "may not have more", "raise the quota")


def test_credentials_refused(town: Deployment) -> None:
    town.misbehaviour.set(credentials_refused=True)
    rent(town, "credentials")
    card(town, "credentials", "never got a machine", "does not accept the team's key")


def test_launch_error_makes_one_machine(town: Deployment) -> None:
    town.misbehaviour.set(launch_error=True)
    rent(town, "launch-error")
    card(town, "launch-error", "No machine yet", "keep trying", "/gpu release launch-error")
    town.misbehaviour.clear()
    card(town, "launch-error", "*ready*")
    with town.store.read() as tx:
        lease = tx.leases.by_name("launch-error")
    assert lease is not None
    assert [i.token for i in town.provider.list_owned().instances].count(lease.id) == 1


def test_launch_error_then_cancel_leaves_nothing(town: Deployment) -> None:
    town.misbehaviour.set(launch_error=True)
    rent(town, "cancelled")
    card(town, "cancelled", "No machine yet")
    assert "never handed over" in town.ana("/gpu release cancelled").words
    town.misbehaviour.clear()
    card(town, "cancelled", "*released*")
    assert token_is_gone(town, "cancelled")


def test_rate_limited_waits_as_told(town: Deployment) -> None:
    town.misbehaviour.set(rate_limited_s=0.5)
    rent(town, "rate-limited")
    card(town, "rate-limited", "asks for fewer calls")
    town.misbehaviour.clear()
    card(town, "rate-limited", "*ready*")


def test_slow_boot_is_handed_over_late(town: Deployment) -> None:
    town.misbehaviour.set(boot_s=3.5)
    rent(town, "slow-boot")
    shown = card(town, "slow-boot", "not fit to hand over", "has not got it running within", "I keep looking")
    assert "lease_keep_anyway" in shown.action_ids
    card(town, "slow-boot", "*ready*")


def test_never_boots_can_be_released_without_a_question(town: Deployment) -> None:
    town.misbehaviour.set(never_boots=True)
    rent(town, "never-boots")
    shown = card(town, "never-boots", "not fit to hand over")
    said(town, shown, "is not fit to hand over")
    assert town.person("ana").click(shown, "lease_release").acked
    card(town, "never-boots", "*released*")
    assert token_is_gone(town, "never-boots")


@pytest.mark.parametrize(
    ("ssh", "words"),
    [("refuse", "its port does not take connections"), ("silent", "not as an SSH server"), ("deny", "does not accept")],
)
def test_ssh_refuses(town: Deployment, ssh: str, words: str) -> None:
    town.misbehaviour.set(ssh=ssh)
    rent(town, f"ssh-{ssh}")
    card(town, f"ssh-{ssh}", "not fit to hand over", words, timeout_s=40)
    town.misbehaviour.clear()
    card(town, f"ssh-{ssh}", "*ready*", timeout_s=40)


@pytest.mark.parametrize("fault", ["missing", "unmarked", "other", "read-only"])
def test_data_disk(town: Deployment, fault: str) -> None:
    town.misbehaviour.set(data_disk=fault)
    rent(town, f"disk-{fault}")
    shown = card(town, f"disk-{fault}", "not fit to hand over", "a check failed", ":x:")
    assert town.person("ana").click(shown, "lease_keep_anyway").acked
    kept = card(town, f"disk-{fault}", "*ready*")
    said(town, kept, "keeps")
    town.asked(f"disk-{fault}")  # what was taken is asked about


def test_dies_while_running(town: Deployment) -> None:
    rent(town, "dies")
    card(town, "dies", "*ready*")
    town.misbehaviour.set(dies_after_s=0)
    shown = card(town, "dies", "*stopped*", "went down by itself", "/gpu start dies")
    said(town, shown, "went down by itself")
    town.misbehaviour.clear()
    town.person("ana").click(shown, "lease_start")
    card(town, "dies", "*ready*")


def test_vendor_away_is_not_gone(town: Deployment) -> None:
    rent(town, "away")
    card(town, "away", "*ready*")
    town.misbehaviour.set(away=True)
    card(town, "away", "*ready*", "Not seen", "Nothing is taken for gone")
    town.misbehaviour.clear()
    town.wait(lambda: "Not seen" not in card(town, "away").words)


def test_unknown_state_is_not_guessed(town: Deployment) -> None:
    rent(town, "unknown-state")
    card(town, "unknown-state", "*ready*")
    town.misbehaviour.set(unknown_state=True)
    card(town, "unknown-state", "*ready*", "a word I do not know")


def released_by_ana(town: Deployment, name: str) -> Message:
    rent(town, name)
    shown = card(town, name, "*ready*")
    town.write(name, "model.pt")
    question = town.asked(name, "1 file")
    town.person("ana").click(question, "question_yes")
    return shown


@pytest.mark.parametrize("fault", ["not-allowed", "vendor-trouble"])
def test_release_refused_is_stuck_and_goes_on(town: Deployment, fault: str) -> None:
    name = f"refused-{fault}"
    town.misbehaviour.set(release_refused=fault)
    shown = released_by_ana(town, name)
    card(town, name, "release stuck", "has not taken the release", "still bills")
    said(town, shown, "the release is stuck")
    town.misbehaviour.clear()
    card(town, name, "*released*")
    assert token_is_gone(town, name)


def test_release_slow_is_said_and_seen_to_the_end(town: Deployment) -> None:
    town.misbehaviour.set(release_s=4.0)
    released_by_ana(town, "slow-release")
    card(town, "slow-release", "release stuck", "took the release, but still shows the machine")
    card(town, "slow-release", "*released*")


def test_an_incomplete_list_proves_nothing(town: Deployment) -> None:
    town.misbehaviour.set(list_first=0)
    released_by_ana(town, "half-list")
    card(town, "half-list", "release stuck", "its list is incomplete")
    assert token_is_gone(town, "half-list"), "it is gone, and gpubot cannot know yet"
    town.misbehaviour.clear()
    card(town, "half-list", "*released*")


def test_gone_at_the_vendor_is_vanished(town: Deployment) -> None:
    rent(town, "vanishes")
    card(town, "vanishes", "*ready*")
    with town.store.read() as tx:
        lease = tx.leases.by_name("vanishes")
    assert lease is not None
    assert lease.ref is not None
    town.end_at_the_vendors(lease)
    shown = card(town, "vanishes", "*vanished*", "not by my release", "meter is frozen")
    said(town, shown, "is gone at the provider")


def test_stop_refused_is_said(town: Deployment) -> None:
    rent(town, "no-stop")
    card(town, "no-stop", "*ready*")
    town.misbehaviour.set(stop_refused=True)
    town.ana("/gpu stop no-stop")
    card(town, "no-stop", "*stopping*", "does not allow it")
    town.misbehaviour.clear()
    card(town, "no-stop", "*stopped*")


def test_no_gpu_at_start(town: Deployment) -> None:
    rent(town, "no-start", "l4")
    card(town, "no-start", "*ready*")
    town.ana("/gpu stop no-start")
    card(town, "no-start", "*stopped*")
    town.misbehaviour.set(no_capacity=("*",))
    town.ana("/gpu start no-start")
    shown = card(town, "no-start", "*stopped*", "given to somebody else")
    said(town, shown, "could not be started")
