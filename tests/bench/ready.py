"""From the command to a machine that is handed over: what comes on top of the time that the machine takes to boot."""

import time
from pathlib import Path
from statistics import median

from bot.domain.instance import InstanceState
from bot.providers.local.provider import LocalProvider
from tests.bench.rows import Row, Say, at_most, within
from tests.bench.workspace import CHANNEL, OURS, Served, bot, playground
from tests.providers.world import fresh_key, in_state, run, spec

BOOT_S, MACHINES, LIMIT_S = 1.0, 4, 2.0


def measure(folder: Path, say: Say) -> list[Row]:
    """Machines one after the other; the first of ours loads SSH, and is told apart. Peer: launch, log in, ``true``."""
    with playground() as served, bot(OURS, served, folder, LOCAL_BOOT_S=str(BOOT_S)):
        ours = [_rented(served, f"m{number}") - BOOT_S for number in range(MACHINES)]
    LocalProvider(folder / "data" / "local").end_all()
    peer = _bare(folder / "bare")
    for number, (one, other) in enumerate(zip(ours, peer, strict=True)):
        say(f"  {number + 1} of {MACHINES}: {one:.2f} s after the boot, bare {other:.2f} s")
    middle_s, peer_s = median(ours[1:]), median(peer[1:])
    return [
        within(at_most("ready after the boot, first machine", ours[0], peer[0], "s"), ours[0], LIMIT_S, "s"),
        within(at_most("ready after the boot", middle_s, peer_s, "s"), middle_s, LIMIT_S, "s"),
    ]


def _rented(served: Served, name: str) -> float:
    """Seconds from the command until its card says ready."""
    person = served.workspace.person("ana")
    began = time.monotonic()
    assert person.command(CHANNEL, f"/gpu rent cpu 1h name={name}").acked

    def is_ready() -> bool:
        return any(f"*{name}*" in m.words and "*ready*" in m.words for m in person.sees(CHANNEL))

    served.workspace.wait_for(is_ready, 30)
    return time.monotonic() - began


def _bare(folder: Path) -> list[float]:
    """Seconds on top of the boot until a command was carried out on a machine that nobody checks."""
    folder.mkdir(mode=0o700)
    key = fresh_key(folder / "key")
    provider = LocalProvider(folder / "local", boot_s=BOOT_S)
    offer = next(offer for offer in provider.offers() if offer.gpu == "cpu")
    took = []
    try:
        for number in range(MACHINES):
            began = time.monotonic()
            ref = provider.launch(spec(offer, f"lease-{number}", key))
            run(in_state(provider, ref, InstanceState.RUNNING), key, "true")
            took.append(time.monotonic() - began - BOOT_S)
    finally:
        provider.end_all()
    return took
