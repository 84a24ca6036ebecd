"""The judge sees each rule that is taken away, by a short history that is harmless where the rule holds."""

from collections.abc import Callable, Iterator
from typing import Final

import pytest

from bot.domain.commands import WatchAction
from bot.domain.question import Answer
from tests.soak import mutants
from tests.soak.board import OWNER, STRANGER
from tests.soak.histories import History
from tests.soak.mutants import Patch
from tests.soak.play import Theatre, in_memory

MODEL, NOTES, LOG = b"~/work/model.pt", b"~/notes", b"~/work/train.log"
HIDDEN, STEP, CACHE = b"~/work/out/\xff\xfe", b"~/work/out/step.pt", b"~/work/__pycache__/x.pyc"
YES, NO = Answer.YES, Answer.NO


def _yes(history: History, then: str = "", path: bytes = NOTES, s: float = 61.0, *, is_sign: bool = False) -> None:
    history.want_gone(OWNER, OWNER, YES, is_sign, then, path, s)


def _unanswered(history: History) -> None:
    history.want_gone(OWNER, STRANGER, NO, False, "", NOTES, 61.0)


def written_in_the_grace(history: History) -> None:
    history.begin([MODEL])
    _yes(history, "write")


def looks_time_out(history: History) -> None:
    history.begin([MODEL])
    history.trouble(["remote:slow", "remote:slow"])
    _unanswered(history)


def looks_are_cut_short(history: History) -> None:
    history.begin([CACHE, NOTES])
    history.trouble(["drags"])
    _unanswered(history)


def nobody_may_look(history: History) -> None:
    history.begin([HIDDEN])
    history.tidy(HIDDEN, HIDDEN, "hide")
    _unanswered(history)


def a_moment_after_the_yes(history: History) -> None:
    history.begin([MODEL])
    _yes(history, s=2.0)


def written_after_it_was_copied(history: History) -> None:
    history.begin([MODEL])
    history.sync((), "rewrite", MODEL, "archive.copied", True)


def written_after_it_was_verified(history: History) -> None:
    history.begin([MODEL])
    history.world.sync(OWNER)
    history.wait(2.0)
    history.write(MODEL, 8)
    _unanswered(history)


def a_stranger_says_yes(history: History) -> None:
    history.begin([MODEL])
    history.want_gone(OWNER, STRANGER, YES, False, "", NOTES, 61.0)


def more_than_its_owner_may_lose(history: History) -> None:
    history.begin([MODEL])
    history.write(MODEL, 3_000)
    _yes(history)


def a_reaction_is_taken_back(history: History) -> None:
    history.begin([MODEL])
    _yes(history, "take-back", is_sign=True)


def a_reaction_is_taken_back_unheard(history: History) -> None:
    history.begin([MODEL])
    _yes(history, "take-back-unheard", s=2.0, is_sign=True)
    history.world.board.answers = False
    history.wait(61.0)


def a_press_under_the_old_question(history: History) -> None:
    history.begin([MODEL])
    _yes(history, "write")
    history.answer(OWNER, YES, False, 1)
    history.wait(61.0)


def an_open_file_is_written_anew(history: History) -> None:
    history.begin([])
    history.grow(LOG)
    _yes(history, "write", LOG)


def a_checkpoint_where_nothing_counts(history: History) -> None:
    history.begin([STEP])
    history.skip(OWNER, WatchAction.SKIP)
    _unanswered(history)


def a_stranger_says_it_can_be_had_again(history: History) -> None:
    history.begin([HIDDEN])
    history.skip(STRANGER, WatchAction.SKIP)
    _unanswered(history)


def a_moment_after_a_disks_yes(history: History) -> None:
    history.begin([MODEL])
    history.want_gone(OWNER, OWNER, YES, False, "", NOTES, 61.0, keeps=True)
    history.wait(61.0)
    history.want_gone(OWNER, OWNER, YES, False, "", NOTES, 2.0)


def a_disk_is_deleted_by_its_owner(history: History) -> None:
    history.begin([MODEL])
    history.want_gone(OWNER, OWNER, YES, False, "", NOTES, 61.0, keeps=True)
    history.wait(61.0)
    history.want_gone(OWNER, OWNER, YES, False, "", NOTES, 61.0)


CASES: Final[dict[Callable[[Patch], None], Callable[[History], None]]] = {
    mutants.no_last_look: written_in_the_grace,
    mutants.any_inventory_will_do: written_in_the_grace,
    mutants.unknown_is_clean: looks_time_out,
    mutants.a_part_is_the_whole: looks_are_cut_short,
    mutants.blind_spots_are_forgotten: nobody_may_look,
    mutants.rules_hide_checkpoints: a_checkpoint_where_nothing_counts,
    mutants.strangers_may_skip: a_stranger_says_it_can_be_had_again,
    mutants.disks_have_no_grace: a_moment_after_a_disks_yes,
    mutants.disks_are_not_looked_at: a_disk_is_deleted_by_its_owner,
    mutants.no_grace: a_moment_after_the_yes,
    mutants.copied_is_verified: written_after_it_was_copied,
    mutants.known_by_name: written_after_it_was_verified,
    mutants.anybody_may_answer: a_stranger_says_yes,
    mutants.everybody_at_any_time: more_than_its_owner_may_lose,
    mutants.nothing_is_taken_back: a_reaction_is_taken_back,
    mutants.nobody_reads_again: a_reaction_is_taken_back_unheard,
    mutants.old_questions_answer_new_ones: a_press_under_the_old_question,
    mutants.open_files_may_do_anything: an_open_file_is_written_anew,
}


@pytest.fixture(scope="module")
def theatre() -> Iterator[Theatre]:
    with in_memory() as theatre:
        yield theatre


def lost_bytes(stage: Theatre, scene: Callable[[History], None]) -> int:
    """What is lost in a history."""

    class Played(History):
        theatre = stage

    history = Played()
    scene(history)
    for _ in range(2):
        history.wait(31.0)
    return history.lost_bytes


@pytest.mark.parametrize(("mutant", "scene"), CASES.items(), ids=[mutant.__name__ for mutant in CASES])
def test_a_rule_that_is_taken_away_is_missed(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch, mutant: Callable[[Patch], None], scene: Callable[[History], None]
) -> None:
    assert lost_bytes(theatre, scene) == 0, "the product as it is"
    mutant(monkeypatch)
    assert lost_bytes(theatre, scene) > 0, "nobody saw it"
