"""The tour: three machines through their whole lives, people acting over the control API, every step checked."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bot.playground.client_types import Message
from bot.playground.stage import CHANNEL, Stage, TourError, seconds_since
from bot.playground.tour_runs import NAME, begin_runs, end_runs

GOOD = (":white_check_mark:", ":warning:")


@dataclass
class Seen:
    """What the tour measured and saw."""

    rent_to_ready_s: float | None = None
    ready_checks: int = 0
    job_exit: int | None = None
    loss_points: int = 0
    first_loss: float | None = None
    last_loss: float | None = None
    curve_png: str = ""
    reminder_seen: bool = False
    outsider_refused: bool = False
    asked_anew: bool = False
    archive_verified_files: int = 0
    runs_told: list[str] = field(default_factory=list)
    """Of the third machine: what was said of each, once."""
    released: list[str] = field(default_factory=list)
    cost_microusd: int = 0
    errors: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return asdict(self)


def tour(folder: Path, out: Path, say: Callable[[str], None], settings: dict[str, str]) -> Seen:
    """Play all machines; what went wrong stands in ``errors``, and the bot's log in ``out``."""
    seen = Seen()
    stage = Stage(folder, say, settings)
    try:
        stage.bot_is_up()
        runs = _Runs()
        for part in (runs.begin, _first_machine, _second_machine, runs.end):
            try:
                part(stage, seen)
            except TourError as error:
                seen.errors.append(str(error))
                say(f"\n!! {error}")
        pictures = stage.save_pictures(out)
        seen.curve_png = str(pictures[-1]) if pictures else ""
        if not pictures:
            seen.errors.append("no picture of a curve was uploaded")
    except TourError as error:
        seen.errors.append(str(error))
        say(f"\n!! {error}")
    finally:
        stage.close()
        out.mkdir(parents=True, exist_ok=True)
        (out / "bot.log").write_bytes(stage.log.read_bytes())
    return seen


class _Runs:
    """The third machine, begun first: its slow run goes on beside the others."""

    _card: Message | None = None

    def begin(self, stage: Stage, _seen: Seen) -> None:
        self._card = begin_runs(stage)

    def end(self, stage: Stage, seen: Seen) -> None:
        if self._card is not None:
            seen.runs_told = list(end_runs(stage, self._card))
            seen.released.append(NAME)


def _first_machine(stage: Stage, seen: Seen) -> None:
    """Rent, ready, try, curve, reminder, keep, release asked, an outsider refused, 💾, receipt."""
    card = _rented(stage, seen, "amber-fox")
    _trained(stage, seen, card)
    _reminded(stage, seen, card)
    stage.types("ana", "/gpu release amber-fox")
    question = stage.question(card)
    _outsider(stage, seen, card, question)
    stage.say("\nana answers with :floppy_disk:")
    stage.person("ana").react(question, "floppy_disk")
    _released(stage, seen, "amber-fox", card)
    receipt = "\n".join(m.words for m in stage.thread(card))
    counts = [int(count.replace(",", "")) for count in re.findall(r"([\d,]+) files?, [\d.]+ \w+ verified", receipt)]
    seen.archive_verified_files = max(counts, default=0)
    _expect(seen.archive_verified_files > 0, "the receipt says how many files were verified in the archive")


def _second_machine(stage: Stage, seen: Seen) -> None:
    """✅: its data is lost knowingly; a file written in the grace makes it ask anew."""
    stage.types("ana", "/gpu rent cpu 1h name=coral-owl")
    card = stage.card("coral-owl", "*ready*")
    _wrote(stage, card, "first.txt")
    stage.types("ana", "/gpu release coral-owl")
    first = stage.question(card)
    stage.say("\nana answers with :white_check_mark:, and a file is written in the grace")
    stage.person("ana").react(first, "white_check_mark")
    stage.in_thread(card, "the grace is shown", lambda m: m.ts == first.ts and "approved" in m.words)
    stage.say("\na program on coral-owl writes second.txt")
    stage.write_on_machine("first.txt", "second.txt")
    second = stage.question(card, after=first.ts)
    seen.asked_anew = True
    stage.say("\nana answers with :white_check_mark: again")
    stage.person("ana").react(second, "white_check_mark")
    _released(stage, seen, "coral-owl", card)


def _rented(stage: Stage, seen: Seen, name: str) -> Message:
    began_s = time.monotonic()
    stage.types("ana", f"/gpu rent l4 2h name={name}")
    card = stage.card(name, "*ready*")
    seen.rent_to_ready_s = seconds_since(began_s)
    stage.types("ana", f"/gpu check {name}")
    checked = stage.in_thread(card, "the checklist", lambda m: m.words.count(GOOD[0]) >= 3)
    seen.ready_checks = sum(checked.words.count(icon) for icon in GOOD)
    return card


def _trained(stage: Stage, seen: Seen, card: Message) -> None:
    stage.types("ana", "/gpu try amber-fox")
    job = stage.in_thread(card, "the job ends", lambda m: _is_job(m) and "exit" in m.words, 90)
    found = re.search(r"exit(?: code| status)? (\d+)", job.words)
    seen.job_exit = int(found[1]) if found else None
    _expect(seen.job_exit == 0, f"the training ends with exit 0 (it says: {job.words[-200:]!r})")
    stage.in_thread(
        card, "the curve beside the job's message", lambda m: "slack_file" in str(m.blocks) or bool(m.files)
    )
    told = stage.types("ana", "/gpu loss amber-fox/1").words
    points = re.search(r"over ([\d,]+) epochs", told)
    losses = re.search(r"Loss ([\d.]+) → ([\d.]+)", told)
    seen.loss_points = int(points[1].replace(",", "")) if points else 0
    if losses:
        seen.first_loss, seen.last_loss = float(losses[1]), float(losses[2].rstrip("."))
    falls = seen.first_loss is not None and seen.last_loss is not None and seen.last_loss < seen.first_loss
    _expect(falls, f"the loss falls ({told[:200]!r})")


def _reminded(stage: Stage, seen: Seen, card: Message) -> None:
    reminder = stage.in_thread(card, "the idle reminder", lambda m: any("keep" in a for a in m.action_ids), 60)
    seen.reminder_seen = True
    keep = next(action for action in reminder.action_ids if "keep" in action)
    stage.say(f"\nana presses [{next(b.text for b in reminder.buttons if b.action_id == keep)}]")
    stage.person("ana").click(reminder, keep)


def _outsider(stage: Stage, seen: Seen, card: Message, question: Message) -> None:
    stage.say("\ncy, who is no approver, answers with :white_check_mark:")
    cy = stage.person("cy")
    cy.react(question, "white_check_mark")

    def refused() -> Message | None:
        told = [*cy.thread(CHANNEL, card.ts), *cy.sees(CHANNEL), *cy.sees_dm()]
        return next((m for m in told if "approver" in m.words and m.ts > question.ts), None)

    stage.show(stage.wait("cy is told that it does not count", refused))
    seen.outsider_refused = True


def _wrote(stage: Stage, card: Message, name: str) -> None:
    stage.types("ana", f"/gpu run coral-owl -- echo precious > {name}")
    stage.in_thread(card, "the writing job ends", lambda m: _is_job(m) and "exit 0" in m.words)


def _released(stage: Stage, seen: Seen, name: str, card: Message) -> None:
    stage.card(name, "*released*", 60)
    receipt = stage.in_thread(card, "the receipt", lambda m: "Receipt for" in m.words)
    # The receipt shows cents; what it came to in micro-dollars follows from the rate on the card and the time it ran.
    rate = re.search(r"now \$([\d.]+) an hour", card.words)
    ran = re.search(r"Ran (\d+) (s|min)", receipt.words)
    if rate is None or ran is None:
        raise TourError("not so: card and receipt say rate and time")
    seconds = int(ran[1]) * (60 if ran[2] == "min" else 1)
    seen.cost_microusd += round(float(rate[1]) * 1_000_000 * seconds / 3600)
    seen.released.append(name)


def _is_job(message: Message) -> bool:
    return ((message.metadata or {}).get("event_payload") or {}).get("subject") == "job"


def _expect(holds: bool, what: str) -> None:
    if not holds:
        raise TourError(f"not so: {what}")
