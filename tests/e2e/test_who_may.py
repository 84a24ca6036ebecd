"""Who may do what, through Slack: refusals in words, approvals by those who may."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.domain.lease import LeaseState
from bot.playground.client import Person
from bot.playground.client_types import Message
from tests.e2e.deployment import ANA, GPUS, Deployment
from tests.e2e.soundness import leases, only_lease


def quote(bot: Deployment) -> Message:
    """The one message with a *Rent* button."""
    return bot.wait(lambda: next((m for m in bot.person("ana").sees(GPUS) if "rent_accept" in m.action_ids), None))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gus", "Guests cannot use gpubot"),
        ("olga", "I work for another workspace only"),
    ],
)
def test_strangers_are_refused_in_words(town: Deployment, name: str, words: str) -> None:
    before = len(leases(town))
    result = town.person(name).command(GPUS, "/gpu rent cpu 1h")
    assert result.acked
    assert words in result.words
    assert len(leases(town)) == before


def test_a_person_who_left_is_refused(town: Deployment) -> None:
    town.workspace.change_person("eve")
    town.workspace.change_channel("gpus", members=["gpubot", "ana", "ben", "cy", "gus", "olga", "eve"])
    town.misbehaviour.clear()
    eve = town.person("eve")
    before = len(leases(town))
    # Slack lets her client act a moment longer than her account.
    town.workspace.change_person("eve", is_bot=False)
    with ThreadPoolExecutor(1) as pool:
        asked = len(town.workspace.calls("users.info"))
        town.workspace.misbehave.slow("users.info", 0.8, where={"user": eve.id}, calls=1)
        acting = pool.submit(eve.command, GPUS, "/gpu rent cpu 1h")
        town.wait(lambda: len(town.workspace.calls("users.info")) > asked)
        town.workspace.change_person("eve", deleted=True)
        result = acting.result()
    assert result.acked
    assert "deactivated" in result.words
    assert len(leases(town)) == before


def test_only_owner_or_approver_may_release(town: Deployment) -> None:
    town.ana("/gpu rent cpu 1h name=hers")
    town.card("*hers*")
    town.wait(lambda: "*ready*" in town.ana("/gpu status hers").words)
    card = next(c for c in town.cards() if "*hers*" in c.words)
    town.workspace.change_person("zoe")
    town.workspace.change_channel("gpus", members=["gpubot", "ana", "ben", "cy", "gus", "olga", "zoe"])
    zoe, cy, ben = town.person("zoe"), town.person("cy"), town.person("ben")
    refused = "or an approver can have this machine released"
    assert refused in zoe.command(GPUS, "/gpu release hers").words
    assert zoe.click(card, "lease_release").acked
    town.wait(lambda: any(refused in m.words for m in zoe.sees(GPUS) if m.ephemeral))
    assert town.questions() == []

    town.write("hers", "model.pt")
    # an admin of the policy may ask, and is no approver
    assert "Looking at what is on *hers*" in cy.command(GPUS, "/gpu release hers").words
    question = town.question("Release *hers*")
    assert "is asked already" in ben.command(GPUS, "/gpu release hers").words
    for somebody, times in ((zoe, 2), (cy, 1)):
        assert somebody.click(question, "question_yes").acked
        town.wait(lambda who=somebody, at_least=times: _told(who, refused, at_least))
    first = f"<@{ANA}> has the word first"
    assert ben.click(question, "question_yes").acked
    town.wait(lambda: _told(ben, first, 1))
    assert "question_yes" in town.question("Release *hers*").action_ids
    assert town.person("ana").click(question, "question_yes").acked
    town.wait(lambda: "*released*" in next(c for c in town.cards() if "*hers*" in c.words).words)


def _told(person: Person, words: str, times: int) -> bool:
    """Counts also what was said in threads and directly."""
    seen = [m for m in person.sees(GPUS) if words in m.words]
    for card in [m for m in person.sees(GPUS) if m.reply_count]:
        seen += [m for m in person.thread(GPUS, card.ts) if words in m.words]
    return len({m.ts for m in seen}) >= times


def test_an_admin_may_not_cancel_what_nobody_has_got(town: Deployment) -> None:
    town.misbehaviour.set(boot_s=30)
    town.ana("/gpu rent cpu 1h name=coming")
    town.card_of("coming")
    cy = town.person("cy")
    assert "or an approver can have this machine released" in cy.command(GPUS, "/gpu release coming").words
    assert "it is being released" in town.person("ben").command(GPUS, "/gpu release coming").words
    town.misbehaviour.clear()


def test_above_the_limit_an_approver_rents(deployment: Deployment) -> None:
    """The policy of these tests: a button above 25 $, an approver above 100 $."""
    ana, ben = deployment.person("ana"), deployment.person("ben")
    assert "an approver has to press" in deployment.ana("/gpu rent h100 2d").words
    shown = quote(deployment)
    assert ana.click(shown, "rent_accept").acked
    deployment.wait(lambda: any("only an approver's press counts" in m.words for m in ana.sees(GPUS) if m.ephemeral))
    assert leases(deployment) == []
    assert ben.click(shown, "rent_accept").acked
    deployment.card("*ready*")
    lease = only_lease(deployment)
    assert lease.owner == ANA
    assert lease.offer.gpu == "h100"
    assert f"<@{ben.id}> approved the rent: $" in deployment.ana(f"/gpu audit {lease.name}").words


def test_a_double_click_on_rent_makes_one_lease(deployment: Deployment) -> None:
    ana = deployment.person("ana")
    assert "Press *Rent*" in deployment.ana("/gpu rent h100 12h").words
    shown = quote(deployment)
    with ThreadPoolExecutor(4) as pool:
        presses = [pool.submit(ana.click, shown, "rent_accept") for _ in range(4)]
        assert all(press.result().acked for press in presses)
    deployment.card("*ready*")
    assert only_lease(deployment).state is LeaseState.READY
    assert len(deployment.provider.list_owned().instances) == 1
    assert ana.again(shown).action_ids == []
