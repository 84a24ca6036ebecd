"""The port to where people read: living messages and notices."""

from datetime import datetime
from typing import Protocol

from bot.domain.jobs.view import JobView
from bot.domain.lease import Lease
from bot.domain.living import Subject
from bot.domain.notice import Notice
from bot.domain.places import MessageRef, Place
from bot.domain.views import View


class Notifier(Protocol):
    """Speaks to people. Every method is one call or a few, keeps the platform's budget, and may raise
    `SlackBusy` (nothing was said; try after the wait)."""

    def post(self, view: View, place: Place) -> MessageRef:
        """Post a living message for the first time.

        Raises:
            NowhereToPost: not there; the caller chooses another place.
        """
        ...

    def edit(self, view: View, message: MessageRef) -> None:
        """Make the message show the view.

        Raises:
            MessageLost: it can no longer be edited.
            PictureRefused: it may not show the view's picture, or not yet.
        """
        ...

    def invite_answers(self, view: View, message: MessageRef) -> None:
        """Make a question that is out, and on record, easy to answer. Nothing depends on it; never raises."""
        ...

    def find(self, subject: Subject, subject_id: str, place: Place, since: datetime) -> MessageRef | None:
        """A message of ours about the subject that was posted after ``since``, where the platform lets us look."""
        ...

    def tell(self, notice: Notice, lease: Lease, about: MessageRef | None) -> None:
        """Say a notice to its audience; ``about`` is the lease's card, or for one person what they are pointed to.

        Raises:
            NowhereToPost: neither there nor directly.
        """
        ...

    def upload(self, view: JobView, png: bytes) -> str:
        """Hand over a picture that the job's message is to show; its id. Nobody is told of it."""
        ...

    def post_picture(self, view: JobView, png: bytes, place: Place) -> None:
        """Post a picture with its words.

        Raises:
            NowhereToPost: not there.
        """
        ...
