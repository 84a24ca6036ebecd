"""Ways to break the promise: each takes one rule away. A check that does not see them is no check."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.domain import release as release_rules
from bot.domain.answering import said
from bot.domain.disk import Disk
from bot.domain.inventory import compare as comparing
from bot.domain.inventory import verification
from bot.domain.inventory.compare import Growth, Same
from bot.domain.inventory.files import FileState
from bot.domain.inventory.hashes import Hashed, HashKind
from bot.domain.inventory.inventory import Inventory, Some, Verdict
from bot.domain.inventory.parse import parse, parse_told
from bot.domain.inventory.request import Watch
from bot.domain.inventory.verification import Fate, FileResult, ManifestEntry
from bot.domain.lease import Lease
from bot.domain.lifecycle import steps
from bot.domain.looks import LastLook
from bot.domain.on_disk import OnDisk
from bot.domain.people import Actor
from bot.domain.question import Answer, Question, QuestionState
from bot.ports.remote import Step
from bot.remote import survey
from bot.remote.survey import ScriptSurveyor
from bot.services import answer_question as taking
from bot.services import keep_disks, read_answers, watch_paths
from bot.services import release as releasing
from bot.services.answer_question import AnswerQuestion
from bot.services.reconcile_lease.last_look import TakeLastLook
from tests.soak import kernel

Patch = pytest.MonkeyPatch


def no_last_look(patch: Patch) -> None:
    """What the question showed is taken for what is there now."""
    real = TakeLastLook.__call__

    def look(self: TakeLastLook, lease: Lease, known: Any, shown: Inventory | None) -> LastLook:
        if shown is None:
            return real(self, lease, known, shown)
        return LastLook(replace(shown, taken_at=self.clock()), is_fenced=True)

    patch.setattr(TakeLastLook, "__call__", look)


def any_inventory_will_do(patch: Patch) -> None:
    """A yes covers whatever the last look finds."""
    patch.setattr(release_rules, "compare", lambda shown, last: Same())


def unknown_is_clean(patch: Patch) -> None:
    """What could not be seen is taken for nothing."""
    real = Inventory.verdict.fget
    assert real is not None
    patch.setattr(
        Inventory, "verdict", property(lambda self: Verdict.CLEAN if real(self) is Verdict.UNKNOWN else real(self))
    )


def a_part_is_the_whole(patch: Patch) -> None:
    """A look that was cut short counts as one that was not."""

    def read(text: str, *, at: datetime, jobs: tuple[str, ...] = ()) -> Inventory:
        found = parse(text, at=at, jobs=jobs)
        return replace(found, why_unknown=None) if found.told else found

    def read_again(told: str, **named: Any) -> Inventory:
        found = parse_told(told, **named)
        return replace(found, why_unknown=None) if told else found

    patch.setattr(survey, "parse", read)
    patch.setattr("storage.data.parse_told", read_again)


def blind_spots_are_forgotten(patch: Patch) -> None:
    """Places that could not be looked into are not told."""

    def read(text: str, *, at: datetime, jobs: tuple[str, ...] = ()) -> Inventory:
        return replace(parse(text, at=at, jobs=jobs), blind=Some())

    patch.setattr(survey, "parse", read)
    patch.setattr("storage.data.parse_told", lambda *a, **k: replace(parse_told(*a, **k), blind=Some()))


def rules_hide_checkpoints(patch: Patch) -> None:
    """What lies in a folder that is left out is left out, whatever it is."""
    rules = kernel._modules(Step.INVENTORY)["bot.remote.scripts.inventory_rules"]
    patch.setattr(rules, "_CHECKPOINTS", ())


def strangers_may_skip(patch: Patch) -> None:
    """Anybody may say that a folder can be had again."""
    patch.setattr(watch_paths, "denied", lambda *_: None)


def no_grace(patch: Patch) -> None:
    """A yes counts at once. (That reactions are read after the grace would else keep it back.)"""
    real = release_rules.decide

    def decide(lease: Lease, question: Question | None, now: datetime, _grace: timedelta, *more: Any) -> Any:
        read = replace(question, signs_read_at=now) if question is not None else None
        return real(lease, read, now, timedelta(0), *more)

    patch.setattr(steps, "decide", decide)


def copied_is_verified(patch: Patch) -> None:
    """Whatever lies in the archive counts as a copy of what the machine has."""
    real = verification._result

    def result(path: bytes, answer: Any, archived: str | None, kind: HashKind, at: datetime) -> FileResult:
        if isinstance(answer, Hashed) and archived:
            return FileResult(path, Fate.VERIFIED, None, ManifestEntry(answer.state, kind, answer.hash, at))
        return real(path, answer, archived, kind, at)

    patch.setattr(verification, "_result", result)


def known_by_name(patch: Patch) -> None:
    """A file that was verified once is known for ever, whatever is written into it."""
    from hashlib import blake2b

    patch.setattr(FileState, "digest", property(lambda self: blake2b(self.path, digest_size=16).digest()))
    walk = kernel._modules(Step.INVENTORY)["bot.remote.scripts.inventory_walk"]
    patch.setattr(walk, "_TIMES", lambda *_: b"")


def anybody_may_answer(patch: Patch) -> None:
    """A stranger's yes counts."""
    patch.setattr(taking, "denied", lambda *_: None)
    patch.setattr(releasing, "denied", lambda *_: None)


def everybody_at_any_time(patch: Patch) -> None:
    """Neither the owner's time nor the approver's size is heeded."""
    patch.setattr(taking, "check_answer", lambda *_: None)


def nothing_is_taken_back(patch: Patch) -> None:
    """A reaction that is gone still counts."""
    patch.setattr(AnswerQuestion, "take_back", lambda self, actor, question_id: None)

    def first(question: Question, signs: Any, may: frozenset[str]) -> Any:
        return said(question, signs, may) if question.state is QuestionState.OPEN else None

    patch.setattr(read_answers, "said", first)


def nobody_reads_again(patch: Patch) -> None:
    """What was said while nobody listened is not looked for before a release."""
    real = release_rules.decide

    def decide(lease: Lease, question: Question | None, now: datetime, *more: Any, **named: Any) -> Any:
        read = replace(question, signs_read_at=now) if question is not None else None
        return real(lease, read, now, *more, **named)

    patch.setattr(steps, "decide", decide)


def old_questions_answer_new_ones(patch: Patch) -> None:
    """A press under an old message counts for the question that is open now."""
    real = AnswerQuestion.answer

    def answer(self: AnswerQuestion, actor: Actor, question_id: str, answer: Answer, *, by_sign: bool = False) -> Any:
        with self.store.read() as tx:
            old = tx.questions.get(question_id)
            newest = tx.questions.latest(old.lease_id) if old is not None else None
        return real(self, actor, newest.id if newest is not None else question_id, answer, by_sign=by_sign)

    patch.setattr(AnswerQuestion, "answer", answer)


def open_files_may_do_anything(patch: Patch) -> None:
    """A file that was shown as open may have been replaced or rewritten."""
    patch.setattr(comparing, "_growth", lambda before, after: Growth(before.path, 0))


def disks_have_no_grace(patch: Patch) -> None:
    """A yes to a kept disk's deletion counts at once."""
    real = keep_disks.decide_disk

    def decide(disk: Disk, question: Question | None, shown: Any, on_disk: Any, now: datetime, _: timedelta) -> Any:
        read = replace(question, signs_read_at=now) if question is not None else None
        return real(disk, read, shown, on_disk, now, timedelta(0))

    patch.setattr(keep_disks, "decide_disk", decide)


def disks_are_not_looked_at(patch: Patch) -> None:
    """The last look at a disk that is kept goes somewhere else."""

    def look(self: ScriptSurveyor, lease: Lease, known: Any, at: datetime) -> OnDisk:
        return OnDisk(lease.id, self._inventory(lease, Watch(("~/.ssh",)), known.copied, at))

    patch.setattr(ScriptSurveyor, "on_disk", look)
