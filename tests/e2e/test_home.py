"""App Home, through Slack: what is theirs and no more, kept current, with buttons that work; and the greeting."""

import time

import pytest
from slack_sdk import WebClient

from bot.domain.home import Home
from bot.playground.client_types import Message, View
from tests.e2e.deployment import ANA, Deployment

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWL7Nvdh4wuL7TC61LMPNYtjwxQeF3fgvEUeItB8v2M ana@laptop"
WITHIN_S = 3.0
"""Slack's users see an empty tab until then."""


def tab(town: Deployment, who: str, *words: str, without: str = "", timeout_s: float = 10) -> View:
    """Somebody's home, once it says all of ``words``."""
    person = town.person(who)

    def look() -> View | None:
        home = person.home()
        is_it = home is not None and all(w in home.words for w in words) and not (without and without in home.words)
        return home if is_it else None

    try:
        return town.wait(look, timeout_s)
    except AssertionError as error:
        home = person.home()
        raise AssertionError(f"{words} not on the home:\n{home.words if home else None}\n{error}") from None


def published(town: Deployment, user: str = ANA) -> int:
    return sum(call.args.get("user_id") == user for call in town.workspace.calls("views.publish") if call.ok)


def told(town: Deployment, who: str, words: str) -> Message:
    """What the bot said to somebody directly."""
    person = town.person(who)
    return town.wait(lambda: next((m for m in person.sees_dm() if words in m.words), None))


def home_of(town: Deployment, user: str) -> Home:
    with town.store.read() as tx:
        home = tx.homes.get(user)
    assert home is not None
    return home


def labels(home: View) -> list[str]:
    return [button.text for button in home.buttons]


def test_a_newcomers_home_teaches_and_comes_at_once(town: Deployment) -> None:
    cy = town.person("cy")
    began = time.monotonic()
    cy.open_home()
    home = tab(town, "cy", "Your machines", timeout_s=WITHIN_S)
    assert time.monotonic() - began < WITHIN_S
    for words in ("`/gpu rent cpu 1h`", "`/gpu offers`", "`/gpu key add ssh-ed25519", "no jobs yet", "Today *$0.00*"):
        assert words in home.words
    assert "The team's machines" not in home.words
    assert "lease_release" not in [button.action_id for button in home.buttons]


def test_a_home_is_kept_current_and_its_buttons_work(town: Deployment) -> None:
    ana = town.person("ana")
    ana.open_home()
    tab(town, "ana", "You have no machine")
    town.ana("/gpu rent cpu 1h name=fern")
    home = tab(town, "ana", "*fern*", "*ready* until <!date^", "so far, now $", timeout_s=20)
    assert labels(home)[:5] == ["Rent a machine", "How to log in", "Extend 1 h", "Stop", "Release"]
    assert "`/gpu try fern`" in home.words
    ana.click(home, "lease_stop")
    told(town, "ana", "Stopping *fern*")
    home = tab(town, "ana", "*stopped* since", timeout_s=20)
    assert "Start" in labels(home)
    assert "Stop" not in labels(home)
    ana.click(home, "lease_extend")
    told(town, "ana", "*fern* is extended until")
    ana.click(home, "lease_start")
    tab(town, "ana", "*ready* until", timeout_s=20)


def test_the_form_opens_from_the_home(town: Deployment) -> None:
    cy = town.person("cy")
    cy.open_home()
    cy.click(tab(town, "cy", "Your machines"), "rent_form")
    form = town.wait(cy.modal)
    assert "in whole" in form.words
    assert "our direct messages" in form.words


def test_jobs_and_a_key_appear(town: Deployment) -> None:
    ana = town.person("ana")
    town.handed_over("oak")
    ana.open_home()
    tab(town, "ana", "*oak*", "You have no SSH key here yet")
    ana.dm(f"key add {KEY}")
    tab(town, "ana", "*oak*", without="You have no SSH key")
    town.ana("/gpu run oak -- for i in 1 2 3; do echo step=$i loss=0.$i; done")
    tab(town, "ana", "`oak/1` · done", "loss 0.3", timeout_s=30)


def test_nothing_is_published_twice(town: Deployment) -> None:
    cy = town.person("cy")
    cy.open_home()
    tab(town, "cy", "Your machines")
    first = town.wait(lambda: (home := home_of(town, cy.id)).content and home)
    before = published(town, cy.id)
    cy.open_home()
    town.wait(
        lambda: (home_of(town, cy.id).looked_at or first.opened_at) > home_of(town, cy.id).opened_at > first.opened_at
    )
    assert published(town, cy.id) == before


def test_what_somebody_else_put_there_is_replaced_when_it_is_opened(town: Deployment) -> None:
    cy = town.person("cy")
    cy.open_home()
    tab(town, "cy", "Your machines")
    client = WebClient(town.server.bot_token, base_url=town.server.api_url)
    client.views_publish(user_id=cy.id, view={"type": "home", "blocks": [{"type": "divider"}]})
    tab(town, "cy", without="Your machines")
    cy.open_home()
    tab(town, "cy", "Your machines")


def test_an_approver_sees_what_waits_and_answers_from_there(town: Deployment) -> None:
    ben = town.person("ben")
    town.handed_over("elm")
    town.write("elm", "model.pt")
    town.asked("elm")
    town.ana("/gpu rent h100 2d name=yew")
    ben.open_home()
    home = tab(town, "ben", "The team's machines", f"*elm* · <@{ANA}>", "Release *elm*", "an approver has to say yes")
    assert "/archives/C0GPUS000/p" in home.words
    assert "question_yes" not in [b.action_id for b in home.buttons], "a yes is given where it shows what is lost"
    ben.click(home, "rent_accept")
    town.card_of("yew", "*ready*")
    tab(town, "ben", "*yew*", without="an approver has to say yes")
    told(town, "ben", "Renting *yew*")


@pytest.mark.parametrize(
    ("who", "says"), [("gus", "Guests cannot use gpubot"), ("olga", "I work for another workspace only")]
)
def test_who_may_not_look_is_told_so(town: Deployment, who: str, says: str) -> None:
    town.person(who).open_home()
    home = tab(town, who, says)
    assert "Your machines" not in home.words
    assert home.buttons == []


def test_a_channel_is_greeted_once(town: Deployment) -> None:
    ben = town.person("ben")
    town.workspace.misbehave.redeliver_next_event(times=2)
    ben.invite("gpubot", "#random")
    greeted = town.wait(lambda: ben.find("#random", "`/gpu rent cpu 1h`"))
    assert greeted.words.count("•") == 3
    town.workspace.misbehave.redeliver_last_event(new_id=True)
    town.workspace.change_channel("#random", members=["ana", "ben", "cy"])
    ben.invite("gpubot", "#random")
    ben.say("#random", "@gpubot help")
    town.wait(lambda: any(m.ephemeral for m in ben.sees("#random")))
    assert len([m for m in ben.sees("#random") if "`/gpu rent cpu 1h`" in m.words and not m.ephemeral]) == 1
