"""What is said in a channel that the bot was brought into, once."""

from typing import Final

WELCOME: Final = (
    "I rent cloud GPUs, watch them, and release them without losing anybody's data. Three lines to begin with:\n"
    "• `/gpu offers` shows what can be rented now and for how much\n"
    "• `/gpu rent cpu 1h` rents a small machine for an hour; its card appears here, with the cost so far and its buttons\n"
    "• `/gpu help` shows the rest by examples; in a machine's thread, mention me instead: `@gpubot status`"
)
NOT_HERE: Final = (
    "The team's policy does not allow gpubot in this channel, so I do nothing here. "
    "`/gpu policy` in a direct message to me or in an allowed channel says where."
)
