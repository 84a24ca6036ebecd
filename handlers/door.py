"""The door: who somebody is, and whether they are let in at all, before anything they sent is looked at."""

from dataclasses import dataclass

from bot.domain.people import Actor
from bot.domain.places import Place
from bot.domain.policy import Action, Denial, denied, refused_at_the_door
from bot.errors import Refused
from handlers.desk import Desk


@dataclass(frozen=True, slots=True)
class Door:
    """The workspace's door. Raises `Refused` with the denial for whoever may not come in."""

    desk: Desk

    def let_in(self, user: str, team: str, place: Place) -> Actor:
        """The person, who is noted as known. No channel (a view) and a direct message have no rule of their own."""
        if team != self.desk.team_id:
            raise Refused(Denial.OTHER_WORKSPACE)
        actor = self.desk.people.actor(user, team)
        channel = None if not place.channel or place.channel.startswith("D") else place.channel
        if (denial := refused_at_the_door(self.desk.policy, actor, self.desk.team_id, channel)) is not None:
            raise Refused(denial)
        self.desk.know.note(actor)
        return actor

    def let_look(self, user: str, team: str, place: Place) -> Actor:
        """The same for somebody who has to be allowed to look at leases, too."""
        actor = self.let_in(user, team, place)
        if (denial := denied(self.desk.policy, actor, Action.LOOK)) is not None:
            raise Refused(denial)
        return actor
