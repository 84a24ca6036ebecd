"""The two tokens: does Slack take them, whose are they, what may they do, and is our clock right."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final

from slack_sdk import WebClient

from bot.domain.checklist import Verdict
from bot.domain.checkup import Finding, Group, Kind, about_apps, about_clock, about_scopes
from bot.ports.clock import Clock
from handlers.checkup.asking import AWAY, Answer, ask

_APP_ID: Final = 2


@dataclass(frozen=True, slots=True)
class Standing:
    """What the tokens turned out to be."""

    bot_user: str = ""
    app_id: str = ""
    bot_works: bool = False
    app_works: bool = False


class TokenCheckup:
    """``bot`` and ``app`` are clients of one token each; None for one that the settings do not rightly give.

    ``scopes``: those that the settings need.
    """

    def __init__(self, bot: WebClient | None, app: WebClient | None, clock: Clock, scopes: Collection[str]) -> None:
        self._bot, self._app, self._clock, self._scopes = bot, app, clock, scopes
        self.standing = Standing()

    def findings(self) -> Iterator[Finding]:
        """Everything there is to say of the tokens; afterwards `standing` says what they are."""
        who = ask(self._bot.auth_test) if self._bot is not None else None
        at = self._clock()
        yield self._about_bot(who)
        opened = ask(self._app.apps_connections_open, app_token=self._app.token) if self._app is not None else None
        yield self._about_app(opened)
        bot_works, app_works = who is not None and who.ok, opened is not None and opened.ok
        bot_app = self._bot_app(who) if who is not None and bot_works else ""
        app_app = self._app_app() if app_works else ""
        if bot_works and app_works:
            yield about_apps(bot_app, app_app)
        self.standing = Standing(who.text("user_id") if who else "", app_app or bot_app, bot_works, app_works)
        if who is not None and who.reason != AWAY:
            yield about_clock(at, _date(who))
        if who is not None and bot_works:
            yield from about_scopes(_granted(who), self._scopes)
        else:
            yield Finding(Group.SCOPES, Kind.NOT_LOOKED_AT, Verdict.UNKNOWN, {"what": "what the bot may do"})

    def _about_bot(self, who: Answer | None) -> Finding:
        if who is None or not who.ok:
            return _refused("SLACK_BOT_TOKEN", who)
        facts = {"name": who.text("user"), "team": who.text("team"), "team_id": who.text("team_id")}
        return Finding(Group.SLACK, Kind.BOT_TOKEN, facts=facts)

    def _about_app(self, opened: Answer | None) -> Finding:
        if opened is None or not opened.ok:
            return _refused("SLACK_APP_TOKEN", opened)
        return Finding(Group.SLACK, Kind.APP_TOKEN)

    def _bot_app(self, who: Answer) -> str:
        if self._bot is None:
            return ""
        return ask(self._bot.bots_info, bot=who.text("bot_id")).text("bot", "app_id")

    def _app_app(self) -> str:
        """As Slack tells it, else as the token itself does (``xapp-1-A…-…``)."""
        if self._app is None:
            return ""
        parts = str(self._app.token).split("-")
        in_token = parts[_APP_ID] if len(parts) > _APP_ID and parts[_APP_ID].startswith("A") else ""
        return ask(self._app.auth_test).text("app_id") or in_token


def _refused(setting: str, answer: Answer | None) -> Finding:
    if answer is None:
        return Finding(Group.SLACK, Kind.TOKEN_NOT_TRIED, Verdict.UNKNOWN, {"setting": setting})
    if answer.reason == AWAY:
        return Finding(Group.SLACK, Kind.SLACK_AWAY, Verdict.FAIL, {"setting": setting, "detail": answer.detail})
    return Finding(Group.SLACK, Kind.TOKEN_REFUSED, Verdict.FAIL, {"setting": setting, "reason": answer.reason})


def _granted(who: Answer) -> frozenset[str] | None:
    told = who.header("x-oauth-scopes")
    return None if told is None else frozenset(scope.strip() for scope in told.split(",") if scope.strip())


def _date(answer: Answer) -> datetime | None:
    try:
        return parsedate_to_datetime(answer.header("date") or "")
    except ValueError:
        return None
