"""Listeners: slash command, mentions, direct messages, buttons; each parses, calls once, acks with the answer."""

import re
from collections.abc import Callable, Mapping
from threading import Event
from typing import Any, Final

from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient

from bot.domain.drops.drop import Choice
from bot.domain.places import MessageRef, Place
from bot.domain.question import Answer
from bot.errors import Refused
from handlers import data, dispatch, drops, greeting, home, jobs, leases, machines, rent, rent_form, secrets
from handlers.action_ids import ActionId
from handlers.answers import Answers, Words, payload
from handlers.blocks import Modal, Reply
from handlers.desk import Asked, Desk
from handlers.door import Door
from handlers.form_listeners import FormListeners
from handlers.funnel import Funnel

Body = Mapping[str, Any]
Press = Callable[[Desk, Asked, str], Reply | None]

PRESSES: Final[Mapping[ActionId, Press]] = {
    ActionId.RENT_ACCEPT: lambda desk, asked, value: rent.press(desk, asked, value, accept=True),
    ActionId.RENT_DECLINE: lambda desk, asked, value: rent.press(desk, asked, value, accept=False),
    ActionId.RENT_FORM: rent_form.press,
    ActionId.LEASE_STOP: leases.press_stop,
    ActionId.LEASE_START: leases.press_start,
    ActionId.LEASE_EXTEND: leases.press_extend,
    ActionId.LEASE_EXTEND_LONG: leases.press_extend_long,
    ActionId.LEASE_RELEASE: leases.press_release,
    ActionId.LEASE_KEEP_ANYWAY: leases.press_keep_anyway,
    ActionId.LEASE_SSH: leases.press_ssh,
    ActionId.LEASE_KEEP_QUIET: machines.press_keep_quiet,
    ActionId.JOB_KILL: jobs.press_kill,
    ActionId.JOB_EXTEND: jobs.press_extend,
    ActionId.SECRET_FORM: secrets.press,
    ActionId.FILE_REPLACE: lambda desk, asked, value: drops.press(desk, asked, value, Choice.REPLACE),
    ActionId.FILE_BOTH: lambda desk, asked, value: drops.press(desk, asked, value, Choice.BOTH),
    ActionId.FILE_LEAVE: lambda desk, asked, value: drops.press(desk, asked, value, Choice.LEAVE),
    ActionId.QUESTION_YES: lambda desk, asked, value: leases.press_answer(desk, asked, value, Answer.YES),
    ActionId.QUESTION_SAVE: lambda desk, asked, value: leases.press_answer(desk, asked, value, Answer.SAVE),
    ActionId.QUESTION_NO: lambda desk, asked, value: leases.press_answer(desk, asked, value, Answer.NO),
}
JUST_POSTED_TRIES: Final = 10
JUST_POSTED_S: Final = 0.2
_BOT_MENTION: Final = r"<@{}(?:\|[^<>]*)?>[:,]?"


class Listeners:
    """Everything that Slack sends us."""

    def __init__(self, desk: Desk, funnel: Funnel, client: WebClient) -> None:
        self._desk, self._funnel, self._client, self._door = desk, funnel, client, Door(desk)
        self._answers = Answers(funnel, client)
        self._forms = FormListeners(desk, funnel, client, self._answers)
        self._drops = drops.DropListener(desk, funnel, self._answers)
        self._mention = re.compile(_BOT_MENTION.format(re.escape(desk.bot_user)))

    def register(self, app: App) -> None:
        """Bind every listener."""
        app.command("/gpu")(self.on_command)
        app.event("app_mention")(self.on_mention)
        app.event("message")(self.on_message)
        app.event("reaction_added")(self.on_reaction)
        app.event("reaction_removed")(self.on_reaction)
        app.event("app_home_opened")(self.on_home)
        app.event("member_joined_channel")(self.on_joined)
        for action in PRESSES:
            app.action(action)(self.on_press)
        self._forms.register(app)

    def on_command(self, ack: Ack, body: Body, respond: Respond) -> None:
        """``/gpu …``: the ack carries the answer, for the typist alone; a form opens after it."""
        delivery = f"command:{body['trigger_id']}"
        place = Place(str(body["channel_id"]))
        text = str(body.get("text") or "")
        reply: Reply | None = self._funnel.answer(
            lambda: self._command(
                str(body["user_id"]), str(body.get("team_id")), place, delivery, text, opens_forms=True
            ),
            delivery,
        )
        if not isinstance(reply, Modal):
            self._funnel.quietly("ack", lambda: ack(**payload(reply), response_type="ephemeral") if reply else ack())
            return
        self._funnel.quietly("ack", ack)
        if (why_not := self._forms.open(reply, str(body["trigger_id"]))) is not None:
            self._funnel.quietly("respond", lambda: respond(**payload(why_not), response_type="ephemeral"))

    def on_mention(self, body: Body) -> None:
        """``@gpubot …`` in a channel; in a lease's thread its name may be left out."""
        self._on_text(body, self._mention.sub("", str(body["event"].get("text") or ""), count=1))

    def on_message(self, body: Body) -> None:
        """A direct message, or files in a machine's thread. Other messages are none of our business."""
        event = body["event"]
        if event.get("files"):
            self._drops.on_message(body)
        if event.get("channel_type") == "im" and not event.get("subtype") and not event.get("bot_id"):
            self._on_text(body, self._mention.sub("", str(event.get("text") or ""), count=1))

    def on_reaction(self, body: Body) -> None:
        """✅, 💾 or ❌ under a question, by a person; all other reactions are none of our business."""
        event = body["event"]
        item, user, name = event.get("item") or {}, str(event.get("user")), str(event.get("reaction"))
        if item.get("type") != "message" or name not in data.REACTIONS or user == self._desk.bot_user:
            return
        message = MessageRef(str(item["channel"]), str(item["ts"]))
        added = event["type"] == "reaction_added"
        delivery = f"reaction:{message.channel}:{message.ts}:{user}:{name}:{added}:{event.get('event_ts')}"
        team = str(event.get("user_team") or body.get("team_id"))
        thread: str | None = None

        def answer() -> str | None:
            nonlocal thread
            found = self._question_at(message, is_ours=event.get("item_user") == self._desk.bot_user)
            if found is None:
                return None
            question_id, thread = found
            place = Place(message.channel)
            asked = Asked(self._door.let_in(user, team, place), place, delivery, self._desk.clock())
            return data.reacted(self._desk, asked, question_id, name, added)

        reply = self._funnel.answer(answer, delivery)
        if reply and not self._answers.ephemerally(Place(message.channel, thread), user, reply):
            self._answers.directly(user, reply)

    def _question_at(self, message: MessageRef, *, is_ours: bool) -> tuple[str, str | None] | None:
        """The question that a message shows. Somebody quick may react before it is on record where it stands."""
        pause = Event()
        for _ in range(JUST_POSTED_TRIES if is_ours else 1):
            if (found := self._desk.answers.question_at(message)) is not None:
                return found
            pause.wait(JUST_POSTED_S if is_ours else 0)
        return None

    def on_home(self, body: Body) -> None:
        """Somebody looks at their home tab. It is shown by its reconciler; who may not look is told so."""
        event = body["event"]
        if event.get("tab") != "home":
            return
        user, team = str(event["user"]), str(body.get("team_id"))
        shown = str((event.get("view") or {}).get("private_metadata") or "")
        delivery = f"home:{user}:{event.get('event_ts')}"
        refusal = self._funnel.answer(lambda: self._open_home(user, team, shown), delivery)
        if refusal:
            tab = home.refusal_tab(refusal)
            self._funnel.quietly("home", lambda: self._client.views_publish(user_id=user, view=tab))

    def _open_home(self, user: str, team: str, shown: str) -> None:
        try:
            actor = self._door.let_look(user, team, Place(""))
        except Refused:
            self._desk.home.closed(user)
            raise
        self._desk.home(actor, shown)

    def on_joined(self, body: Body) -> None:
        """The bot was brought into a channel: it says once what it is for. Others' coming is none of our business."""
        event = body["event"]
        if event.get("user") != self._desk.bot_user:
            return
        channel = str(event["channel"])
        said = self._funnel.answer(
            lambda: greeting.greeting(self._desk, channel), f"joined:{channel}:{event.get('event_ts')}"
        )
        if said:
            self._funnel.quietly("greeting", lambda: greeting.post(self._client, channel, said))

    def on_press(self, ack: Ack, body: Body, respond: Respond) -> None:
        """A button."""
        pressed = body["actions"][0]
        user = str(body["user"]["id"])
        delivery = f"press:{pressed.get('action_ts')}:{user}:{pressed['action_id']}:{pressed.get('value')}"
        reply: Reply | None = self._funnel.answer(lambda: self._press(body, pressed, user, delivery), delivery)
        self._funnel.quietly("ack", ack)
        self._funnel.quietly("home", self._desk.home.changed)
        said = self._forms.open(reply, str(body["trigger_id"])) if isinstance(reply, Modal) else reply
        if said:
            self._answer_press(body, user, said, respond)

    def _answer_press(self, body: Body, user: str, reply: Words, respond: Respond) -> None:
        """Answer where the button is: a response_url knows no threads, and a view has none: it is said directly."""
        message, channel = body.get("message") or {}, (body.get("channel") or {}).get("id")
        thread = message.get("thread_ts")
        # A card stands in the channel, though it has a thread: what is said there is not seen by whoever pressed here.
        if thread and thread != message.get("ts") and channel:
            said = self._answers.ephemerally(Place(str(channel), str(thread)), user, reply)
        elif not body.get("response_url"):
            said = False
        else:
            said = self._funnel.quietly(
                "respond", lambda: respond(**payload(reply), response_type="ephemeral", replace_original=False)
            )
        if not said:
            self._answers.directly(user, reply)

    def _on_text(self, body: Body, text: str) -> None:
        event = body["event"]
        user, channel, thread = str(event["user"]), str(event["channel"]), event.get("thread_ts")
        # The same mention has been seen under two event ids: its place and time are what make it one.
        delivery = f"said:{channel}:{event['ts']}"
        place = Place(channel, str(thread) if thread else None)
        team = str(event.get("user_team") or event.get("team") or body.get("team_id"))
        reply: Reply | None = self._funnel.answer(lambda: self._command(user, team, place, delivery, text), delivery)
        if reply and not isinstance(reply, Modal):
            self._answers.privately(place, user, reply)

    def _command(
        self, user: str, team: str, place: Place, delivery: str, text: str, *, opens_forms: bool = False
    ) -> Reply | None:
        actor = self._door.let_in(user, team, place)
        asked = Asked(actor, place, delivery, self._desk.clock(), opens_forms)
        return dispatch.answer(self._desk, asked, text)

    def _press(self, body: Body, pressed: Mapping[str, Any], user: str, delivery: str) -> Reply | None:
        channel = str((body.get("channel") or {}).get("id") or "")
        place = Place(channel)
        actor = self._door.let_look(user, str((body.get("team") or {}).get("id")), place)
        asked = Asked(actor, place, delivery, self._desk.clock(), opens_forms=True)
        return PRESSES[ActionId(pressed["action_id"])](self._desk, asked, str(pressed.get("value") or ""))
