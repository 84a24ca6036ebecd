"""The port to one person's own conversation with the bot: words, and files that only they are to have."""

from typing import Protocol

from bot.domain.fetching.run import FetchReport
from bot.domain.inventory.list_wish import ListFile
from bot.domain.jobs.curve_wish import WishedPicture
from bot.domain.jobs.log_file import LogFile
from bot.domain.places import MessageRef


class Courier(Protocol):
    """Each method is one call or a few, and may raise any `NotifierError`."""

    def tell(self, report: FetchReport) -> MessageRef:
        """Say to the asker what the archive holds."""
        ...

    def send(self, report: FetchReport, content: bytes, message: MessageRef) -> None:
        """Hand the asker the file's content, in the thread of what they were told."""
        ...

    def tell_curves(self, found: WishedPicture) -> MessageRef:
        """Say to the asker what the curves say of which a picture comes."""
        ...

    def send_curves(self, found: WishedPicture, png: bytes, message: MessageRef) -> None:
        """Hand the asker the picture, in the thread of what they were told."""
        ...

    def tell_log(self, found: LogFile) -> MessageRef:
        """Say to the asker what of a job's output comes."""
        ...

    def send_log(self, found: LogFile, message: MessageRef) -> None:
        """Hand the asker the output, in the thread of what they were told."""
        ...

    def tell_list(self, found: ListFile) -> MessageRef:
        """Say to the asker which list comes."""
        ...

    def send_list(self, found: ListFile, message: MessageRef) -> None:
        """Hand the asker the list, in the thread of what they were told."""
        ...
