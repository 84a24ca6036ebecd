"""The checkup of a deployment: every part looked at by itself, causes first; one that fails hides no other."""

import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from bot.archive.checkup import look_at_archive
from bot.bootstrap.parts import new_id, now, policy_from, providers_from, vault_from
from bot.config import PolicyFile, Settings, read_policy, read_what_is_right
from bot.domain.checklist import Verdict
from bot.domain.checkup import Finding, Group, Kind
from bot.domain.offers import in_stock
from bot.domain.policy import Policy
from bot.domain.problem import Facts
from bot.errors import ProviderError, SettingsError
from bot.providers.local.checkup import look_at_parts
from handlers.checkup.asking import checkup_client
from handlers.checkup.live import LiveCheckup
from handlers.checkup.places import look_at_home, look_at_people
from handlers.checkup.tokens import TokenCheckup
from handlers.manifest import THREAD_FILES_EVENTS, scopes
from storage.checkup import look_at_database

_STARS: Final = "***"
_SHORTEST_SECRET: Final = 6


@dataclass(frozen=True, slots=True)
class Live:
    """The try in a real channel that was asked for."""

    channel: str
    user: str


def checkup(live: Live | None) -> Iterator[Finding]:
    """What was found, as it is found. No secret of the settings is in it, whatever others' error texts hold."""
    settings, faults, wrong = read_what_is_right()
    secrets = _secrets(settings)
    for finding in _Checkup(settings, faults, wrong, live).findings():
        yield _without(secrets, finding)


@dataclass(frozen=True, slots=True)
class _Checkup:
    settings: Settings
    faults: tuple[str, ...]
    wrong: frozenset[str]
    live: Live | None

    def findings(self) -> Iterator[Finding]:
        settings = self.settings
        policy = policy_from(PolicyFile())
        yield from self._about_settings()
        try:
            policy = policy_from(read_policy(settings.policy_file))
            kind = Kind.POLICY_READ if settings.policy_file.exists() else Kind.POLICY_DEFAULT
            yield Finding(Group.SETTINGS, kind, facts={"file": str(settings.policy_file)})
        except SettingsError as error:
            yield from _told(Group.SETTINGS, Kind.POLICY_WRONG, error)
        yield from _guarded(Group.KEY, self._about_key)
        yield from _guarded(Group.DATABASE, lambda: look_at_database(settings.database_url))
        # What is tried in the channel comes last, but stands on what the tokens turned out to be.
        slack = _Slack(self, policy)
        yield from _guarded(Group.SLACK, slack.tokens)
        yield from _guarded(Group.PEOPLE, slack.places)
        yield from _guarded(
            Group.ARCHIVE, lambda: look_at_archive(settings.archive, os.environ, f".gpubot-check-{new_id()}")
        )
        yield from self._about_providers()
        if self.live is not None:
            yield from _guarded(Group.LIVE, slack.live)

    def _about_settings(self) -> Iterator[Finding]:
        for fault in self.faults:
            yield Finding(Group.SETTINGS, Kind.SETTING_WRONG, Verdict.FAIL, {"fault": fault})
        if not self.faults:
            yield Finding(Group.SETTINGS, Kind.SETTINGS_READ)

    def _about_key(self) -> Iterator[Finding]:
        file = self.settings.data_dir / "secret.key"
        facts = {"file": str(file)}
        if self.settings.secret_key is None and not file.exists():
            yield Finding(Group.KEY, Kind.KEY_NEW, facts=facts)
            return
        try:
            vault_from(self.settings)
        except SettingsError as error:
            yield from _told(Group.KEY, Kind.KEY_WRONG, error)
            return
        yield Finding(Group.KEY, Kind.KEY_FILE if self.settings.secret_key is None else Kind.KEY_GIVEN, facts=facts)

    def _about_providers(self) -> Iterator[Finding]:
        """Each by itself, on a directory of its own where there is none yet: looking makes nothing."""
        names = self.settings.provider_names
        with tempfile.TemporaryDirectory(prefix="gpubot-check-") as folder:
            has_root = (self.settings.data_dir / "local").is_dir()
            data_dir = self.settings.data_dir if has_root else Path(folder)
            for name in names or ("",):
                alone = self.settings.model_copy(update={"providers": name, "data_dir": data_dir})
                yield from _guarded(Group.PROVIDERS, lambda alone=alone: _about_offers(alone))  # type: ignore[misc]
        if "local" in names:
            root, python = self.settings.data_dir / "local", self.settings.local_python
            yield from _guarded(Group.PROVIDERS, lambda: look_at_parts(root, python))


class _Slack:
    """What is asked of Slack, with clients of the tokens that are of their kind."""

    def __init__(self, checkup: _Checkup, policy: Policy) -> None:
        settings, wrong = checkup.settings, checkup.wrong
        url = settings.slack_api_url
        self._bot = checkup_client(settings.slack_bot_token.get_secret_value(), url)
        self._app = checkup_client(settings.slack_app_token.get_secret_value(), url)
        self._checkup, self._policy = checkup, policy
        self._tokens = TokenCheckup(
            None if "slack_bot_token" in wrong else self._bot,
            None if "slack_app_token" in wrong else self._app,
            now,
            scopes(thread_files=settings.thread_files_mib > 0),
        )

    def tokens(self) -> Iterator[Finding]:
        yield from self._tokens.findings()
        if self._checkup.settings.thread_files_mib and self._tokens.standing.bot_works:
            most_mib = self._checkup.settings.thread_files_mib
            facts: Facts = {"events": " and ".join(THREAD_FILES_EVENTS), "most_mib": most_mib}
            yield Finding(Group.SCOPES, Kind.THREAD_FILES, facts=facts)

    def places(self) -> Iterator[Finding]:
        if not self._tokens.standing.bot_works:
            facts = {"what": "the people in the policy and the home channel"}
            yield Finding(Group.PEOPLE, Kind.NOT_LOOKED_AT, Verdict.UNKNOWN, facts)
            return
        yield from look_at_people(self._bot, self._policy)
        yield look_at_home(self._bot, self._checkup.settings.home_channel)

    def live(self) -> Iterator[Finding]:
        wanted = self._checkup.live
        if wanted is None or not self._tokens.standing.bot_works:
            yield Finding(Group.LIVE, Kind.NOT_LOOKED_AT, Verdict.UNKNOWN, {"what": "the try in the channel"})
            return
        pause = threading.Event()
        live = LiveCheckup(self._bot, self._app, self._tokens.standing, wanted.channel, wanted.user, pause.wait)
        yield from live.findings()


def _about_offers(settings: Settings) -> Iterator[Finding]:
    try:
        for name, provider in providers_from(settings).items():
            offers = provider.offers()
            facts: Facts = {"provider": name, "count": len(offers), "in_stock": len(in_stock(offers))}
            is_trial = provider.capabilities().simulated
            kind = Kind.NO_OFFERS if not offers else Kind.SIMULATED_OFFERS if is_trial else Kind.OFFERS
            yield Finding(Group.PROVIDERS, kind, Verdict.OK if kind is Kind.OFFERS else Verdict.WARN, facts)
    except SettingsError as error:
        yield from _told(Group.PROVIDERS, Kind.SETTING_WRONG, error)
    except ProviderError as error:
        said = {"provider": settings.providers, "code": error.code, "detail": str(getattr(error, "detail", ""))}
        yield Finding(Group.PROVIDERS, Kind.PROVIDER_FAILED, Verdict.FAIL, said)


def _told(group: Group, kind: Kind, error: SettingsError) -> Iterator[Finding]:
    return (Finding(group, kind, Verdict.FAIL, {"fault": fault}) for fault in error.faults)


def _guarded(group: Group, look: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """One look; whatever it raises is a line of its own, and the next look is taken."""
    try:
        yield from look()
    except Exception as error:  # noqa: BLE001 - the command line's border: the other looks have to be taken
        # Only what kind of error: nobody knows what is in its text.
        yield Finding(group, Kind.BROKE, Verdict.FAIL, {"error": type(error).__name__})


def _secrets(settings: Settings) -> tuple[str, ...]:
    """Texts that are never shown, longest first."""
    found = [settings.slack_bot_token.get_secret_value(), settings.slack_app_token.get_secret_value()]
    if settings.secret_key is not None:
        found += settings.secret_key.get_secret_value().split(",")
    try:
        password = urlsplit(settings.database_url).password or ""
    except ValueError:
        password = ""
    found += [password, unquote(password)]
    # An rclone destination may carry its settings with it: ``:s3,access_key_id=…,secret_access_key=…:bucket``.
    found += [word.partition("=")[2].strip("\"'") for word in settings.archive.split(",") if "=" in word]
    found += [value for name, value in os.environ.items() if _is_secret(name)]
    return tuple(sorted({text for text in found if len(text) >= _SHORTEST_SECRET}, key=len, reverse=True))


def _is_secret(name: str) -> bool:
    return name.upper().endswith(("_TOKEN", "_SECRET", "_PASSWORD", "_PASS", "_KEY", "_KEY_ID"))


def _without(secrets: tuple[str, ...], finding: Finding) -> Finding:
    facts: dict[str, str | int | float | bool | None] = dict(finding.facts)
    for name, value in facts.items():
        if isinstance(value, str):
            for secret in secrets:
                value = value.replace(secret, _STARS)  # noqa: PLW2901 - star by star
            facts[name] = value
    return replace(finding, facts=facts)


def as_json(findings: Iterable[Finding], words: Callable[[Finding], tuple[str, str]]) -> list[Mapping[str, object]]:
    """The findings as data, with their sentences."""
    told: list[Mapping[str, object]] = []
    for finding in findings:
        what, advice = words(finding)
        told.append(
            {
                "group": str(finding.group),
                "kind": str(finding.kind),
                "verdict": str(finding.verdict),
                "facts": dict(finding.facts),
                "what": what,
                "advice": advice,
            }
        )
    return told
