"""The bot is killed at every named fault point; started again, the story goes on by itself."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from bot.domain.lease import LeaseState
from bot.ports.faults import FaultPoint
from tests.e2e.conftest import Deploy
from tests.e2e.crash_tales import (
    AROUND,
    ASK,
    CURVE,
    DISK,
    END,
    JOB,
    KILL,
    LIST,
    LOG,
    RELEASE,
    SAVE,
    SECOND,
    TALES,
    P,
    Tale,
    rent,
    settle,
)
from tests.e2e.deployment import GPUS, Deployment
from tests.e2e.soundness import assert_sound, leases, living_messages, only_lease

NTH = [
    *(pytest.param(point, 1, marks=[pytest.mark.long] if TALES[point] in AROUND else []) for point in FaultPoint),
    (P.MESSAGE_POSTED, 2),
    (P.NOTICE_POSTED, 2),
]
"""The second message is the question; the second notice says that it stopped."""


Killings = dict[tuple[FaultPoint, int], "Future[None]"]


@pytest.fixture(scope="module")
def killings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killings]:
    """All tales that are asked for, three at a time: most of each is waiting for a bot to start."""
    asked = [getattr(item, "callspec", None) for item in request.session.items if item.parent is request.node]
    keys = [(call.params["point"], call.params["nth"]) for call in asked if call is not None]
    with ThreadPoolExecutor(3) as pool:
        roots = {key: tmp_path_factory.mktemp("killed") for key in keys}
        yield {key: pool.submit(_kill_and_go_on, root, *key) for key, root in roots.items()}
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize(("point", "nth"), NTH, ids=str)
def test_killed_at(killings: Killings, point: FaultPoint, nth: int) -> None:
    killings[point, nth].result()


def _kill_and_go_on(root: Path, point: FaultPoint, nth: int) -> None:
    tale = TALES[point] if nth == 1 else SECOND[point]
    (root / "archive").mkdir()
    with closing(Deployment(root, claim_ttl_s=1, archive=root / "archive", use_look_s=1, thread_files_mib=1)) as bot:
        bot.start(kill_at=f"{point}:{nth}")
        tale.told(bot)
        bot.died()
        machine = {instance.ref for instance in bot.provider.list_owned().instances}

        bot.start()
        bot.card(tale.ends, 40)
        tale.went_on(bot)
        settle(bot)
        lease = only_lease(bot)
        assert lease.state is tale.state
        after = {instance.ref for instance in bot.provider.list_owned().instances}
        assert after == (set() if tale.state is LeaseState.RELEASED else machine or after)
        assert_sound(bot, (GPUS,))
        _assert_one_job(bot, tale)
        _assert_said_once(bot, point)
        _assert_one_question(bot, tale)


def _assert_said_once(bot: Deployment, point: FaultPoint) -> None:
    """Notices are at least once: the one that was just out when the bot died may come a second time."""
    (card,) = bot.cards()
    said = [m.text for m in bot.person("ana").thread(GPUS, card.ts)[1:] if m.metadata is None]
    twice = len(said) - len(set(said))
    assert twice <= (1 if point is P.NOTICE_POSTED else 0), said
    assert said


def _assert_one_job(bot: Deployment, tale: Tale) -> None:
    """One job, its message went on to its end, each line of its output counts once."""
    if tale not in (JOB, KILL, LOG, CURVE):
        assert not bot.jobs()
        return
    ending, last = ("killed by", 1) if tale is KILL else ("done, exit 0", 30)
    message = bot.job(ending)
    bot.wait(lambda: any(block["type"] == "image" for block in bot.jobs()[0].blocks), 30)
    settle(bot)
    assert [job.ts for job in bot.jobs()] == [message.ts]
    lease = only_lease(bot)
    with bot.store.read() as tx:
        (job,) = tx.jobs.of(lease.id, 10)
        (curve,) = tx.points.of(job.id).values()
        output = tx.jobs.output(job.id)
    assert [point.x for point in curve] == list(range(1, last + 1))
    assert len(output.tail.splitlines()) == last
    assert job.offset_bytes == job.size_bytes == len(output.tail)


def _assert_one_question(bot: Deployment, tale: Tale) -> None:
    questions = [key for key in living_messages(bot, GPUS) if key[0] == "question"]
    assert len(questions) == (1 if tale in (ASK, RELEASE, SAVE, END, LIST, DISK) else 0)
    if tale in (ASK, END):
        assert "question_yes" in bot.question().action_ids


def test_every_point_has_a_tale() -> None:
    assert set(TALES) == set(FaultPoint)


@pytest.mark.long
def test_a_second_crash_while_mending_the_first(deploy: Deploy) -> None:
    bot = deploy(claim_ttl_s=1)
    bot.start(kill_at=P.LAUNCH_CALLED)
    rent(bot)
    bot.died()
    bot.start(kill_at=P.LAUNCH_CALLED, wait=False)
    bot.died()
    bot.start(kill_at=P.CHECK_PASSED, wait=False)
    bot.died()
    bot.start()
    bot.card("*ready*", 30)
    assert len(leases(bot)) == 1
    settle(bot)
    assert_sound(bot, (GPUS,))
