"""What puts files that people drop into machines' threads on them; nothing of it where the setting is off."""

from bot.bootstrap.parts import now
from bot.bootstrap.wiring import Bot
from bot.ports.drop_teller import DropTeller
from bot.ports.shared_files import SharedFiles
from bot.remote.folder import SftpFolders
from bot.scheduler import Line
from bot.services.place_files import PlaceFiles


def dropping_lines(bot: Bot, shared: SharedFiles, teller: DropTeller) -> tuple[Line, ...]:
    """The line that puts them there. Few at once: each holds a connection to Slack and one to a machine for as long as
    it takes."""
    most_bytes = bot.settings.thread_files_bytes
    if not most_bytes:
        return ()
    folders = SftpFolders(bot.remote)
    place = PlaceFiles(
        bot.store, shared, folders, teller, bot.vault, bot.faults, now, lambda: bot.scheduler.is_stopping, most_bytes
    )
    return (Line(place, every_s=1.0, workers=4),)
