"""Short names for leases: an adjective and an animal, as `amber-fox`."""

from collections.abc import Container
from typing import Final, Protocol

_FIRST: Final = (
    "amber ashen azure bold brave brisk bright calm clever cobalt copper coral cosmic crimson crisp dapper "
    "daring dusky eager early ember fancy fleet gentle gilded golden grand hazel hidden humble icy indigo ivory "
    "jade jolly keen kind late lively lucid lunar lucky mellow merry mighty misty mossy nimble noble ochre olive "
    "opal pearl placid plucky polar proud quick quiet rapid rosy ruby rustic sable sandy scarlet serene silent "
    "silver sleek snowy solar spry steady stellar sunny swift tawny teal tidy topaz umber velvet verdant violet "
    "vivid warm wild wise witty young zesty"
).split()
_SECOND: Final = (
    "ant badger bat bear beaver bee bison boar crane crow deer dingo dove duck eagle eel elk falcon ferret finch "
    "fox frog gecko goat goose gull hare hawk hedgehog heron horse ibex ibis jackal jay kestrel kite koala lark "
    "lemur lion lizard llama lynx magpie marmot marten mole moose moth mouse mule newt ocelot orca oriole osprey "
    "otter owl ox panda parrot pelican perch pika pony puffin puma quail rabbit ram raven robin rook salmon seal "
    "shark shrew skink sloth snail snipe sparrow squid stag stoat stork swan swift tapir tern tiger toad trout "
    "turtle viper vole walrus weasel whale wolf wombat wren yak zebra"
).split()


class Chance(Protocol):
    """What `random.Random` offers and this needs."""

    def choice(self, seq: list[str], /) -> str:
        """One of them."""
        ...


def new_name(taken: Container[str], chance: Chance) -> str:
    """A name that is not ``taken``; a number is put behind when the free ones become hard to hit."""
    for _ in range(50):
        name = f"{chance.choice(_FIRST)}-{chance.choice(_SECOND)}"
        if name not in taken:
            return name
    stem, number = f"{chance.choice(_FIRST)}-{chance.choice(_SECOND)}", 2
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"
