"""Pictures of the page: a short story with the real bot, wide and narrow, light and dark.

``python -m tests.browser.screenshots OUT``
"""

from __future__ import annotations

import importlib.util
import io
import re
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from PIL import Image

from tests.browser.visitor import Visitor, chromium, is_loaded
from tests.e2e.deployment import GPUS, Deployment

WINDOWS: Final = {
    1280: {"viewport": {"width": 1280, "height": 860}, "device_scale_factor": 2},
    390: {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True},
}
SCHEMES: Final = ("light", "dark")
COLOURS: Final = 256
NAME: Final = "amber-fox"
KEY: Final = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWL7Nvdh4wuL7TC61LMPNYtjwxQeF3fgvEUeItB8v2M ana@laptop"
TRAINING: Final = b"""import math, os, random, time
random.seed(7)
for epoch in range(1, 25):
    train = 2.1 * math.exp(-epoch / 6) + 0.12 + random.uniform(-0.02, 0.02)
    held_out = 2.0 * math.exp(-epoch / 6) + 0.24 + random.uniform(-0.03, 0.03)
    print(f"Epoch {epoch}/24, loss: {train:.4f}, val_loss: {held_out:.4f}", flush=True)
    time.sleep(0.15)
    while epoch == 18 and not os.path.exists("go"):
        time.sleep(0.1)
os.remove("go")
open("model.pt", "wb").write(os.urandom(3_400_000))
"""


def main(out: Path) -> None:
    """Play the story and leave the pictures in ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        town = Deployment(Path(folder), archive=Path(folder) / "archive", use_look_s=2, **_python())
        try:
            town.start()
            Story(town, browser, out).play()
        finally:
            town.close()


def _python() -> dict[str, str]:
    """Machines with PyTorch, where this interpreter has it: all of their checks are good then."""
    return {"local_python": sys.executable} if importlib.util.find_spec("torch") else {}


class Story:
    """Ana trains on a machine, and lets it go."""

    def __init__(self, town: Deployment, browser: Any, out: Path) -> None:
        self.town, self.browser, self.out = town, browser, out
        self.windows: dict[int, Visitor] = {}

    def play(self) -> None:
        town = self.town
        for width, window in WINDOWS.items():
            self.windows[width] = Visitor(self.browser, town.server.base_url, "ana", **window)
        assert town.ana(f"/gpu key add {KEY}").acked
        town.person("ben").say(GPUS, "Is somebody on the A100s this afternoon?")
        town.person("ana").say(GPUS, "I am: one of them, until the baseline has converged.")
        town.ana(f"/gpu rent a100 4h name={NAME}")
        town.card_of(NAME, "*ready*", timeout_s=90)
        town.write(NAME, "train.py", TRAINING)
        town.ana(f"/gpu run {NAME} -- python3 train.py")
        town.job("epoch 18/24", timeout_s=60)
        town.card_of(NAME, "epoch 18/24")
        town.wait(self.curve_is_current)
        self.thread_with_curve()
        town.write(NAME, "go")
        town.job("done, exit 0", timeout_s=60)
        town.asked(NAME, "Would be lost")
        self.question()
        self.form()
        self.home()

    def curve_is_current(self) -> bool:
        """Whether the job's message shows a picture that was drawn of all 18 epochs: its words go ahead of it."""
        files = self.town.server.playground.team.files.values()
        shown = str(self.town.job().blocks)
        return any("over 18 epochs" in (file.alt_text or "") and file.id in shown for file in files)

    def thread_with_curve(self) -> None:
        for width, ana in self.windows.items():
            ana.opens_thread(NAME)
            picture = ana.reply(f"{NAME}/1 · ").get_by_role("img", name=re.compile("over 18 epochs"))
            picture.wait_for()
            assert is_loaded(picture)
            picture.evaluate("(img) => img.scrollIntoView({block: 'center'})")
            self.shoot("thread", width)
            ana.thread.get_by_role("button", name="Close the thread").click()
            ana.card(NAME).evaluate("(card) => card.scrollIntoView({block: 'center'})")
            self.shoot("channel", width)

    def question(self) -> None:
        for width, ana in self.windows.items():
            asked = ana.message("Release", "Would be lost")
            asked.wait_for()
            asked.evaluate("(question) => question.scrollIntoView({block: 'end'})")
            self.shoot("question", width)

    def form(self) -> None:
        for width, ana in self.windows.items():
            form = ana.page.get_by_role("dialog", name="Rent a machine")
            form.wait_for(state="hidden")  # a form is a person's, and open in all of their windows
            ana.types("/gpu rent")
            machine = form.get_by_label("Machine")
            machine.select_option(machine.get_by_role("option").filter(has_text="A100 40GB").first.inner_text())
            form.get_by_text("$5.16 in whole").wait_for()
            self.shoot("form", width)
            form.get_by_role("button", name="Not now").click()
            form.wait_for(state="hidden")

    def home(self) -> None:
        for width, ana in self.windows.items():
            if width < 860:
                ana.page.get_by_role("button", name="Channels").click()
            ana.goes_home().filter(has_text=NAME).wait_for()
            self.shoot("home", width)

    def shoot(self, what: str, width: int) -> None:
        page = self.windows[width].page
        page.mouse.move(0, 0)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            taken = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
            few = taken.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
            few.save(self.out / f"{what}-{width}-{scheme}.png", optimize=True)
        page.emulate_media(color_scheme="light")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots"))
