"""What people read before a kept disk is deleted."""

from datetime import timedelta

import pytest

from bot.domain.disk import DiskState, to_be_kept
from bot.domain.instance import Capabilities, Keeps
from bot.domain.inventory.inventory import Inventory, WhyUnknown, unknown
from bot.domain.lease import LeaseState
from bot.domain.policy import Policy
from bot.domain.question import Question, QuestionState
from bot.domain.views import DiskQuestionView
from handlers.words.disk_question import disk_question_words
from tests.domain.lifecycle.sample import NOW, handed_over

ABLE = Capabilities(True, Keeps.ALL, Keeps.NOTHING, False, False, 60, 1, "work", "", simulated=False, keeps_disks=True)
BEFORE = NOW - timedelta(hours=1)


@pytest.mark.parametrize(
    ("inventory", "copied", "says", "says_not"),
    [
        (Inventory(BEFORE), (0, 0), "Nothing that people made is on it.", "0 files"),
        (Inventory(BEFORE), (2, 2000), "2 files, 2.0 kB. With a verified copy in the archive: 2 files, 2.0 kB", "*"),
        (Inventory(BEFORE, files=1, size_bytes=500), (0, 0), "*Would be lost: 1 file, 500 B*", "Nothing"),
        (unknown(WhyUnknown.NEVER_LOOKED, BEFORE), None, "nknown", "On it"),
    ],
)
def test_what_is_on_it(inventory: Inventory, copied: tuple[int, int] | None, says: str, says_not: str) -> None:
    lease = handed_over(LeaseState.RELEASED)
    disk = to_be_kept("d1", "models", lease, ABLE, NOW).evolve(state=DiskState.KEPT)
    question = Question("q1", lease.id, lease.owner, NOW, QuestionState.OPEN, disk_id="d1")
    said = disk_question_words(DiskQuestionView(question, disk, lease, 0, Policy(), 60.0, NOW, inventory, copied))
    told = said.partition("\n")[2].replace(f"*{lease.name}*", lease.name)
    assert says in told
    assert says_not not in told
