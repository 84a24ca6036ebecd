"""Two hundred rents by a crowd, while the provider and Slack misbehave and the bot is killed again and again."""

import logging
import os
import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from bot.domain.lease import Lease, LeaseState, Want
from bot.domain.living import Subject
from tests.e2e.conftest import Deploy
from tests.e2e.crowd import Somebody
from tests.e2e.deployment import Deployment
from tests.e2e.soundness import assert_sound, leases

log = logging.getLogger(__name__)
RENTS, PEOPLE, CHANNELS, KILLS = int(os.environ.get("GPUBOT_CHAOS_RENTS", "9")), 8, 24, 6
"""`make soak` has two hundred rents and more: they keep two cores busy for minutes."""
SETTLED = frozenset(
    {
        (LeaseState.READY, Want.RUNNING),
        (LeaseState.STOPPED, Want.STOPPED),
    }
)


@pytest.mark.timeout(600)
def test_two_hundred_rents_through_faults_and_kills(deploy: Deploy) -> None:
    seed = int(os.environ.get("GPUBOT_CHAOS_SEED") or random.SystemRandom().randrange(10_000))
    log.warning("GPUBOT_CHAOS_SEED=%s", seed)
    chance = random.Random(seed)
    # machines at rest are looked at as rarely as the last wait below allows: there are some dozens of them
    bot = deploy(release_grace_s=0.3, claim_ttl_s=1, release_stuck_s=1, look_s=4)
    names = [f"renter{number}" for number in range(PEOPLE)]
    for name in names:
        bot.workspace.change_person(name)
    channels = tuple(f"#lab{number}" for number in range(CHANNELS))
    for channel in channels:
        bot.workspace.change_channel(channel, members=["gpubot", "ana", *names])
    bot.start()
    enough = threading.Event()
    crowd = [Somebody(bot, name, channels, seed + n) for n, name in enumerate(names)]
    with ThreadPoolExecutor(PEOPLE) as pool:
        living = [pool.submit(somebody.live_on, enough) for somebody in crowd]
        try:
            _bad_times(bot, chance, living)
        finally:
            enough.set()
        for life in living:
            life.result()
    bot.misbehaviour.clear()
    bot.workspace.misbehave.stop()
    try:
        bot.wait(lambda: not _unsettled(bot), 60)
    except AssertionError as error:
        raise AssertionError(f"seed {seed}: {_unsettled(bot)}\n{error}") from None
    everyone = leases(bot)
    assert len(everyone) >= RENTS
    assert_sound(bot, channels)
    log.warning("%s", Counter(lease.state.value for lease in everyone))


def _bad_times(bot: Deployment, chance: random.Random, crowd: list["Future[None]"]) -> None:
    """Until there were enough rents: something goes wrong for a second or two, then something else; with kills."""
    kills = 0
    while kills < KILLS or _rented(bot) < RENTS:
        for life in crowd:
            if life.done():
                life.result()  # nobody leaves before it is enough, except by a fault
        if kills < KILLS * _rented(bot) / RENTS:
            kills += 1
            assert bot.process is not None
            bot.process.kill()
            bot.died()
            bot.start()
        _go_wrong(bot, chance)
        threading.Event().wait(chance.uniform(0.3, 2))  # the trouble itself takes time; nothing is waited for
        bot.misbehaviour.clear()


def _go_wrong(bot: Deployment, chance: random.Random) -> None:
    unlucky = [lease.id for lease in _live(bot)]
    some = tuple(chance.sample(unlucky, min(4, len(unlucky)))) or ("nobody",)
    switch, slack = bot.misbehaviour.set, bot.workspace.misbehave
    troubles: list[Callable[[], object]] = [
        lambda: None,
        lambda: switch(no_capacity=("*",)),
        lambda: switch(no_capacity=("here-1/cpu", "t4", "l4")),
        lambda: switch(launch_error=True),
        lambda: switch(boot_s=1.5),
        lambda: switch(rate_limited_s=0.2),
        lambda: switch(away=True),
        lambda: switch(release_refused="not-allowed"),
        lambda: switch(release_refused="vendor-trouble"),
        lambda: switch(release_s=1.5),
        lambda: switch(stop_refused=True),
        lambda: switch(list_first=1),
        lambda: switch(unknown_state=True, only=some),
        lambda: switch(dies_after_s=0.0, only=some),
        lambda: switch(ssh="refuse", only=some),
        lambda: slack.lose_reply("chat.postMessage"),
        lambda: slack.rate_limit("chat.postMessage", calls=3),
        lambda: slack.break_down("chat.update", calls=3),
    ]
    chance.choice(troubles)()


def _live(bot: Deployment) -> tuple[Lease, ...]:
    with bot.store.read() as tx:
        return tx.leases.live()


def _rented(bot: Deployment) -> int:
    with bot.store.read() as tx:
        return sum(entry.action == "rent" for entry in tx.audit.of(None, 100_000))


def _unsettled(bot: Deployment) -> list[str]:
    """What is still on its way: leases that are not what is wanted, and cards that are not out."""
    found = [
        f"{x.name}: {x.state}, wanted {x.want}, {x.problem}" for x in _live(bot) if (x.state, x.want) not in SETTLED
    ]
    with bot.store.read() as tx:
        cards = [tx.living.get(Subject.LEASE, lease.id) for lease in leases(bot)]
    return found + [f"card of {card.subject_id}" for card in cards if card is not None and card.message is None]
