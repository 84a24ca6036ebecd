"""What people do in their Slack clients, and what that sends to the app."""

from __future__ import annotations

from bot.playground import payloads
from bot.playground.answers import answer
from bot.playground.blocks import interactive
from bot.playground.delivery import Outcome
from bot.playground.model import Channel, Json, Message, Person
from bot.playground.playground import Playground
from bot.playground.refusals import ImpossibleError, RefusedError
from bot.playground.typed import as_sent


class Acts:
    """The verbs of a person. Each raises ``ImpossibleError`` for what a client would not let them do."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground

    def person(self, who: str) -> Person:
        """Somebody who can act: there, and not deactivated."""
        person = self.playground.team.person_or_none(who)
        if person is None:
            raise ImpossibleError(f"nobody is called {who}")
        if person.deleted:
            raise ImpossibleError(f"{person.name} is deactivated")
        return person

    def channel(self, person: Person, which: str, *, write: bool = False) -> Channel:
        """A conversation that a person sees; ``@`` and the bot's name, or ``dm``, is theirs with the bot."""
        team = self.playground.team
        if which == "dm" or which.removeprefix("@") in (team.bot.name, team.bot.id):
            if write and not self.playground.settings.messages_tab:
                raise ImpossibleError("sending messages to this app has been turned off")
            return team.dm_of(person.id, self.playground.now())
        channel = team.channel_or_none(which)
        guest = person.is_restricted or person.is_ultra_restricted or person.is_stranger
        if channel is None or (person.id not in channel.members and (channel.kind != "channel" or guest)):
            raise ImpossibleError(f"{person.name} sees no channel {which}")
        if write and person.id not in channel.members:
            raise ImpossibleError(f"{person.name} is not in {which}")
        if write and channel.archived:
            raise ImpossibleError(f"{which} is archived")
        return channel

    async def command(self, who: str, where: str, typed: str, thread_ts: str | None = None) -> Json:
        """Type a slash command and wait for its acknowledgement."""
        playground, person = self.playground, self.person(who)
        channel = self.channel(person, where, write=True)
        command, _, text = typed.strip().partition(" ")
        if thread_ts is not None:
            # facts: Slack has no slash commands inside threads.
            return self._told_off(person, channel, f"{command} is not supported in threads. Sorry!", "threads")
        if command not in playground.settings.commands:
            return self._told_off(person, channel, f"{command} is not a valid command.", "invalid_command")
        entities = playground.settings.commands[command]
        sent = as_sent(playground.team, text.strip(), command=True, entities=entities)
        key = playground.callbacks.new_url(person.id, channel.id)
        trigger_id = playground.callbacks.new_trigger(person.id)
        payload = payloads.slash_command(
            playground.team, person, channel, command, sent, self._response_url(key), trigger_id
        )
        outcome = await playground.delivery.once("slash_commands", payload)
        if not outcome.acked:
            # facts: an unacknowledged command shows its typist operation_timeout.
            error = "operation_timeout" if outcome.connected else "dispatch_failed"
            told = f'{command} failed with the error "{error}"'
            return self._told_off(person, channel, told, error) | {"payload": payload}
        message = self._show_ack(person, channel, typed, outcome, key)
        return outcome_told(outcome) | {"payload": payload, "ts": message.ts if message else None}

    def _show_ack(self, person: Person, channel: Channel, typed: str, outcome: Outcome, key: str) -> Message | None:
        if not outcome.ack or not (outcome.ack.get("text") or outcome.ack.get("blocks")):
            return None
        if outcome.ack.get("response_type") == "in_channel":
            # docs: interactivity/implementing-slash-commands: then the command itself is shown too.
            self.playground.conversation.post(channel, person, typed)
        try:
            # The acknowledgement is answered like a response address, but is not one of its five uses.
            return answer(self.playground, self.playground.callbacks.url(key), outcome.ack)
        except RefusedError as refused:
            self._told_off(person, channel, f'the command failed with the error "{refused.error}"', refused.error)
            return None

    def _told_off(self, person: Person, channel: Channel, text: str, error: str) -> Json:
        message = self.playground.conversation.post(channel, _slackbot(), text, only_for=person.id)
        return {"acked": False, "ack_delay_s": None, "ack": None, "error": error, "ts": message.ts}

    def say(self, who: str, where: str, text: str, thread_ts: str | None = None, *, raw: bool = False) -> Message:
        """Post a message; ``raw`` sends the text as it stands instead of as a client would."""
        playground, person = self.playground, self.person(who)
        channel = self.channel(person, where, write=True)
        if thread_ts is not None and playground.team.message(channel.id, thread_ts) is None:
            raise ImpossibleError(f"no message {thread_ts} to reply to")
        sent = text if raw else as_sent(playground.team, text, command=False)
        message = playground.conversation.post(channel, person, sent, thread_ts=thread_ts)
        bot = playground.team.bot
        if f"<@{bot.id}>" in sent and bot.id not in channel.members:
            hint = f"You mentioned <@{bot.id}>, but they're not in this channel."
            playground.conversation.post(channel, _slackbot(), hint, only_for=person.id)
        return message

    async def click(
        self,
        who: str,
        where: str,
        ts: str,
        action_id: str,
        block_id: str | None = None,
        chosen: str | None = None,
    ) -> Json:
        """Use a button or a menu of a message that the person sees."""
        playground, person = self.playground, self.person(who)
        channel = self.channel(person, where)
        message = self._seen(person, channel, ts)
        action = action_in(self.playground, message.blocks, action_id, block_id, chosen)
        key = playground.callbacks.new_url(person.id, channel.id, message.ts)
        trigger_id = playground.callbacks.new_trigger(person.id)
        payload = payloads.message_action(
            playground.team, person, channel, message, action, self._response_url(key), trigger_id
        )
        return outcome_told(await playground.delivery.once("interactive", payload)) | {"payload": payload}

    def react(self, who: str, where: str, ts: str, name: str, *, add: bool) -> None:
        """Add or take back a reaction; doing it twice changes nothing."""
        person = self.person(who)
        channel = self.channel(person, where, write=True)
        message = self._seen(person, channel, ts)
        if message.only_for is not None:
            raise ImpossibleError("nobody reacts to an ephemeral message")
        if add != (person.id in message.reactions.get(name, ())):
            self.playground.conversation.react(message, person, name, add=add)

    def read(self, who: str, where: str, ts: str, thread_ts: str | None = None) -> None:
        """Remember how far a person has read a conversation or a thread; it only goes forward."""
        person = self.person(who)
        channel = self.channel(person, where)
        place = f"{channel.id}/{thread_ts}" if thread_ts else channel.id
        marks = self.playground.team.read.setdefault(person.id, {})
        if float(ts) > float(marks.get(place, 0)):
            marks[place] = ts
            self.playground.journal.note("read", user=person.id, channel=channel.id)

    def edit(self, who: str, where: str, ts: str, text: str) -> None:
        """Edit one's own message."""
        person = self.person(who)
        message = self._own(person, self.channel(person, where, write=True), ts)
        sent = as_sent(self.playground.team, text, command=False)
        self.playground.conversation.change(message, person, sent, [])

    def delete(self, who: str, where: str, ts: str) -> None:
        """Delete one's own message, or anybody's for an admin, or dismiss an ephemeral one."""
        person = self.person(who)
        channel = self.channel(person, where)
        message = self._seen(person, channel, ts)
        if message.only_for is None and not person.is_admin:
            message = self._own(person, channel, ts)
        self.playground.conversation.delete(message, person)

    def join(self, who: str, where: str, inviter: str | None = None) -> None:
        """Join a public channel, or be invited to any; ``who`` may be the bot, if somebody invites it."""
        team = self.playground.team
        joins = team.person_or_none(who) if inviter else self.person(who)
        host = self.person(inviter) if inviter else None
        channel = self.channel(host or self.person(who), where)
        if joins is None:
            raise ImpossibleError(f"nobody is called {who}")
        self.playground.conversation.join(channel, joins, host)

    def open_home(self, who: str, tab: str = "home") -> None:
        """Open the app's home or messages tab."""
        playground, person = self.playground, self.person(who)
        channel = playground.team.dm_of(person.id, playground.now())
        event: Json = {
            "type": "app_home_opened",
            "user": person.id,
            "channel": channel.id,
            "tab": tab,
            "event_ts": playground.team.new_ts(playground.now()),
        }
        home = playground.team.homes.get(person.id)
        if home is not None and tab == "home":
            event["view"] = payloads.view_told(playground.team, home)
        playground.conversation.tell("app_home_opened", event, person)

    def reload(self, who: str) -> None:
        """Reload the client: ephemeral messages are gone (facts)."""
        person = self.person(who)
        for channel_id, messages in self.playground.team.messages.items():
            self.playground.team.messages[channel_id] = [m for m in messages if m.only_for != person.id]

    def _seen(self, person: Person, channel: Channel, ts: str) -> Message:
        message = self.playground.team.message(channel.id, ts)
        if message is None or message.only_for not in (None, person.id):
            raise ImpossibleError(f"{person.name} sees no message {ts}")
        return message

    def _own(self, person: Person, channel: Channel, ts: str) -> Message:
        message = self._seen(person, channel, ts)
        if message.user != person.id:
            raise ImpossibleError(f"message {ts} is not {person.name}'s")
        return message

    def _response_url(self, key: str) -> str:
        return f"{self.playground.address}/response/{key}"


def outcome_told(outcome: Outcome) -> Json:
    """An outcome as the control API tells it."""
    error = None if outcome.acked else "operation_timeout" if outcome.connected else "dispatch_failed"
    return {"acked": outcome.acked, "ack_delay_s": outcome.delay_s, "ack": outcome.ack, "error": error}


def _slackbot() -> Person:
    """Slack's own voice, which is nobody's account."""
    return Person("USLACKBOT", "slackbot", "Slackbot", "")


def action_in(
    playground: Playground, blocks: list[Json], action_id: str, block_id: str | None, chosen: str | None
) -> Json:
    """The entry of ``actions`` for the element with this id.

    Raises:
        ImpossibleError: there is no such element or option.
    """
    for block in blocks:
        for element in interactive(block):
            if element.get("action_id") == action_id and block_id in (None, block["block_id"]):
                ts = playground.team.new_ts(playground.now())
                try:
                    return payloads.action_told(element, block["block_id"], chosen, ts)
                except KeyError:
                    raise ImpossibleError(f"{action_id} has no option {chosen}") from None
    raise ImpossibleError(f"there is no {action_id} here")
