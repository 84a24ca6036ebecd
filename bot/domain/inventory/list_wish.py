"""Somebody wants the whole list of what a question was about: the wish, and what is sent."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.errand import Errand
from bot.domain.inventory.inventory import Inventory
from bot.domain.inventory.listed import Listed
from bot.domain.lease import Lease
from bot.domain.question import Question


@dataclass(frozen=True, slots=True)
class ListWish(Errand):
    """One wish."""

    id: str
    question_id: str
    asked_by: str
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class ListFile:
    """What is sent."""

    wish: ListWish
    question: Question
    lease: Lease
    inventory: Inventory
    listed: Listed
