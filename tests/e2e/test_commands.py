"""Each command as its user meets it: typed, mentioned, by direct message, pressed."""

import base64
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.playground.client_types import Message
from tests.e2e.deployment import GPUS, Deployment


def card(town: Deployment, name: str, *words: str) -> Message:
    def look() -> Message | None:
        return next((c for c in town.cards() if f"*{name}*" in c.words and all(w in c.words for w in words)), None)

    return town.wait(look, 20)


def ready(town: Deployment, name: str, who: str = "ana") -> Message:
    assert town.person(who).command(GPUS, f"/gpu rent cpu 1h name={name}").acked
    return card(town, name, "*ready*")


def private_answer(town: Deployment, who: str, words: str, thread: Message | None = None) -> Message:
    person = town.person(who)

    def look() -> Message | None:
        seen = person.thread(GPUS, thread.ts) if thread else person.sees(GPUS)
        return next((m for m in seen if m.ephemeral and words in m.words), None)

    return town.wait(look)


def test_a_mention_in_a_leases_thread_means_that_lease(town: Deployment) -> None:
    shown = ready(town, "mentioned")
    ready(town, "other-one")
    town.person("ana").say(GPUS, "@gpubot status", thread=shown)
    assert "other-one" not in private_answer(town, "ana", "*mentioned*", shown).words
    town.person("ana").say(GPUS, "<@U0GPUBOT0> stop", thread=shown, raw=True)
    card(town, "mentioned", "*stopped*")
    card(town, "other-one", "*ready*")


def test_a_direct_message_is_a_command(town: Deployment) -> None:
    ben = town.person("ben")
    ben.dm("offers h100")
    town.wait(lambda: any("H100 (simulated)" in m.words for m in ben.sees_dm()))
    ben.dm("rent cpu 1h name=by-dm")
    town.wait(lambda: any("*by-dm*" in m.words and "*ready*" in m.words for m in ben.sees_dm()), 20)


def test_extend_by_length_by_button_and_until(town: Deployment) -> None:
    shown = ready(town, "longer")
    assert "$0.08 more, $0.12 in whole" in town.ana("/gpu extend longer 2h").words
    assert town.person("ana").click(shown, "lease_extend").acked
    card(town, "longer", "$0.16 quoted")
    assert (
        "already lasts longer" in town.ana("/gpu extend longer until 00:00").words
        or "more" in town.ana("/gpu help").words
    )
    assert "allows leases of up to 14 d" in town.ana("/gpu extend longer 15d").words


def test_until_a_time_is_until_then_and_not_a_second_less(town: Deployment) -> None:
    def ends_at(than: int = 0) -> int:
        """The end on the card, once it is later."""

        def look() -> int | None:
            found = re.search(r"until <!date\^(\d+)\^", card(town, "evening", "*ready*").words)
            return int(found[1]) if found and int(found[1]) > than else None

        return town.wait(look)

    town.ana("/gpu rent cpu until tomorrow 22:00 name=evening")
    rented = ends_at()
    assert rented % 3600 < 60
    assert "more" in town.ana("/gpu extend evening until tomorrow 23:00").words
    assert ends_at(rented) % 3600 < 60


def test_stop_and_start_keep_what_is_on_the_machine(town: Deployment, log_in: Callable[..., str]) -> None:
    shown = ready(town, "keeper")
    log_in("keeper", "echo precious > ~/work/a.txt; echo home > ~/b.txt")
    assert "Its disks are kept" in town.ana("/gpu stop keeper").words
    stopped = card(town, "keeper", "*stopped*", "now $0.0080 an hour")
    assert "lease_start" in stopped.action_ids
    assert "is stopped or stopping already" in town.ana("/gpu stop keeper").words
    assert "nothing to log in to" in town.ana("/gpu ssh keeper").words
    town.ana("/gpu start keeper")
    town.wait(lambda: any("runs again" in m.words for m in town.person("ana").thread(GPUS, shown.ts)), 20)
    assert log_in("keeper", "cat ~/work/a.txt ~/b.txt").split() == ["precious", "home"]


@pytest.fixture
def log_in(town: Deployment, tmp_path: Path) -> Callable[..., str]:
    """Log in as the owner would: own key added, address and host key from `ssh NAME`, OpenSSH's client."""
    key = tmp_path / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ana@laptop", "-f", str(key)], check=True)
    assert "Added" in town.ana(f"/gpu key add {key.with_suffix('.pub').read_text()}").words

    def run(name: str, command: str) -> str:
        told = town.wait(lambda: words if "```ssh" in (words := town.ana(f"/gpu ssh {name}").words) else None)
        arguments = told.split("```ssh ")[1].split("```")[0].split()
        known = tmp_path / "known_hosts"
        known.write_text(told.split("`known_hosts`: `")[1].split("`")[0] + "\n")
        options = ["-i", str(key), "-o", f"UserKnownHostsFile={known}", "-o", "StrictHostKeyChecking=yes"]
        call = ["ssh", "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", *options, *arguments, command]

        def tried() -> subprocess.CompletedProcess[str] | None:
            done = subprocess.run(call, capture_output=True, text=True, timeout=20, check=False)
            return done if done.returncode == 0 else None

        return town.wait(tried, 20).stdout

    return run


def test_keys_come_and_go_on_machines_that_run(town: Deployment, log_in: Callable[..., str]) -> None:
    ready(town, "keyed")
    assert log_in("keyed", "whoami").strip()
    with town.store.read() as tx:
        newest = tx.keys.of("U0ANA0000")[-1]
    assert newest.fingerprint in town.ana("/gpu key list").words
    files = list((town.root / "data" / "local").rglob("authorized_keys"))
    assert any(newest.line in path.read_text() for path in files)
    assert "Removed" in town.ana(f"/gpu key remove {newest.fingerprint}").words
    town.wait(lambda: not any(newest.line in path.read_text() for path in files))


def test_a_private_key_is_told_apart_and_not_echoed(town: Deployment) -> None:
    body = base64.b64encode(b"openssh-key-v1\0" + b"x" * 60).decode()
    words = town.ana(f"/gpu key add -----BEGIN OPENSSH PRIVATE KEY----- {body}").words
    assert "private" in words
    assert body not in words
    assert body not in town.log.read_text()


def test_who_may_do_what(town: Deployment) -> None:
    ready(town, "anas")
    ben, cy = town.person("ben"), town.person("cy")
    for words, person in {"Guests cannot use": "gus", "another workspace": "olga"}.items():
        assert words in town.person(person).command(GPUS, "/gpu status").words
    assert "Only <@U0ANA0000>" in cy.command(GPUS, "/gpu ssh anas").words
    assert "Its disks are kept" in cy.command(GPUS, "/gpu stop anas").words, "an admin may stop"
    assert "Looking at what is on" in cy.command(GPUS, "/gpu release anas").words, "an admin may ask"
    assert "That is asked already" in ben.command(GPUS, "/gpu release anas").words, "and so may an approver"


def test_over_the_limit_the_owner_presses_and_far_over_it_an_approver(town: Deployment) -> None:
    ana, ben = town.person("ana"), town.person("ben")
    assert "Press *Rent*" in town.ana("/gpu rent h100 10h name=over").words

    def quote(words: str) -> Message | None:
        return next((m for m in ana.sees(GPUS) if "rent_accept" in m.action_ids and words in m.words), None)

    first = town.wait(lambda: quote("above $25.00"))
    ana.click(first, "rent_accept")
    card(town, "over", "*ready*", "$27.90 quoted")
    town.wait(lambda: "rented" in (ana.again(first) or first).words)
    assert "approver has to press" in town.ana("/gpu rent a100-80x8 10h name=far-over").words
    second = town.wait(lambda: quote("Above $100.00"))
    ana.click(second, "rent_accept")
    private_answer(town, "ana", "only an approver's press counts")
    ben.click(second, "rent_accept")
    card(town, "far-over", "*ready*", "owner <@U0ANA0000>")


def test_the_same_again_within_a_minute_is_asked_about(town: Deployment) -> None:
    cy = town.person("cy")
    assert "Renting" in cy.command(GPUS, "/gpu rent cpu 3h").words
    assert "a second one" in cy.command(GPUS, "/gpu rent cpu 3h").words
    quote = town.wait(
        lambda: next((m for m in cy.sees(GPUS) if "rent_decline" in m.action_ids and "a second one" in m.words), None)
    )
    cy.click(quote, "rent_decline")
    town.wait(lambda: "did not rent" in (cy.again(quote) or quote).words)
    with town.store.read() as tx:
        assert sum(lease.length_s == 3 * 3600 for lease in tx.leases.live(cy.id)) == 1


def test_a_no_keeps_the_machine_and_an_outsiders_yes_does_not_count(town: Deployment) -> None:
    shown = ready(town, "kept")
    town.write("kept", "model.pt")
    town.ana("/gpu release kept")
    ana, cy = town.person("ana"), town.person("cy")
    question = town.wait(lambda: next((m for m in ana.thread(GPUS, shown.ts) if "question_yes" in m.action_ids), None))
    assert "question in *kept*'s thread waits" in town.ana("/gpu release kept").words, "one live question"
    cy.click(question, "question_yes")
    private_answer(town, "cy", "or an approver", shown)
    assert question.action_ids == (ana.again(question) or question).action_ids
    ana.click(question, "question_no")
    town.wait(lambda: "Nothing was released" in (ana.again(question) or question).words)
    card(town, "kept", "*ready*")


def test_words_that_are_no_command_get_the_nearest(town: Deployment) -> None:
    assert "`release`" in town.ana("/gpu relase fox").words
    assert "h100" in town.ana("/gpu rent h10 4h").words
    assert "There is no lease `amber-foxx`" in town.ana("/gpu stop amber-foxx").words
    assert "The archive holds nothing of your machines yet" in town.ana("/gpu fetch").words
    assert "You have no kept disks" in town.ana("/gpu disks").words


def test_offers_names_sizes_that_are_there(town: Deployment) -> None:
    words = town.ana("/gpu offers a100").words
    assert words.index("$1.29") < words.index("$1.79"), "cheapest first"
    assert "closest" in town.ana("/gpu rent a100x7 1h").words
