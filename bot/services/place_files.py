"""Place files: what people dropped into a machine's thread is put into its ``~/work``, and said there."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog

from bot.domain.audit import AuditEntry
from bot.domain.claim import Claim, Duty
from bot.domain.drops.deciding import AskFirst, IsThere, Put, PutBeside, held_up_by, next_move
from bot.domain.drops.drop import FOLDER, Drop, DroppedFile, FileState, WhyNot
from bot.domain.drops.names import name_aside, name_on_machine, other_names, part_name
from bot.domain.lease import Lease
from bot.domain.places import MessageRef
from bot.domain.problem import Facts
from bot.errors import (
    ClaimLost,
    FolderFull,
    FolderRefused,
    GpubotError,
    MessageLost,
    NoFileTransfer,
    NotifierError,
    RemoteError,
    SharedFileRefused,
    SlackBusy,
    Unreachable,
    VaultLocked,
)
from bot.ports.clock import Clock
from bot.ports.drop_teller import DropTeller
from bot.ports.faults import FaultPoint, Faults
from bot.ports.machine_folder import MachineFolder, MachineFolders
from bot.ports.remote import Login
from bot.ports.shared_files import SharedFile, SharedFiles
from bot.ports.store import Store
from bot.ports.vault import Vault

log = structlog.get_logger()
DEADLINE_S: Final = 60.0
SLOWEST_BYTES_PER_S: Final = 512 * 1024
"""A file may take as long as it would at this pace, and a minute."""
TOLD_FIRST_BYTES: Final = 16 * 1024**2
"""From this size on the thread hears that a file is on its way, before it is there."""


@dataclass(frozen=True, slots=True)
class PlaceFiles:
    """Reconciler of `Duty.DROP`; a thing is a drop's id. A file is written under a name of its own and gets its real
    name when it is whole; a step that is repeated puts it once. The words are at least once."""

    store: Store
    files: SharedFiles
    folders: MachineFolders
    teller: DropTeller
    vault: Vault
    faults: Faults
    clock: Clock
    is_stopping: Callable[[], bool]
    most_bytes: int
    most_at_once: int = 16
    duty: Duty = Duty.DROP

    def due(self) -> tuple[str, ...]:
        """Drops that have not ended and of which something is to be done now."""
        with self.store.read() as tx:
            return tx.drops.due(self.clock(), self.most_at_once)

    def step(self, claim: Claim) -> bool:
        """All that can be done for one drop now, then its message. Never again at once."""
        with self.store.read() as tx:
            drop = tx.drops.get(claim.thing)
            lease = tx.leases.get(drop.lease_id) if drop is not None else None
        if drop is None or lease is None or drop.ended_at is not None:
            return False
        why = held_up_by(lease)
        if why is None:
            for index, file in drop.waiting():
                if not self._place(claim, drop.id, index, file, lease):
                    break
        elif why is WhyNot.BOOTING:
            self._change(claim, drop.id, lambda d: d.held_up(WhyNot.BOOTING, counts=False))
        else:
            self._change(claim, drop.id, lambda d: d.given_up(why))
        if not self.is_stopping():
            self._tell(claim, drop.id, lease)
        return False

    def _place(self, claim: Claim, drop_id: str, index: int, file: DroppedFile, lease: Lease) -> bool:
        """One file, as far as it goes. False: nothing of this drop goes on now."""
        try:
            shared = self.files.look(file.id)
            if not file.name:
                file = file.evolve(name=name_on_machine(shared.name, file.id), size_bytes=shared.size_bytes)
            if shared.size_bytes > self.most_bytes:
                raise SharedFileRefused(WhyNot.TOO_LARGE)
            if shared.size_bytes >= TOLD_FIRST_BYTES:
                self._keep(claim, drop_id, index, file)
                self._tell(claim, drop_id, lease)
            deadline_s = DEADLINE_S + shared.size_bytes / SLOWEST_BYTES_PER_S
            with self.folders.open(self._login(lease), deadline_s) as folder:
                self._put_away(claim, lease, folder)
                file = self._put(_Putting(claim, drop_id, index, folder, shared, deadline_s), file)
        except (SharedFileRefused, FolderFull, FolderRefused, NoFileTransfer) as error:
            why = _why(error)
            log.info("file.not-placed", drop=drop_id, why=why, detail=getattr(error, "detail", ""))
            file = file.evolve(state=FileState.FAILED, why=why)
        except _Stopped:
            return False
        except (SlackBusy, RemoteError, VaultLocked) as error:
            log.warning("file.held-up", drop=drop_id, file=file.id, code=error.code)
            by = WhyNot.NOT_SENT if isinstance(error, SlackBusy) else WhyNot.UNREACHABLE
            self._change(claim, drop_id, lambda d: d.held_up(by, counts=True))
            return False
        self._keep(claim, drop_id, index, file)
        return True

    def _put(self, putting: "_Putting", file: DroppedFile) -> DroppedFile:
        """The file as it is then: under its name, asked about, or as it was where somebody was quicker."""
        folder, target = putting.folder, file.placed_as or file.name
        if file.part and folder.look(file.part) is not None:
            file = self._unnamed(putting, file)
        move = next_move(file, folder.look(target))
        match move:
            case IsThere():
                return _placed(file, folder)
            case AskFirst(there):
                return file.evolve(state=FileState.ASKED, there=there, choice=None, placed_as="", stamp=None, why=None)
            case PutBeside():
                target = _free_name(folder, file.name)
            case Put():
                pass
        aside = name_aside(target, self.clock()) if move == Put(aside=True) else ""
        file = file.evolve(part=part_name(putting.drop_id, putting.index, putting.claim.token), placed_as=target)
        file = file.evolve(aside=aside or file.aside)
        self._keep(putting.claim, putting.drop_id, putting.index, file)
        try:
            return self._written(putting, file, aside)
        except BaseException:
            with suppress(RemoteError):
                folder.remove(file.part)
            raise

    def _written(self, putting: "_Putting", file: DroppedFile, aside: str) -> DroppedFile:
        """Written beside its name, then given it; never under its name while it is not whole."""
        folder = putting.folder
        with self.files.content(putting.shared, self.most_bytes, putting.deadline_s) as pieces:
            entry = folder.write(file.part, self._until_stopped(pieces), putting.shared.size_bytes)
        file = file.evolve(stamp=entry.changed_at, size_bytes=entry.size_bytes)
        lease = self._keep(putting.claim, putting.drop_id, putting.index, file)
        if held_up_by(lease) is not None:  # it may have taken minutes: the machine may be on its way out
            return self._unnamed(putting, file)
        self.faults.reach(FaultPoint.FILE_WRITTEN)
        if not _renamed(folder, file.part, file.placed_as, aside):
            return self._unnamed(putting, file)
        self.faults.reach(FaultPoint.FILE_PLACED)
        return _placed(file, folder)

    def _put_away(self, claim: Claim, lease: Lease, folder: MachineFolder) -> None:
        """What earlier drops had begun when the machine answered no more: nobody else would ever remove it."""
        with self.store.read() as tx:
            earlier = tx.drops.left_over(lease.id)
        for drop in earlier:
            for part in drop.left_over:
                with suppress(FolderRefused):
                    folder.remove(part)
            self._change(claim, drop.id, Drop.tidied)

    def _unnamed(self, putting: "_Putting", file: DroppedFile) -> DroppedFile:
        """What was written and did not get its name goes. That is on record first: from then on whatever has the name
        is somebody else's, though it be of the same size and second."""
        self._keep(putting.claim, putting.drop_id, putting.index, file.evolve(placed_as="", stamp=None))
        putting.folder.remove(file.part)
        return file.evolve(part="", placed_as="", stamp=None)

    def _until_stopped(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """A big file must not hold up the bot's end: it begins anew with the next start."""
        for piece in pieces:
            if self.is_stopping():
                raise _Stopped
            yield piece

    def _tell(self, claim: Claim, drop_id: str, lease: Lease) -> None:
        """Make the message show the drop as it is, and plan what comes next."""
        drop = self._change(claim, drop_id, lambda d: d.unanswered(self.clock()))
        told = drop.told
        if drop.shown != drop.told_as:
            try:
                told = self._said(drop, lease)
            except NotifierError as error:
                log.warning("drop.not-told", drop=drop_id, code=error.code)
                wait_s = error.wait_s
                self._change(claim, drop_id, lambda d: d.failed(self.clock(), wait_s))
                return
        self._change(
            claim, drop_id, lambda d: d.evolve(told=told, told_as=drop.shown, attempts=0).planned(self.clock())
        )

    def _said(self, drop: Drop, lease: Lease) -> MessageRef:
        if drop.told is not None:
            with suppress(MessageLost):
                self.teller.retell(drop, lease, drop.told)
                return drop.told
        return self.teller.tell(drop, lease)

    def _login(self, lease: Lease) -> Login:
        if lease.address is None:
            raise Unreachable("tcp", "the machine has no address yet")
        return Login(lease.address, self.vault.unseal(lease.sealed_private_key))

    def _change(self, claim: Claim, drop_id: str, change: Callable[[Drop], Drop]) -> Drop:
        """Under the claim, to the drop as it is now: people may have answered meanwhile."""
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            drop = tx.drops.lock(drop_id)
            if drop is None:
                raise ClaimLost(claim.thing, claim.duty)
            changed = change(drop)
            if changed != drop:
                tx.drops.save(changed)
            return changed

    def _keep(self, claim: Claim, drop_id: str, index: int, file: DroppedFile) -> Lease:
        """What one file is now; the lease as it is now. Nobody else changes a file that waits."""
        now = self.clock()
        with self.store.transaction() as tx:
            tx.claims.check(claim)
            drop = tx.drops.lock(drop_id)
            lease = tx.leases.get(drop.lease_id) if drop is not None else None
            if drop is None or lease is None:
                raise ClaimLost(claim.thing, claim.duty)
            changed = drop.with_file(index, file)
            if file.state is FileState.PLACED:
                changed = changed.evolve(tries=0)
                tx.audit.add(AuditEntry(now, file.chosen_by or drop.asked_by, "file-put", lease.id, _facts(file)))
            tx.drops.save(changed)
            return lease


class _Stopped(Exception):
    """The bot is ending; what was begun is taken back."""


@dataclass(frozen=True, slots=True)
class _Putting:
    """One file on its way into an open folder."""

    claim: Claim
    drop_id: str
    index: int
    folder: MachineFolder
    shared: SharedFile
    deadline_s: float


def _renamed(folder: MachineFolder, part: str, target: str, aside: str) -> bool:
    """False: somebody was quicker, and the name is taken. What had been moved aside for nothing is moved back."""
    if aside and folder.look(target) is not None and not folder.move(target, aside):
        return False
    try:
        return folder.move(part, target)
    except FolderRefused:
        if aside:
            with suppress(RemoteError):
                folder.move(aside, target)
        raise


def _placed(file: DroppedFile, folder: MachineFolder) -> DroppedFile:
    aside = file.aside if file.aside and folder.look(file.aside) is not None else ""
    return file.evolve(state=FileState.PLACED, part="", aside=aside, why=None)


def _free_name(folder: MachineFolder, name: str) -> str:
    for other in other_names(name):
        if folder.look(other) is None:
            return other
    raise FolderRefused(f"there are as many files of that name as are tried: {name}")


def _why(error: GpubotError) -> WhyNot:
    match error:
        case SharedFileRefused(why):
            return WhyNot(why)
        case FolderFull():
            return WhyNot.DISK_FULL
        case NoFileTransfer():
            return WhyNot.NO_SFTP
        case _:
            return WhyNot.NOT_WRITABLE


def _facts(file: DroppedFile) -> Facts:
    facts: Facts = {"paths": f"{FOLDER}/{file.placed_as}", "files": 1, "size_bytes": file.size_bytes}
    return {**facts, "aside": f"{FOLDER}/{file.aside}"} if file.aside else facts
