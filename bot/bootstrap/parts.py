"""Parts of the bot, each made from the settings alone."""

import os
import secrets
import signal
import threading
from collections.abc import Mapping
from datetime import UTC, datetime

from bot.config import PolicyFile, Settings
from bot.domain.answering import GIB
from bot.domain.ending import EndRule
from bot.domain.idle import IdleRule
from bot.domain.money import from_usd
from bot.domain.policy import Policy
from bot.domain.secret import Secret
from bot.errors import SettingsError
from bot.ports.faults import FaultPoint, Faults, NoFaults
from bot.ports.provider import Provider
from bot.providers.local.provider import LocalProvider
from bot.vault import FernetVault, load_or_make_key


def now() -> datetime:
    """The real clock."""
    return datetime.now(UTC)  # noqa: TID251 -- the entry point looks at a clock for everybody


def new_id() -> str:
    """16 hexadecimal digits."""
    return secrets.token_hex(8)


class KillAt:
    """Faults for tests: the process ends at a named point as by SIGKILL, the ``nth`` time it is reached."""

    def __init__(self, point: FaultPoint, nth: int) -> None:
        self._point, self._left = point, nth
        self._lock = threading.Lock()

    def reach(self, point: FaultPoint) -> None:
        """End the process, if this is the place."""
        if point is not self._point:
            return
        with self._lock:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def faults_from(environment: Mapping[str, str]) -> Faults:
    """``GPUBOT_KILL_AT=launch.called`` or ``launch.called:2``; nothing happens without it."""
    wanted = environment.get("GPUBOT_KILL_AT", "")
    if not wanted:
        return NoFaults()
    point, _, nth = wanted.partition(":")
    return KillAt(FaultPoint(point), int(nth or 1))


def policy_from(file: PolicyFile, owner_first_s: float = 1800.0) -> Policy:
    """What the policy file means; ``owner_first_s`` is a setting."""
    above_gib = file.release.approver_above_gib
    return Policy(
        members=frozenset(file.members),
        approvers=frozenset(file.approvers),
        admins=frozenset(file.admins),
        channels=frozenset(file.channels),
        rent_limit_microusd=from_usd(file.rent.limit_usd),
        approval_limit_microusd=from_usd(file.rent.approval_limit_usd),
        longest_lease_s=file.rent.longest_days * 86_400,
        release_approver_above_bytes=None if above_gib is None else int(above_gib * GIB),
        idle_asks_after_s=None if file.idle.ask_after_hours is None else file.idle.ask_after_hours * 3600,
        stops_unused=file.lease_end.stop_unused,
        owner_first_s=owner_first_s,
    )


def idle_rule_from(settings: Settings, policy: Policy) -> IdleRule:
    """When an unused machine is brought up, and when it is asked about."""
    return IdleRule(settings.idle_after_s, settings.use_look_s, policy.idle_asks_after_s)


def end_rule_from(settings: Settings, policy: Policy) -> EndRule:
    """What a lease's end brings up, and when."""
    return EndRule(
        warn_s=settings.end_warn_s,
        ask_again_s=settings.end_ask_again_s,
        stop_after_s=settings.end_stop_s,
        stops_unused=policy.stops_unused,
    )


def providers_from(settings: Settings) -> dict[str, Provider]:
    """The providers that the settings name.

    Raises:
        SettingsError: one is not known.
    """
    known = {"local"}
    unknown = [name for name in settings.provider_names if name not in known]
    if unknown or not settings.provider_names:
        named = ", ".join(unknown) or "nothing"
        raise SettingsError((f"PROVIDERS: {named} is not known; there is {', '.join(sorted(known))}",))
    local = LocalProvider(
        settings.data_dir / "local",
        boot_s=settings.local_boot_s,
        boot_limit_s=settings.local_boot_limit_s,
        python=settings.local_python,
    )
    return {"local": local}


def vault_from(settings: Settings) -> FernetVault:
    """The vault, with the key of the settings or the one in the key file, which is made at first start."""
    if settings.secret_key is not None:
        return FernetVault(Secret(settings.secret_key.get_secret_value()))
    return FernetVault(load_or_make_key(settings.data_dir / "secret.key"))
