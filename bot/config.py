"""Settings and policy, read once from the environment and ``policy.toml``; all faults are told together."""

import os
import tomllib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.errors import SettingsError


class Settings(BaseSettings):
    """Every setting, by its name in the environment (or in ``.env``)."""

    model_config = SettingsConfigDict(
        env_file=".env", extra="ignore", frozen=True, hide_input_in_errors=True, allow_inf_nan=False
    )

    slack_bot_token: SecretStr = Field(description="Bot token of the Slack app (xoxb-…)")
    slack_app_token: SecretStr = Field(description="App-level token with connections:write (xapp-…)")
    slack_api_url: str = Field("https://slack.com/api/", description="Web API of Slack or a compatible server")
    slack_edits_per_minute: float = Field(
        50.0, gt=0, description="Edits of messages that the workspace allows a minute; Slack's own tier is about 50"
    )
    home_channel: str = Field("", description="Id of the channel for cards where the bot may not post")
    database_url: str = Field("sqlite:///data/gpubot.db", description="SQLite file or PostgreSQL address")
    data_dir: Path = Field(Path("data"), description="Directory for the key file and local instances")
    secret_key: SecretStr | None = Field(
        None, description="Key that seals secrets at rest; made in DATA_DIR/secret.key at first start if unset"
    )
    archive: str = Field("", description="rclone destination where finished data goes")
    archive_mib_per_s: float = Field(
        0.0, ge=0, description="The most of the network that all copies together may take, MiB a second; 0: no limit"
    )
    archive_copies: int = Field(
        4, ge=1, le=64, description="Copies at once in the whole bot; those that run share the network equally"
    )
    thread_files_mib: int = Field(
        0,
        ge=0,
        le=1024,
        description="The biggest file that is taken from a machine's thread into its ~/work, MiB; 0: none",
    )
    providers: str = Field("local", description="Providers to rent from, separated by commas")
    policy_file: Path = Field(Path("policy.toml"), description="The team's policy; without the file, defaults hold")
    local_boot_s: float = Field(3.0, ge=0, description="Simulated boot delay of the local provider, seconds")
    local_boot_limit_s: float = Field(60.0, gt=0, description="How long a local machine may take to answer, seconds")
    local_python: Path | None = Field(
        None, description="Python that local machines have as python3, with PyTorch in it, say; unset: the system's"
    )
    job_look_s: float = Field(2.0, gt=0, description="How often a young job is looked at, seconds")
    job_message_s: float = Field(60.0, gt=0, description="How old a job's message may be while output comes, seconds")
    picture_s: float = Field(60.0, gt=0, description="How old a job's picture may be while its curve goes on, seconds")
    release_grace_s: float = Field(60.0, ge=0, description="How long a yes to a release may be taken back, seconds")
    settle_s: float = Field(
        60.0, ge=1, description="How long nothing may have been written on a machine that nobody has to be asked about"
    )
    release_stuck_s: float = Field(600.0, gt=0, description="When a release that does not end counts as stuck, seconds")
    look_s: float = Field(30.0, gt=0, description="How often a machine at rest is read, seconds")
    offers_s: float = Field(60.0, gt=0, description="How often price lists are read, seconds")
    check_url: str = Field(
        "https://github.com/", description="Address that machines should reach; empty: not looked for"
    )
    use_look_s: float = Field(60.0, gt=0, description="How often the use of a ready machine is looked at, seconds")
    idle_after_s: float = Field(1800.0, gt=0, description="After this long unused the owner is reminded, seconds")
    owner_first_s: float = Field(
        1800.0, ge=0, description="How long the owner has the word before an approver's yes counts, seconds"
    )
    end_warn_s: float = Field(
        900.0, gt=0, description="How long before its end, at least, a lease's owner hears of it, seconds"
    )
    end_ask_again_s: float = Field(
        28800.0, gt=0, description="After a no the release of a lease past its end is not asked for again for so long"
    )
    end_stop_s: float = Field(
        1800.0, gt=0, description="When an unused machine past its end, whose question waits, is stopped, seconds"
    )
    signs_read_s: float = Field(
        120.0, gt=0, description="How often the reactions under an open question are read, besides being heard of"
    )
    claim_ttl_s: float = Field(15.0, gt=0, description="How long a dead worker's duties stay with it, seconds")
    log_level: str = Field("info", description="debug, info, warning or error")

    @property
    def thread_files_bytes(self) -> int:
        """The same in bytes."""
        return self.thread_files_mib * 1024**2

    @property
    def provider_names(self) -> tuple[str, ...]:
        """The providers, in the order they were given."""
        return tuple(name.strip() for name in self.providers.split(",") if name.strip())

    @field_validator("slack_bot_token")
    @classmethod
    def _is_a_bot_token(cls, token: SecretStr) -> SecretStr:
        if not token.get_secret_value().startswith("xoxb-"):
            raise ValueError("must be a bot token: it starts with xoxb-")
        return token

    @field_validator("slack_app_token")
    @classmethod
    def _is_an_app_token(cls, token: SecretStr) -> SecretStr:
        if not token.get_secret_value().startswith("xapp-"):
            raise ValueError("must be an app-level token: it starts with xapp-")
        return token

    @field_validator("data_dir")
    @classmethod
    def _can_be_a_directory(cls, path: Path) -> Path:
        there = next(part for part in (path, *path.absolute().parents) if part.exists())
        if not there.is_dir():
            raise ValueError(f"{there} is there and is no directory")
        if not os.access(there, os.W_OK | os.X_OK):
            raise ValueError(f"nothing can be written in {there}")
        return path

    @field_validator("log_level")
    @classmethod
    def _is_a_level(cls, level: str) -> str:
        if level not in ("debug", "info", "warning", "error"):
            raise ValueError("must be debug, info, warning or error")
        return level


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RentRules(_Table):
    """``[rent]`` of the policy file."""

    limit_usd: Decimal = Field(Decimal(25), ge=0)
    approval_limit_usd: Decimal = Field(Decimal(500), ge=0)
    longest_days: int = Field(14, ge=1, le=60)


class ReleaseRules(_Table):
    """``[release]`` of the policy file."""

    approver_above_gib: Decimal | None = Field(None, ge=0)


class IdleRules(_Table):
    """``[idle]`` of the policy file."""

    ask_after_hours: float | None = Field(None, gt=0)


class LeaseEndRules(_Table):
    """``[lease_end]`` of the policy file."""

    stop_unused: bool = True


class PolicyFile(_Table):
    """``policy.toml`` as it is written; `bot.domain.policy.Policy` is what it means."""

    members: tuple[str, ...] = ("*",)
    approvers: tuple[str, ...] = ()
    admins: tuple[str, ...] = ()
    channels: tuple[str, ...] = ("*",)
    rent: RentRules = RentRules()
    release: ReleaseRules = ReleaseRules()
    idle: IdleRules = IdleRules()
    lease_end: LeaseEndRules = LeaseEndRules()

    @model_validator(mode="after")
    def _somebody_can_approve(self) -> "PolicyFile":
        if self.release.approver_above_gib is not None and not self.approvers:
            raise ValueError("release.approver_above_gib needs approvers: without any nobody could ever say yes")
        return self


def read_settings() -> Settings:
    """The settings.

    Raises:
        SettingsError: with every fault, each naming its setting.
    """
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError(_faults(error, str.upper)) from None


_NO_TOKENS: Final = {"slack_bot_token": SecretStr("xoxb-"), "slack_app_token": SecretStr("xapp-")}


def read_what_is_right() -> tuple[Settings, tuple[str, ...], frozenset[str]]:
    """For looking on where `read_settings` gives up: settings, all faults, and the names of the settings that have
    them; these have their defaults instead, and tokens that open nothing."""
    try:
        return Settings(), (), frozenset()
    except ValidationError as error:
        names = frozenset(str(fault["loc"][0]) for fault in error.errors(include_input=False) if fault["loc"])
        faults = _faults(error, str.upper)
    instead: dict[str, Any] = {name: _NO_TOKENS.get(name, Settings.model_fields[name].default) for name in names}
    return Settings(**instead), faults, names


class _Database(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True, hide_input_in_errors=True)

    database_url: str = Settings.model_fields["database_url"].default


def read_database_url() -> str:
    """The database alone: it is migrated before the tokens are there."""
    return _Database().database_url


class _ThreadFiles(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True, hide_input_in_errors=True)

    thread_files_mib: int = Settings.model_fields["thread_files_mib"].default


def read_thread_files() -> bool:
    """Whether files are taken from threads, alone: the manifest is printed before the tokens are there.

    Raises:
        SettingsError: the setting is no number.
    """
    try:
        return _ThreadFiles().thread_files_mib > 0
    except ValidationError as error:
        raise SettingsError(_faults(error, str.upper)) from None


def read_policy(path: Path) -> PolicyFile:
    """The policy file, or the defaults where there is none.

    Raises:
        SettingsError: it cannot be read or has faults; all of them.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return PolicyFile()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError((f"{path}: cannot be read: {error}",)) from error
    try:
        return PolicyFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError((f"{path}: {error}",)) from error
    except ValidationError as error:
        raise SettingsError(tuple(f"{path}: {fault}" for fault in _faults(error, str))) from None


def _faults(error: ValidationError, spell: Callable[[str], str]) -> tuple[str, ...]:
    """One line a fault, without the values: one of them might be a secret."""
    lines: list[str] = []
    for fault in error.errors(include_input=False, include_url=False):
        where = ".".join(str(part) for part in fault["loc"])
        message = fault["msg"].removeprefix("Value error, ")
        name = spell(where)
        if fault["type"] == "missing":
            described = Settings.model_fields[where].description if where in Settings.model_fields else ""
            message = f"is not set: {described}" if described else "is not set"
        lines += [f"{name}: {line}" if name else line for line in message.splitlines()]
    return tuple(lines)
