"""Slack's bad days: away, silent, restarting, forgetful, refusing. The bot comes back, nothing is doubled."""

import logging
import time

import pytest

from bot.domain.lease import LeaseState
from tests.e2e.conftest import Deploy
from tests.e2e.deployment import GPUS, Deployment
from tests.e2e.soundness import assert_sound, leases, living_messages, only_lease

pytestmark = pytest.mark.long

log = logging.getLogger(__name__)
RANDOM = "C0RANDOM0"


def reachable_again(bot: Deployment, within_s: float, *, times: int = 6) -> float:
    """Seconds until every connection of the bot answers (payloads go to them in turn)."""
    began = time.monotonic()
    in_a_row = 0
    last = began

    def answers() -> bool:
        nonlocal in_a_row, last
        result = bot.person("ana").command(GPUS, "/gpu status")
        in_a_row = in_a_row + 1 if result.acked else 0
        if in_a_row == 1:
            last = time.monotonic()
        return in_a_row >= times

    bot.workspace.settings(ack_deadline_s=1.0)
    bot.wait(answers, within_s + 10)
    bot.workspace.settings(ack_deadline_s=3.0)
    took_s = last - began
    log.info("reachable again after %.1f s", took_s)
    assert took_s < within_s
    return took_s


def test_slack_is_away_at_the_start(deploy: Deploy) -> None:
    bot = deploy()
    bot.workspace.misbehave.break_down("*", status=503)
    bot.start(wait=False)
    bot.wait(lambda: bot.workspace.calls("auth.test"), 20)
    assert bot.is_running
    bot.workspace.misbehave.stop()
    reachable_again(bot, 20)
    bot.ready()


@pytest.mark.parametrize("method", ["auth.test", "apps.connections.open"])
def test_slack_goes_away_during_the_start(deploy: Deploy, method: str) -> None:
    """Whichever call fails after the first one: the bot waits and comes, it does not end."""
    bot = deploy()
    # slow, so that the trouble can come between the first answer and the second
    bot.workspace.misbehave.slow("auth.test", 0.7, calls=2)
    bot.start(wait=False)
    bot.wait(lambda: any(call.ok for call in bot.workspace.calls("auth.test")), 20)
    bot.workspace.misbehave.break_down(method, calls=2)
    bot.wait(lambda: bot.workspace.sockets() >= 2 or not bot.is_running, 40)
    assert bot.is_running, bot.log.read_text()
    assert bot.ana("/gpu status").acked


@pytest.mark.parametrize(
    ("trouble", "within_s"),
    [("dropped", 15.0), ("silent", 40.0), ("refresh", 10.0), ("warning", 10.0)],
)
def test_sockets_come_back(deployment: Deployment, trouble: str, within_s: float) -> None:
    misbehave = deployment.workspace.misbehave
    match trouble:
        case "dropped":
            assert misbehave.drop_sockets() == 2
        case "silent":
            assert misbehave.drop_sockets(silent=True) == 2
        case "refresh":
            assert misbehave.disconnect() == 2
        case "warning":
            assert misbehave.disconnect("warning", close=False) == 2
    reachable_again(deployment, within_s)


def test_slack_restarts_while_a_machine_boots(deploy: Deploy) -> None:
    bot = deploy(local_boot_s=1.0)
    bot.start()
    bot.ana("/gpu rent cpu 1h")
    bot.server.stop()
    deadline = time.monotonic() + 20
    while only_lease(bot).state is not LeaseState.READY:  # the machine is looked after all the same
        assert time.monotonic() < deadline
    bot.server.start()
    bot.card("*ready*", 30)
    reachable_again(bot, 20)
    assert_sound(bot, (GPUS,))


def test_a_post_whose_reply_was_lost_does_not_come_twice(deployment: Deployment) -> None:
    deployment.workspace.misbehave.lose_reply("chat.postMessage")
    deployment.ready()
    assert len(living_messages(deployment, GPUS)) == 1
    deployment.workspace.misbehave.lose_reply("chat.postMessage")
    deployment.write(deployment.only_name(), "model.pt")
    deployment.ana("/gpu release")
    question = deployment.question()
    assert deployment.person("ana").click(question, "question_yes").acked
    deployment.card("*released*", 30)
    assert len(living_messages(deployment, GPUS)) == 2
    assert_sound(deployment, (GPUS,))


def test_rate_limits_are_honoured(deployment: Deployment) -> None:
    deployment.workspace.misbehave.rate_limit("chat.postMessage", calls=1, retry_after_s=3)
    deployment.ready()
    calls = [c for c in deployment.workspace.calls("chat.postMessage") if c.args["channel"] == GPUS]
    limited = next(call for call in calls if call.status == 429)
    following = next(call for call in calls if call.n > limited.n)
    assert following.at - limited.at >= 2.9
    assert len(living_messages(deployment, GPUS)) == 1


def test_a_card_that_cannot_be_edited_is_posted_anew_and_works(deployment: Deployment) -> None:
    ana = deployment.person("ana")
    first = deployment.ready()
    deployment.workspace.misbehave.refuse_edits(calls=1)
    deployment.ana("/gpu extend 1h")
    second = deployment.wait(lambda: next((c for c in deployment.cards() if c.ts != first.ts), None))
    deployment.write(deployment.only_name(), "model.pt")
    assert ana.click(second, "lease_release").acked
    question = deployment.wait(
        lambda: next((m for m in ana.thread(GPUS, second.ts) if "question_yes" in m.action_ids), None)
    )
    assert ana.click(question, "question_yes").acked
    deployment.wait(lambda: "*released*" in ana.again(second).words)


def test_where_the_bot_is_not_the_card_goes_home(deployment: Deployment) -> None:
    ana = deployment.person("ana")
    assert ana.command(RANDOM, "/gpu rent cpu 1h").acked
    deployment.card("*ready*")
    assert [m for m in ana.sees(RANDOM) if m.metadata] == []
    assert_sound(deployment, (GPUS,))


def test_a_mention_that_is_delivered_again_does_its_work_once(deployment: Deployment) -> None:
    ana = deployment.person("ana")
    deployment.workspace.misbehave.redeliver_next_event(times=2)
    ana.say(GPUS, "@gpubot rent cpu 1h")
    deployment.card("*ready*")
    deployment.workspace.misbehave.redeliver_last_event(new_id=True)
    deployment.wait(lambda: len(_deliveries(deployment)) >= 4)
    _assert_rented_once(deployment)
    assert len([m for m in ana.sees(GPUS) if m.ephemeral and "Renting" in m.words]) == 1


def test_a_mention_delivered_again_to_the_next_bot_does_its_work_once(deployment: Deployment) -> None:
    deployment.person("ana").say(GPUS, "@gpubot rent cpu 1h")
    deployment.card("*ready*")
    assert deployment.stop() == 0
    deployment.start()
    deployment.workspace.misbehave.redeliver_last_event()
    deployment.wait(lambda: len(_deliveries(deployment)) >= 2)
    _assert_rented_once(deployment)


def _assert_rented_once(bot: Deployment) -> None:
    """And nobody was asked whether a second one is meant. A later mention's answer shows that all were worked on."""
    ana = bot.person("ana")
    ana.say(GPUS, "@gpubot status")
    bot.wait(lambda: any(m.ephemeral and "*ready*" in m.words for m in ana.sees(GPUS)))
    assert len(leases(bot)) == 1
    assert not [m for m in ana.sees(GPUS) if "asked for the same" in m.words]
    assert [about for about, _ in living_messages(bot, GPUS)] == ["lease"]


def _deliveries(bot: Deployment) -> list[dict]:
    _, happened = bot.workspace.events()
    return [e for e in happened if e["kind"] == "delivery" and e.get("event") == "app_mention" and e["acked"]]
