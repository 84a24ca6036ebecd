"""Many people at once, and a Slack that is slow about some of them: everybody is answered within Slack's 3 s."""

import logging
import time
from concurrent.futures import ThreadPoolExecutor

from bot.playground.client_types import CommandResult
from tests.e2e.conftest import Deploy
from tests.e2e.deployment import GPUS

log = logging.getLogger(__name__)
SLOW, OTHERS = 10, 50
SLACKS_PATIENCE_S = 3.0


def test_fifty_commands_while_ten_listeners_are_slow(deploy: Deploy) -> None:
    bot = deploy()
    slow = [f"slow{number}" for number in range(SLOW)]
    others = [f"quick{number}" for number in range(OTHERS)]
    for name in (*slow, *others):
        bot.workspace.change_person(name)
    bot.workspace.change_channel("gpus", members=["gpubot", "ana", "ben", "cy", *slow, *others])
    bot.start()
    people = {name: bot.person(name) for name in (*slow, *others)}
    for name in slow:
        bot.workspace.misbehave.slow("users.info", 1.9, where={"user": people[name].id})

    with ThreadPoolExecutor(SLOW + OTHERS) as pool:
        dragging = [pool.submit(people[name].command, GPUS, "/gpu status") for name in slow]
        bot.wait(lambda: len(bot.workspace.calls("users.info")) >= 1 or any(d.done() for d in dragging))
        began = time.monotonic()
        crowd = [pool.submit(people[name].command, GPUS, "/gpu status") for name in others]
        quick: list[CommandResult] = [answer.result() for answer in crowd]
        took_s = time.monotonic() - began
        late: list[CommandResult] = [answer.result() for answer in dragging]

    for result in (*quick, *late):
        assert result.acked, result
        assert result.error is None, result
        assert result.ack_delay_s is not None
        assert result.ack_delay_s < SLACKS_PATIENCE_S, result
        assert "You have no machine" in result.words, result
    slowest_s = max(r.ack_delay_s or 0 for r in quick)
    log.info("50 others: all in %.2f s, the slowest acknowledged after %.2f s", took_s, slowest_s)
    assert min(r.ack_delay_s or 0 for r in late) >= 1.8, "Slack was not slow"
