"""Files that people share from their own computers."""

from __future__ import annotations

from bot.playground.acts import Acts
from bot.playground.model import File, Message, Person
from bot.playground.playground import Playground
from bot.playground.refusals import ImpossibleError
from bot.playground.typed import as_sent


def share(
    playground: Playground,
    who: str,
    where: str,
    contents: list[tuple[str, bytes]],
    text: str = "",
    thread_ts: str | None = None,
) -> Message:
    """One message with files, given by name and content.

    The app is told of the message, and of each file (docs: reference/events/message/file_share, file_shared).
    """
    team, acts = playground.team, Acts(playground)
    person = acts.person(who)
    channel = acts.channel(person, where, write=True)
    if not contents:
        raise ImpossibleError("there is no file")
    if thread_ts is not None and team.message(channel.id, thread_ts) is None:
        raise ImpossibleError(f"no message {thread_ts} to reply to")
    files = [keep(playground, person, name, content) for name, content in contents]
    message = playground.conversation.post(
        channel,
        person,
        as_sent(team, text, command=False),
        thread_ts=thread_ts,
        files=[f.id for f in files],
        subtype="file_share",
    )
    for file in files:
        file.shares.append((channel.id, message.ts))
        playground.conversation.tell_file_shared(channel, file, person)
    return message


def keep(playground: Playground, person: Person, name: str, content: bytes) -> File:
    """A file that stands nowhere yet: what a person puts into a file input of a modal."""
    file = File(
        id=playground.team.new_id("F"),
        name=name,
        title=name,
        length=len(content),
        alt_text=None,
        user=person.id,
        created=int(playground.now()),
        upload_key="",
        content=content,
        completed=True,
        ready_at=playground.now() + playground.settings.file_processing_s,
    )
    playground.team.files[file.id] = file
    return file
