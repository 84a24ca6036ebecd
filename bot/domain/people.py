"""People: who acts, as the workspace knows them at that moment."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Actor:
    """A person and what the workspace says about them now. ``tz`` is an IANA name."""

    user: str
    team_id: str
    tz: str = "UTC"
    is_guest: bool = False
    is_deactivated: bool = False
    is_bot: bool = False
