"""Take files: somebody dropped some into a machine's thread, or says what is to happen with one."""

from dataclasses import dataclass
from typing import Final

from bot.domain.claim import Duty
from bot.domain.drops.deciding import held_up_by
from bot.domain.drops.drop import FILES_AT_MOST, Choice, Drop, DroppedFile, FileState, WhyNot
from bot.domain.lease import Lease
from bot.domain.operating import may_operate
from bot.domain.people import Actor
from bot.domain.places import MessageRef
from bot.domain.policy import Policy
from bot.errors import Refused
from bot.ports.clock import Clock, NewId
from bot.ports.faults import FaultPoint, Faults
from bot.ports.store import Store
from bot.ports.wake import Wake

TOO_MANY: Final = "too-many"


@dataclass(frozen=True, slots=True)
class TakeFiles:
    """Writes wishes down; `PlaceFiles` fulfils them. Whoever may run a job on a machine may put files on it: it is the
    same power, for a job can fetch any file."""

    store: Store
    wake: Wake
    faults: Faults
    clock: Clock
    new_id: NewId
    policy: Policy

    def lease_at(self, thread: MessageRef) -> Lease | None:
        """The lease in whose thread that is; None: nothing of ours."""
        with self.store.read() as tx:
            return tx.leases.in_thread(thread)

    def __call__(
        self, actor: Actor, lease: Lease, file_ids: tuple[str, ...], thread: MessageRef, delivery: str
    ) -> None:
        """Once a delivery. Files for a machine that is still being made wait for it.

        Raises:
            Refused: ``file-not-taken``, with why.
        """
        now = self.clock()
        with self.store.transaction() as tx:
            try:
                found = may_operate(self.policy, actor, tx.leases.get(lease.id))
            except Refused as refused:
                raise _not_taken(lease, refused.reason) from refused
            why = held_up_by(found)
            if why not in (None, WhyNot.BOOTING):
                raise _not_taken(found, str(why))
            if len(file_ids) > FILES_AT_MOST:
                raise _not_taken(found, TOO_MANY)
            if not tx.inbox.first_time(delivery, now):
                return
            files = tuple(DroppedFile(file_id) for file_id in file_ids)
            tx.drops.add(Drop(self.new_id(), found.id, thread, actor.user, now, files, next_try_at=now))
        self.faults.reach(FaultPoint.FILES_RECORDED)
        self.wake.wake(Duty.DROP)

    def is_news(self, user: str, lease: Lease, why: str) -> bool:
        """Whether somebody has not been told before why their files are not taken there; asking tells them."""
        with self.store.transaction() as tx:
            return tx.inbox.first_time(f"file-not-taken:{lease.id}:{user}:{why}", self.clock())

    def choose(self, actor: Actor, drop_id: str, index: int, choice: Choice) -> None:
        """What is to happen with a file whose name is taken. The first answer counts.

        Raises:
            Refused: ``file-answered``, or whatever keeps ``actor`` from operating the machine.
        """
        now = self.clock()
        with self.store.transaction() as tx:
            drop = tx.drops.lock(drop_id)
            if drop is None or not 0 <= index < len(drop.files):
                raise Refused("file-answered")
            may_operate(self.policy, actor, tx.leases.get(drop.lease_id))
            file = drop.files[index]
            if drop.ended_at is not None or file.state is not FileState.ASKED:
                raise Refused("file-answered", by=file.chosen_by)
            state = FileState.LEFT if choice is Choice.LEAVE else FileState.WAITING
            chosen = file.evolve(state=state, choice=choice, chosen_by=actor.user, why=None)
            tx.drops.save(drop.with_file(index, chosen).evolve(tries=0, next_try_at=now))
        self.wake.wake(Duty.DROP)


def _not_taken(lease: Lease, why: str) -> Refused:
    return Refused("file-not-taken", why=str(why), name=lease.name, owner=lease.owner, state=lease.state)
