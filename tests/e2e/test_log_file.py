"""`logs JOB --file`: the output as a file for its asker alone, and lines that hold a text."""

import re

import pytest

from bot.domain.jobs.log_file import SENT_AT_MOST_BYTES
from bot.playground.client_types import Message
from tests.e2e.deployment import GPUS, Deployment


@pytest.fixture(scope="module")
def press(town: Deployment) -> Deployment:
    """A deployment with one ready machine that all tests share."""
    town.handed_over("press")
    return town


def ended(bot: Deployment, command: str, options: str = "") -> str:
    """Run it to its end; the job's name."""
    found = re.search(r"\*press/\d+\*", bot.ana(f"/gpu run press {options} -- `{command}`").words)
    assert found
    bot.job(found[0], "done, exit 0", timeout_s=40)
    return found[0].strip("*")


def sent(bot: Deployment, name: str, who: str = "ana") -> tuple[str, bytes]:
    """What is said beside the file, and the file."""
    person = bot.person(who)
    before = len(person.sees_dm())
    assert "directly as a file" in person.command(GPUS, f"/gpu logs {name} --file").words

    def look() -> tuple[Message, Message] | None:
        for message in person.sees_dm()[before:]:
            files = [reply for reply in person.thread("dm", message) if reply.files]
            if f"*{name}*" in message.words and files:
                return message, files[0]
        return None

    said, reply = bot.wait(look, 30)
    return said.words, bot.workspace.file(reply.files[0])


def test_all_of_it_for_the_asker_alone(press: Deployment) -> None:
    name = ended(press, "for i in $(seq 1 20000); do echo line $i; done")
    words, content = sent(press, name)
    assert content == b"".join(b"line %d\n" % i for i in range(1, 20001))
    assert f"all {209 if len(content) == 208_894 else 0} kB of it" in words
    assert not [m for m in press.person("ana").thread(GPUS, press.card_of("press").ts) if "in this thread" in m.words]
    assert "<@" not in words
    assert sent(press, name, "ben")[1] == content


def test_of_an_enormous_one_the_end(press: Deployment) -> None:
    name = ended(press, f"yes 0123456789abcde | head -c {SENT_AT_MOST_BYTES + 1600}; echo; echo the end")
    words, content = sent(press, name)
    assert "its last 8.4 MB, the most that I send" in words
    assert len(content) == SENT_AT_MOST_BYTES
    assert content.endswith(b"\nthe end\n")


def test_without_secrets(press: Deployment) -> None:
    press.ana("/gpu secret set API_KEY")
    assert press.person("ana").submit(press.wait(press.person("ana").modal), secret_value="sk-5f9c2d7e").acked
    press.wait(lambda: "API_KEY" in press.ana("/gpu secret list").words)
    name = ended(press, "for i in 1 2 3; do echo $i $API_KEY; done", "env=API_KEY")
    assert sent(press, name)[1].decode() == "".join(f"{i} •••API_KEY•••\n" for i in (1, 2, 3))


def test_lines_that_hold_a_text(press: Deployment) -> None:
    name = ended(press, "echo a NaN here; echo nothing; echo nan again")
    shown = press.ana(f"/gpu logs {name} --grep nan").words
    assert "a NaN here" in shown
    assert "nan again" in shown
    assert "nothing" not in shown
    assert "nothing\n" in press.ana(f'/gpu logs {name} --grep "noth"').words


def test_of_a_stopped_machine_what_is_kept(press: Deployment) -> None:
    name = ended(press, "for i in $(seq 1 5); do echo kept $i; done")
    press.ana("/gpu stop press")
    press.card_of("press", "*stopped*")
    words, content = sent(press, name)
    assert "cannot be asked now" in words
    assert content == b"".join(b"kept %d\n" % i for i in range(1, 6))
