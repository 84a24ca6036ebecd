"""The words that counters go by, whoever prints them. A line's shape has one NUL character for every number."""

import re
from typing import Final

NUMBER_MARK: Final = "\0"
EVALUATION: Final = re.compile(r"\b(?P<word>(?:val|valid|eval|test|dev|sanity|predict|infer)[a-z]*)\b", re.IGNORECASE)
"""A loop over other data, where it stands before a counter: that counter is not the run's."""
EPOCH_HEAD: Final = re.compile(
    r"^[^\w#]*(?:(?:starting|start|started|begin|training|train|running)\s+)?epoch\b[^\w#]*#".replace("#", NUMBER_MARK),
    re.IGNORECASE,
)
"""A line that says which epoch begins."""
STEP_HEAD: Final = re.compile(
    r"^[^\w#]*(?:train(?:ing)?\s+)?(?:step|iter(?:ation)?)\b[^\w#]*#[^\w#]*(?:#[^\w#]*)?$".replace("#", NUMBER_MARK),
    re.IGNORECASE,
)
"""A line that says which step begins, and nothing else."""
STEP_WORDS: Final = {
    # which counter is the x where a line prints several: the higher one
    "total_timesteps": 6,
    "num_timesteps": 6,
    "global_step": 5,
    "global_steps": 5,
    "current_steps": 4,
    "env_step": 4,
    "env_steps": 4,
    "num_updates": 4,
    "step": 3,
    "steps": 3,
    "train_step": 3,
    "iteration": 2,
    "iterations": 2,
    "training_iteration": 2,
    "步数": 3,
    "步": 2,
    "迭代": 2,
    "iter": 2,
    "iters": 2,
    "it": 2,
    "timestep": 2,
    "timesteps": 2,
    "update": 1,
    "updates": 1,
    "round": 1,
    "batch": 1,
    "batch_idx": 1,
}
EPOCH_WORDS: Final = frozenset({"epoch", "ep", "current_epoch", "epoch_idx", "轮次", "轮", "エポック"})
TOTAL_EPOCHS: Final = re.compile(r"(?:(?:num|total|max|number of)[ _-]*(?:train(?:ing)?[ _-]*)?)?epochs", re.IGNORECASE)
TOTAL_STEPS: Final = re.compile(
    r"(?:total|max|num)[ _-]*(?:(?:optimi[sz]ation|train(?:ing)?)[ _-]*)?(?:steps|iterations|iters)", re.IGNORECASE
)
