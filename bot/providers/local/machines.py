"""One machine through its life: each step is taken under its lock, may be repeated, and is finished by the next
caller where the last one died."""

from collections.abc import Callable
from pathlib import Path

from bot.domain.instance import Instance, InstanceRef, InstanceState, SshAddress
from bot.errors import VendorTrouble
from bot.ports.clock import Clock
from bot.providers.local.birth import discard_machine
from bot.providers.local.boot import ensure_server, marks_of, new_mark, ready_port, served_boot, serves
from bot.providers.local.files import locked
from bot.providers.local.kept_disks import keep_disk
from bot.providers.local.misbehave import Misbehaviour, Switches
from bot.providers.local.places import LOGIN_USER, Place, Root
from bot.providers.local.processes import end_all
from bot.providers.local.state import MachineState, Wanted, load_state, save_state

HOST = "127.0.0.1"
_LOG_TAIL_BYTES = 400


class Machines:
    """The machines below one root."""

    def __init__(self, root: Root, provider: str, clock: Clock, new_id: Callable[[], str], python: Path | None) -> None:
        self._root, self._provider, self._clock, self._new_id = root, provider, clock, new_id
        self._python = python
        self._misbehaviour = Misbehaviour(root.dir)

    def all(self) -> list[MachineState]:
        """The records of all that exist, whatever their state, by id."""
        names = sorted(path.name for path in self._root.instances.iterdir())
        states = (load_state(self._root.place(name).state) for name in names)
        return [state for state in states if state is not None]

    def record(self, instance_id: str) -> MachineState | None:
        """The machine's record; None where there is no such machine."""
        if not instance_id.isalnum():
            return None  # not one of our ids, and perhaps a path
        return load_state(self._root.place(instance_id).state)

    def boot(self, instance_id: str, boot_s: float, gpu_cards: tuple[int, ...]) -> None:
        """Start it, with a boot id of its own. What an earlier life has left running is ended first."""
        with locked(self._root.lock(instance_id)):
            state = self.record(instance_id)
            if state is None:
                raise VendorTrouble(f"{instance_id} has just been released")
            place = self._root.place(instance_id)
            self._end(place, state)
            state = state.evolve(
                wanted=Wanted.RUNNING,
                boot_id=self._new_id(),
                boot_s=boot_s,
                mark=new_mark(self._new_id()),
                gpu_cards=gpu_cards,
            )
            save_state(place.state, state)
            ensure_server(place, state, self._switches(state), self._python)

    def stop(self, instance_id: str) -> None:
        """End its processes and keep its disks."""
        with locked(self._root.lock(instance_id)):
            state = self.record(instance_id)
            if state is None or state.wanted in {Wanted.STOPPED, Wanted.RELEASING}:
                return
            state = state.evolve(wanted=Wanted.STOPPING)
            save_state(self._root.place(instance_id).state, state)
            self._finish(state)

    def release(self, instance_id: str, release_s: float, *, keeps_disk: bool) -> bool:
        """End its processes and delete its disks (but for one to be kept), after ``release_s``. True: it is gone."""
        with locked(self._root.lock(instance_id)):
            state = self.record(instance_id)
            if state is None:
                return True
            if keeps_disk and not state.keeps_disk:
                state = state.evolve(keeps_disk=True)
                save_state(self._root.place(instance_id).state, state)
            if state.wanted is not Wanted.RELEASING:
                gone_at = self._clock().timestamp() + release_s
                state = state.evolve(wanted=Wanted.RELEASING, gone_at=gone_at)
                save_state(self._root.place(instance_id).state, state)
            return self._finish(state) is None

    def settled(self, state: MachineState) -> MachineState | None:
        """The record once what was begun and not finished has been; None when it is gone."""
        place = self._root.place(state.id)
        if not self._is_unfinished(place, state):
            return state
        with locked(self._root.lock(state.id)):
            now = self.record(state.id)
            if now is None or not self._is_unfinished(place, now):
                return now
            return self._finish(now)

    def is_up(self, state: MachineState) -> bool:
        """Whether its server runs, listening or not yet."""
        return serves(self._root.place(state.id))

    def seen(self, state: MachineState) -> Instance:
        """The machine as a vendor would show it."""
        place = self._root.place(state.id)
        shown, detail, port = self._look(place, state)
        vendor_state = shown.value
        if self._switches(state).unknown_state:
            shown, vendor_state = InstanceState.UNKNOWN, "hibernating"
        return Instance(
            ref=InstanceRef(self._provider, state.id),
            token=state.token,
            state=shown,
            vendor_state=vendor_state,
            address=None if port is None else SshAddress(HOST, port, LOGIN_USER, state.host_key),
            volume_id=state.volume_id,
            detail=detail,
        )

    def _look(self, place: Place, state: MachineState) -> tuple[InstanceState, str, int | None]:
        match state.wanted:
            case Wanted.STOPPING:
                return InstanceState.STOPPING, "", None
            case Wanted.STOPPED:
                return InstanceState.STOPPED, "", None
            case Wanted.RELEASING:
                return InstanceState.RELEASING, "", None
            case Wanted.RUNNING if not serves(place):
                return InstanceState.DOWN, _last_words(place), None
            case Wanted.RUNNING:
                port = ready_port(place, state.boot_id)
                shown = InstanceState.PENDING if port is None else InstanceState.RUNNING
                return shown, "", port

    def _is_unfinished(self, place: Place, state: MachineState) -> bool:
        match state.wanted:
            case Wanted.RUNNING:
                return served_boot(place) != state.boot_id
            case Wanted.STOPPING:
                return True
            case Wanted.STOPPED:
                return False
            case Wanted.RELEASING:
                return self._is_due(state)

    def _finish(self, state: MachineState) -> MachineState | None:
        """Take the step that ``state.wanted`` asks for. Under the machine's lock."""
        place = self._root.place(state.id)
        match state.wanted:
            case Wanted.RUNNING:
                if not state.boot_id:  # its maker died between making and starting it
                    state = state.evolve(boot_id=self._new_id(), mark=new_mark(self._new_id()))
                    save_state(place.state, state)
                ensure_server(place, state, self._switches(state), self._python)
            case Wanted.STOPPING:
                self._end(place, state)
                state = state.evolve(wanted=Wanted.STOPPED, gpu_cards=())
                save_state(place.state, state)
            case Wanted.RELEASING:
                self._end(place, state)
                if self._is_due(state):
                    if state.keeps_disk:
                        keep_disk(self._root, place, state)
                    discard_machine(self._root, place, self._new_id())
                    return None
            case Wanted.STOPPED:
                pass
        return state

    def _is_due(self, state: MachineState) -> bool:
        return state.gone_at is None or self._clock().timestamp() >= state.gone_at

    def _end(self, place: Place, state: MachineState) -> None:
        if not end_all(marks_of(place, state)):
            raise VendorTrouble(f"{state.id}: some of its processes do not end")

    def _switches(self, state: MachineState) -> Switches:
        return self._misbehaviour.read().for_machine(state.id, state.token)


def _last_words(place: Place) -> str:
    """The end of the server's log: why it ended, where it could say so."""
    try:
        text = place.log.read_bytes()[-_LOG_TAIL_BYTES:].decode("utf-8", "replace").strip()
    except OSError:
        text = ""
    return text.splitlines()[-1] if text else "its processes ended by themselves"
