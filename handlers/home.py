"""A person's home tab as Block Kit, and the greeting of a channel."""

import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any, Final

from slack_sdk.models.blocks import Block, ButtonElement

from bot.domain.home import HomeView
from bot.domain.places import MessageRef
from bot.domain.quote import QuoteReason
from bot.domain.views import LeaseView, QuoteView
from handlers.action_ids import ActionId
from handlers.blocks import MOST_VIEW_BLOCKS, actions, button, context, divider, header, section
from handlers.cards import lease_buttons, quote_buttons
from handlers.words import home as words
from handlers.words.quote import quote_words

MOST_LEASES: Final = 12
MOST_QUOTES: Final = 8
MOST_QUESTIONS: Final = 10
MOST_TEAM_LEASES: Final = 24
TEAM_LEASES_A_BLOCK: Final = 8

Link = Callable[[MessageRef], str | None]
"""Where a message can be opened; None where that is not known."""


def home_tab(view: HomeView, link: Link) -> dict[str, Any]:
    """What ``views.publish`` takes. The view carries the hash of itself, and Slack hands it back when it is opened."""
    blocks = [*_own(view), *_waiting(view, link), *_jobs_and_money(view), *_team(view)]
    shown = [block.to_dict() for block in blocks[: MOST_VIEW_BLOCKS - 1]]
    content = blake2b(json.dumps(shown, sort_keys=True).encode(), digest_size=16).hexdigest()
    # The hour it was read is no reason to publish it again.
    shown.append(context(words.home_small_print(view)).to_dict())
    return {"type": "home", "blocks": shown, "private_metadata": content}


def refusal_tab(sentence: str) -> dict[str, Any]:
    """The tab of somebody who may not look."""
    return {"type": "home", "blocks": [section(sentence).to_dict()]}


def _own(view: HomeView) -> Iterable[Block]:
    yield header(words.MACHINES)
    yield from actions(button(ActionId.RENT_FORM, words.RENT, "", style="primary"))
    if not view.has_key:
        yield section(words.NO_KEY)
    if not view.leases:
        yield section(words.NO_MACHINES)
    for lease in view.leases[:MOST_LEASES]:
        yield section(words.own_lease(lease))
        yield from actions(*lease_buttons(lease))
    if len(view.leases) > MOST_LEASES:
        yield section(words.and_more(len(view.leases) - MOST_LEASES, "status"))


def _waiting(view: HomeView, link: Link) -> Iterable[Block]:
    """Questions and quotes. A question is answered at its message, where what would be lost is shown."""
    quotes = (*view.quotes, *(view.team.quotes if view.team else ()))
    if not quotes and not view.questions and view.team is None:
        return
    yield divider()
    yield header(words.WAITING)
    if not quotes and not view.questions:
        yield section(words.NOTHING_WAITS)
    for asked in view.questions[:MOST_QUESTIONS]:
        yield section(words.asked_about(asked, link(asked.message) if asked.message else None))
    if len(view.questions) > MOST_QUESTIONS:
        yield section(words.and_more(len(view.questions) - MOST_QUESTIONS, "status all"))
    for quote in quotes[:MOST_QUOTES]:
        yield section(quote_words(quote))
        yield from actions(*_pressable(quote, view))
    if len(quotes) > MOST_QUOTES:
        yield section(words.more_quotes(len(quotes) - MOST_QUOTES))


def _pressable(quote: QuoteView, view: HomeView) -> Iterable[ButtonElement]:
    """Whoever waits for an approver may only change their mind."""
    is_others_to_say = quote.quote.reason is QuoteReason.NEEDS_APPROVER and view.team is None
    return (b for b in quote_buttons(quote) if b.action_id != ActionId.RENT_ACCEPT or not is_others_to_say)


def _jobs_and_money(view: HomeView) -> Iterable[Block]:
    yield divider()
    yield header(words.JOBS)
    yield section(words.job_lines(view))
    yield header(words.SPENT)
    yield section(words.spent_words(view.spent))


def _team(view: HomeView) -> Iterable[Block]:
    if view.team is None:
        return
    leases = view.team.leases
    yield divider()
    yield header(words.TEAM)
    yield section(words.team_total(leases) if leases else words.NO_TEAM_MACHINES)
    for part in _parts(leases[:MOST_TEAM_LEASES]):
        yield section(words.team_lines(part))
    if len(leases) > MOST_TEAM_LEASES:
        yield section(words.and_more(len(leases) - MOST_TEAM_LEASES, "status all"))


def _parts(leases: Sequence[LeaseView]) -> Iterable[Sequence[LeaseView]]:
    rest = iter(leases)
    while part := tuple(islice(rest, TEAM_LEASES_A_BLOCK)):
        yield part
