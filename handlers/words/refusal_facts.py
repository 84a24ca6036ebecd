"""Facts of a refusal as words: what several rooms of the catalogue say in the same way."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.domain.near import near
from handlers.words.text import as_code, listed

Facts = Mapping[str, object]
Catalogue = Mapping[str, Callable[[Facts], str]]
"""The sentence of each reason."""
MOST_KNOWN: Final = 12


def many(value: object) -> tuple[object, ...]:
    """A fact that holds several; none where it is none of these."""
    return value if isinstance(value, tuple) else ()


def guess(facts: Facts) -> str:
    """What was perhaps meant (``near``)."""
    meant = [as_code(str(name)) for name in many(facts.get("near"))]
    return f" Did you mean {listed(meant, 'or')}?" if meant else ""


def there_is(facts: Facts, asked: str) -> str:
    """What there is instead of ``asked``, the likeliest first."""
    meant = near(asked, [str(name) for name in many(facts.get("known"))])
    known = [as_code(str(name)) for name in many(facts.get("known"))]
    shown = known if len(known) <= MOST_KNOWN else [*known[:MOST_KNOWN], f"{len(known) - MOST_KNOWN} more"]
    return guess({"near": meant}) + (f" There {'is' if len(shown) == 1 else 'are'} {listed(shown)}." if shown else "")
