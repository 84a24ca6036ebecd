"""A home as Block Kit: within Slack's limits however much there is, and the same for the same facts."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.domain.home import AskedAbout, HomeView, Spent, TeamView
from bot.domain.lease import Lease, LeaseState
from bot.domain.places import MessageRef
from bot.domain.policy import Policy
from bot.domain.problem import Problem
from bot.domain.question import Question
from bot.domain.quote import Quote, QuoteReason, RentOrder
from bot.domain.views import LeaseView, QuoteView
from bot.playground.blocks import read_view
from bot.playground.client_types import View
from handlers.home import home_tab, refusal_tab
from tests.domain.lifecycle.sample import handed_over

NOW = datetime(2026, 5, 4, 10, 0, tzinfo=UTC)
EMPTY = HomeView("U1", (), (), Spent(0, 0, 0), True, (), (), None, NOW)


def lease(number: int, **changes: Any) -> Lease:
    return replace(handed_over(LeaseState.READY), id=f"l{number}", name=f"fox-{number}", **changes)


def machines(count: int, **changes: Any) -> tuple[LeaseView, ...]:
    return tuple(LeaseView(lease(n, **changes), 1_230_000, None, None, NOW) for n in range(count))


def quotes(count: int, owner: str = "U2", reason: QuoteReason = QuoteReason.NEEDS_APPROVER) -> tuple[QuoteView, ...]:
    order = RentOrder(lease(0).offer, (), 7200, 100, None, 200_000_000)
    at = NOW + timedelta(hours=1)
    return tuple(
        QuoteView(Quote(f"k{n}", owner, "T1", "C1", order, reason, NOW, at), Policy(), NOW) for n in range(count)
    )


def tab(view: HomeView) -> View:
    """The home as Slack would take it."""
    return View("V1", read_view(home_tab(view, lambda m: f"https://slack.test/{m.ts}"), lambda _: True))


def test_two_hundred_machines_fit_and_what_is_left_out_is_said() -> None:
    asked = tuple(
        AskedAbout(Question(f"q{n}", f"l{n}", "U2", NOW), lease(n), MessageRef("C1", "1.2")) for n in range(30)
    )
    view = replace(
        EMPTY,
        leases=machines(200),
        quotes=quotes(20),
        questions=asked,
        team=TeamView(machines(200), quotes(20)),
        now=NOW,
    )
    home = tab(view)
    assert len(home.body["blocks"]) <= 100
    assert "… and 188 more: `/gpu status`" in home.words
    assert "… and 176 more: `/gpu status all`" in home.words
    assert "200 machines of others, $246.00 so far" in home.words
    assert "… and 32 more; their messages" in home.words


def test_the_same_facts_look_the_same_whatever_the_hour() -> None:
    view = replace(EMPTY, leases=machines(2))
    assert (
        home_tab(view, lambda _: None)["private_metadata"]
        == (home_tab(replace(view, now=NOW + timedelta(hours=5)), lambda _: None)["private_metadata"])
    )
    dearer = tuple(replace(m, cost_microusd=9_000_000) for m in view.leases)
    assert (
        home_tab(replace(view, leases=dearer), lambda _: None)["private_metadata"]
        != (home_tab(view, lambda _: None)["private_metadata"])
    )
    assert replace(view, leases=dearer).states == view.states, "figures alone are no change of state"


@pytest.mark.parametrize(
    ("view", "labels"),
    [
        (replace(EMPTY, quotes=quotes(1, "U1")), ["Rent a machine", "Not now"]),
        (replace(EMPTY, quotes=quotes(1, "U1", QuoteReason.OVER_LIMIT)), ["Rent a machine", "Rent", "Not now"]),
        (replace(EMPTY, team=TeamView((), quotes(1))), ["Rent a machine", "Rent", "Not now"]),
    ],
)
def test_only_those_who_may_press_have_the_button(view: HomeView, labels: list[str]) -> None:
    assert [button.text for button in tab(view).buttons] == labels


def test_a_question_is_linked_or_its_channel_named() -> None:
    about = AskedAbout(Question("q1", "l1", "U2", NOW), lease(1, channel="C7"), MessageRef("C7", "5.6"))
    assert "<https://slack.test/5.6|Its question>" in tab(replace(EMPTY, questions=(about,))).words
    assert "Its question in <#C7>" in tab(replace(EMPTY, questions=(replace(about, message=None),))).words
    directly = replace(about, message=None, lease=lease(1, channel="U2"))
    assert "Its question shows" in tab(replace(EMPTY, questions=(directly,))).words


def test_nothing_from_outside_is_acted_upon() -> None:
    bad = Problem("vendor-trouble", {"detail": "<!channel> *x* `y`"})
    home = tab(replace(EMPTY, leases=machines(1, problem=bad)))
    assert "<!channel>" not in home.words
    assert "<!" not in View("V", read_view(refusal_tab("No."), lambda _: True)).words
