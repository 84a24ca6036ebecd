"""What an answer says is so: which machine, which channel, until when, and what was done."""

import re
from collections.abc import Iterator

import pytest

from tests.e2e.deployment import GPUS, Deployment

TWO = ("first-one", "other-one")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """Ana's two machines, ready; the home channel is #gpus."""
    folder = tmp_path_factory.mktemp("pair")
    town = Deployment(folder, archive=str(folder / "archive"))
    town.start()
    for name in TWO:
        assert town.person("ana").command(GPUS, f"/gpu rent cpu 1h name={name}").acked
    for name in TWO:
        town.wait(lambda name=name: any(f"*{name}*" in c.words and "*ready*" in c.words for c in town.cards()), 20)  # type: ignore[misc]
    yield town
    town.close()


@pytest.mark.parametrize("typed", ["jobs", "ssh", "keep 2h", "release --keep-disk", "run -- echo hi", "logs"])
def test_who_has_to_name_a_machine_is_shown_their_own_command_with_one(pair: Deployment, typed: str) -> None:
    verb, _, rest = typed.partition(" ")
    said = pair.ana(f"/gpu {typed}").words
    assert f"`/gpu {verb} first-one{' ' + rest if rest else ''}`" in said
    assert "stop" not in said


def test_an_end_that_was_named_is_the_end_that_is_told(pair: Deployment) -> None:
    said = pair.ana("/gpu keep first-one until tomorrow 9:00").words
    (told,) = re.findall(r"<!date\^([0-9]+)\^", said)
    assert int(told) % 3600 == 0, said


def test_offers_of_so_many_cards_are_of_so_many(pair: Deployment) -> None:
    lines = pair.ana("/gpu offers h100x8").words.splitlines()
    assert {line.split(" (")[0] for line in lines} == {"• 8× H100"}
    assert "Nobody offers `h100x3`" in pair.ana("/gpu offers 3xh100").words


def test_an_audit_of_everything_says_of_which_machine_and_has_a_word_for_each_act(pair: Deployment) -> None:
    for text in ("keep first-one 2h", "secret remove NOPE", "run first-one -- true", "check other-one"):
        pair.ana(f"/gpu {text}")
    said = pair.ana("/gpu audit").words
    assert "*first-one*: <@U0ANA0000> started a job on it: job 1" in said
    assert "*first-one*: <@U0ANA0000> wanted no idle reminders of it for a while: 2 h" in said
    assert "*other-one*: <@U0ANA0000> rented it" in said


def test_a_job_that_printed_nothing_and_is_over_is_not_waited_for(pair: Deployment) -> None:
    pair.ana("/gpu run other-one name=mute -- true")
    pair.wait(lambda: "done" in pair.ana("/gpu jobs other-one").words, 20)
    assert "printed no lines; it has ended" in pair.ana("/gpu logs other-one").words


def test_a_copy_of_a_path_that_nobody_watches_says_so(pair: Deployment) -> None:
    pair.write("other-one", "work/made.bin", b"x")
    pair.ana("/gpu sync other-one /nowhere")
    ended = "nothing there is watched: `/gpu watch NAME PATH` adds a path"

    def look() -> bool:
        (card,) = (c for c in pair.cards() if "*other-one*" in c.words)
        return any(ended in m.words and "in no verified copy" in m.words for m in pair.person("ana").thread(GPUS, card))

    pair.wait(look, 30)
    assert "gpubot found nothing of it to copy to the archive" in pair.ana("/gpu audit other-one").words


def test_a_mention_with_a_colon_is_a_mention(pair: Deployment) -> None:
    ana = pair.person("ana")
    ana.dm("@gpubot: help keep")
    pair.wait(lambda: any("no idle reminders for a while" in m.words for m in ana.sees_dm()), 20)


def test_who_rents_where_the_bot_may_not_post_is_told_where_the_card_is(pair: Deployment) -> None:
    ben = pair.person("ben")
    said = ben.command("#random", "/gpu rent cpu 1h name=far-off").words
    assert "in this channel" not in said
    pair.wait(
        lambda: any("*far-off*" in m.words and "I may not post in <#C0RANDOM0>" in m.words for m in ben.sees_dm()), 30
    )
    ben.command("#random", "/gpu rent 2xa100-80 20h")
    pair.wait(
        lambda: any("quote_accept" in m.action_ids or "Rent" in [b.text for b in m.buttons] for m in ben.sees_dm()), 30
    )
