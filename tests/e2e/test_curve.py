"""Curves through the front door: drawn outside the bot, shown in the job's message, current, with words beside them."""

import os
import struct
from pathlib import Path
from typing import Any

import pytest

from bot.playground.client_types import Message
from bot.ports.plotter import HEIGHT_PX, WIDTH_PX
from bot.providers.local.places import Root
from tests.e2e.conftest import Deploy
from tests.e2e.deployment import GPUS, Deployment
from tests.e2e.soundness import only_lease

LEARNING = (
    'for e in 1 2 3 4; do echo "Epoch $e/4, Loss: 0.$((9 - e))120"; while [ ! -e go$e ]; do sleep 0.1; done; done'
)
"""Each epoch waits until it may end."""


def image(message: Message) -> dict[str, Any] | None:
    return next((block for block in message.blocks if block["type"] == "image"), None)


def shown(bot: Deployment, words: str, timeout_s: float = 30) -> tuple[Message, dict[str, Any]]:
    """The job's message, once its picture's words say ``words``."""

    def look() -> tuple[Message, dict[str, Any]] | None:
        for message in bot.jobs():
            if (found := image(message)) is not None and words in found["alt_text"]:
                return message, found
        return None

    return bot.wait(look, timeout_s)


def go(bot: Deployment, epoch: int) -> None:
    lease = only_lease(bot)
    assert lease.ref is not None
    work = Root(bot.root / "data" / "local").place(lease.ref.id).home / "work"
    work.mkdir(exist_ok=True)
    (work / f"go{epoch}").touch()


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def loaded_libraries(bot: Deployment) -> str:
    assert bot.process is not None
    return Path(f"/proc/{bot.process.pid}/maps").read_text()


def test_the_picture_is_in_the_message_and_kept_current(deployment: Deployment) -> None:
    deployment.workspace.settings(file_processing_s=1.0)
    deployment.ready()
    deployment.ana(f"/gpu run -- `{LEARNING}`")
    go(deployment, 1)
    first, picture = shown(deployment, "→ 0.712")
    assert size_of(deployment.workspace.file(picture["slack_file"]["id"])) == (WIDTH_PX, HEIGHT_PX)
    for epoch in (2, 3, 4):
        go(deployment, epoch)
    deployment.job("done, exit 0")
    last, newer = shown(deployment, "→ 0.512 over 4 epochs, still falling")
    deployment.wait(lambda: image(deployment.jobs()[0]) is not None)
    assert last.ts == first.ts
    current = deployment.wait(lambda: _other(image(deployment.jobs()[0]), picture))
    assert current["slack_file"]["id"] != picture["slack_file"]["id"]
    assert newer is not None
    assert "matplotlib" not in loaded_libraries(deployment)
    assert "numpy" not in loaded_libraries(deployment)


def _other(found: dict[str, Any] | None, than: dict[str, Any]) -> dict[str, Any] | None:
    return found if found is not None and found["slack_file"] != than["slack_file"] else None


@pytest.mark.long
def test_where_slack_refuses_it_a_new_one_comes_at_milestones(deployment: Deployment) -> None:
    deployment.workspace.settings(file_processing_s=10_000.0)
    card = deployment.ready()
    deployment.ana("/gpu run -- `echo 'Epoch 1/4, Loss: 0.8'; echo 'Epoch 2/4, Loss: 0.7'`")
    deployment.job("done, exit 0")

    def pictures() -> list[Message]:
        return [message for message in deployment.person("ana").thread(GPUS, card.ts) if message.files]

    (picture,) = deployment.wait(pictures, 60)
    assert "→ 0.7" in picture.text
    assert image(deployment.jobs()[0]) is None
    assert len(pictures()) == 1


def test_not_a_number_is_said_in_words(deployment: Deployment) -> None:
    deployment.ready()
    deployment.ana("/gpu run -- `echo step=1 loss=0.5; echo step=2 loss=nan`")
    message, _ = shown(deployment, "is no number any more")
    assert "*is no number any more* (NaN or infinite), last number 0.5" in message.words


def test_the_small_training(deploy: Deploy) -> None:
    python = os.environ.get("GPUBOT_TORCH_PYTHON", "")
    if not python:
        pytest.skip("GPUBOT_TORCH_PYTHON names no Python that has PyTorch")
    bot = deploy(local_python=python)
    bot.start()
    bot.ana("/gpu rent cpu 1h")
    bot.card("*ready*", 90)  # its framework is loaded and tried first
    bot.ana("/gpu try")
    bot.job("the built-in training", "done, exit 0", "Test Accuracy", timeout_s=120)
    message, _ = shown(bot, "falling", 60)
    assert "epoch" in bot.ana("/gpu loss").words
    assert "falling" in message.words
