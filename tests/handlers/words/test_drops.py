"""The message of dropped files: within what Slack takes, whatever they are called, and each reason has its words."""

import json

import pytest

from bot.domain.drops.drop import FILES_AT_MOST, Choice, Drop, DroppedFile, Entry, EntryKind, FileState, WhyNot
from bot.domain.places import MessageRef
from handlers.drops import drop_message
from tests.storage.samples import NOON, lease

LONG = "字&<" * 20 + "x" * 150
TAKEN = Entry(EntryKind.FILE, 10**12, 1_700_000_000)
BIG = DroppedFile("F1", name=LONG, size_bytes=10**12, there=TAKEN, chosen_by="U0123456789", placed_as=LONG, aside=LONG)
SECTION, BLOCKS, EDITED_TEXT = 3000, 13_200, 4000


def said(*files: DroppedFile) -> tuple[str, list[dict[str, object]]]:
    drop = Drop("d" * 16, "l1", MessageRef("C1", "1.1"), "U0123456789", NOON, files)
    message = drop_message(drop, lease(name="amber-fox-and-some"), 10**9)
    return message.text, [block.to_dict() for block in message.blocks]


@pytest.mark.parametrize("asked", [0, 1, 5, 6, FILES_AT_MOST])
@pytest.mark.parametrize("state", [FileState.PLACED, FileState.FAILED, FileState.LEFT])
def test_it_fits(asked: int, state: FileState) -> None:
    of_state = BIG.evolve(state=state, why=WhyNot.SCOPE)
    files = [BIG.evolve(state=FileState.ASKED)] * asked + [of_state] * (FILES_AT_MOST - asked)
    text, blocks = said(*files)
    assert len(text) < EDITED_TEXT
    assert len(json.dumps(blocks, ensure_ascii=False)) < BLOCKS
    assert all(len(block["text"]["text"]) < SECTION for block in blocks if block["type"] == "section")  # type: ignore[index]
    rows = [block for block in blocks if block["type"] == "actions"]
    assert len(rows) == min(asked, 5)
    values = [[button["value"] for button in row["elements"]] for row in rows]  # type: ignore[attr-defined]
    assert values == [[f"{'d' * 16}/{n}"] * 3 for n in range(len(rows))]
    assert ("the others after them" in json.dumps(blocks)) == (asked > 5)
    assert "<!" not in text.replace("<!date", "")


@pytest.mark.parametrize("why", WhyNot)
def test_every_reason_is_said(why: WhyNot) -> None:
    text, _ = said(DroppedFile("F1", name="a.py", state=FileState.FAILED, why=why))
    assert text.startswith(":warning: `a.py` is not on *amber-fox-and-some*: ")
    assert "{" not in text


def test_what_became_of_each_choice() -> None:
    file = DroppedFile("F1", name="a.py", size_bytes=3, state=FileState.PLACED, chosen_by="U2")
    assert (
        "`~/work/a-2.py` (3 B). `~/work/a.py` stays as it was; <@U2> keeps both"
        in said(file.evolve(choice=Choice.BOTH, placed_as="a-2.py"))[0]
    )
    assert (
        "What had that name is kept as `~/work/a.before-x.py`; <@U2> had it replaced"
        in said(file.evolve(choice=Choice.REPLACE, placed_as="a.py", aside="a.before-x.py"))[0]
    )
