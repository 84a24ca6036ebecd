"""How long people wait for an answer: 50 commands at once, with 200 live machines in the database.

The machines are rows alone: ready, up to date, and due for nothing before tomorrow, so that no reconciler has work.
Both bots connect to the same workspace one after the other, again and again; times are the workspace's own.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import inf
from pathlib import Path
from statistics import median

from bot.domain.instance import InstanceRef, SshAddress
from bot.domain.lease import Lease, LeaseState
from bot.domain.living import Subject
from bot.domain.offers import Offer
from bot.domain.places import MessageRef
from bot.domain.use import Activity
from bot.playground.client import Person, Workspace
from storage.schema import migrate
from storage.store import SqlStore
from tests.bench.rows import Row, Say, at_most, percentile
from tests.bench.workspace import CHANNEL, ECHO, OURS, Served, bot, playground

AT_ONCE, LEASES, BLOCKS, ROUNDS = 50, 200, 5, 6
COMMANDS = ("/gpu status", "/gpu status all")
MOST = 2.0
_PERCENTS = (50, 95, 99)
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_OFFER = Offer(
    provider="local", region="here", ref="gpu_1x_a100", gpu="a100-80", gpu_count=1, gpu_memory_gib=80, disk_gib=500,
    price_microusd_per_hour=2_000_000, stopped_microusd_per_hour=100_000,
)  # fmt: skip


def measure(folder: Path, say: Say) -> list[Row]:
    """Blocks of rounds of 50, ours and the echo bot's in turn; of each percentile the median of the blocks."""
    told: dict[str, list[dict[int, float]]] = {}
    with playground() as served, ThreadPoolExecutor(AT_ONCE) as pool:
        people = _people(served)
        _fill(folder, people)
        for block in range(BLOCKS):
            for name, command, texts in (("echo", ECHO, COMMANDS[:1]), ("ours", OURS, COMMANDS)):
                with bot(command, served, folder):
                    for text in texts:
                        _round(pool, people, text)  # warm: profiles are looked up once
                        waits = [wait for _ in range(ROUNDS) for wait in _round(pool, people, text)]
                        found = {percent: 1000 * percentile(waits, percent) for percent in _PERCENTS}
                        told.setdefault(name if name == "echo" else text, []).append(found)
                        shown = ", ".join(f"p{percent} {ms:.0f} ms" for percent, ms in found.items())
                        say(f"  {block + 1} of {BLOCKS}, {name}, {text}: {shown}")
    middle = {name: {p: median(block[p] for block in blocks) for p in _PERCENTS} for name, blocks in told.items()}
    return [
        at_most(f"ack of {text}, p{p}", middle[text][p], middle["echo"][p], "ms", MOST if p == 99 else None)
        for text in COMMANDS
        for p in _PERCENTS
    ]


def _round(pool: ThreadPoolExecutor, people: Sequence[Person], text: str) -> list[float]:
    """Everybody types at the same moment; how long each waited: for ever where Slack gave up after its 3 s."""
    together = threading.Barrier(len(people))

    def typed(person: Person) -> float:
        together.wait(30)
        result = person.command(CHANNEL, text)
        return result.ack_delay_s if result.acked and result.ack_delay_s is not None else inf

    return list(pool.map(typed, people))


def _people(served: Served) -> list[Person]:
    """Each with a connection of their own."""
    names = [f"p{number}" for number in range(AT_ONCE)]
    for name in names:
        served.workspace.change_person(name)
    served.workspace.change_channel("gpus", members=["gpubot", *names])
    return [Workspace(served.url).person(name) for name in names]


def _fill(folder: Path, people: Sequence[Person]) -> None:
    """The machines, as many for each person."""
    url, now = f"sqlite:///{folder / 'gpubot.db'}", datetime.now(UTC)
    migrate(url)
    with closing(SqlStore(url)) as store, store.transaction() as tx:
        for number in range(LEASES):
            lease = _lease(number, people[number % len(people)].id, now)
            tx.leases.add(lease)
            card = tx.living.get(Subject.LEASE, lease.id)
            assert card is not None
            tx.living.shown(card, MessageRef(CHANNEL, f"17000000{number:02}.000100"), now + _DAY)
            tx.use.save(Activity(lease.id, next_look_at=now + _DAY))


def _lease(number: int, owner: str, now: datetime) -> Lease:
    began = now - _HOUR
    return Lease(
        id=f"{number:016x}",
        name=f"amber-fox-{number}",
        team_id="T0PLAY000",
        owner=owner,
        channel=CHANNEL,
        offer=replace(_OFFER, ref=f"gpu_{number % 7}"),
        disk_gib=100,
        length_s=8 * 3600,
        quote_microusd=16_000_000,
        requested_at=began,
        state=LeaseState.READY,
        state_since=began,
        ref=InstanceRef("local", f"i-{number}"),
        launched_at=began,
        boot_began_at=began,
        handed_over_at=began,
        ends_at=began + 8 * _HOUR,
        address=SshAddress("127.0.0.1", 20_000 + number, "me", "ssh-ed25519 AAAA"),
        public_key="ssh-ed25519 BBBB",
        sealed_private_key="sealed",
        seen_at=now,
        next_look_at=now + _DAY,
    )
