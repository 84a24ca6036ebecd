"""Misbehaviour on demand: what the next calls of a method will suffer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bot.playground.model import Json

Kind = Literal["rate_limit", "http_error", "slow", "refuse", "lose_reply"]


@dataclass
class Trouble:
    """One rule. It holds for ``calls`` matching calls, or until a time, or until it is lifted.

    ``method`` is an API method, ``response_url``, ``upload`` or ``*``. ``where`` narrows it to calls that
    have these very arguments.
    """

    kind: Kind
    method: str = "*"
    calls: int | None = None
    until: float | None = None
    where: Json = field(default_factory=dict)
    seconds: float = 0.0
    retry_after_s: int = 1
    status: int = 500
    error: str = "edit_window_closed"

    def fits(self, method: str, args: Json) -> bool:
        """Whether a call is one that the rule is about."""
        if self.method not in ("*", method):
            return False
        return all(str(args.get(name)) == str(value) for name, value in self.where.items())


@dataclass
class Troubles:
    """The rules in force."""

    rules: list[Trouble] = field(default_factory=list)

    def take(self, kind: Kind, method: str, args: Json, now: float) -> Trouble | None:
        """The first rule of a kind for this call, or None; uses up one of its calls."""
        self.rules = [r for r in self.rules if r.until is None or r.until > now]
        for rule in self.rules:
            if rule.kind == kind and rule.fits(method, args):
                if rule.calls is not None:
                    rule.calls -= 1
                    if rule.calls <= 0:
                        self.rules.remove(rule)
                return rule
        return None
