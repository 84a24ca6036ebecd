"""`rent` with arguments, `offers`, and the buttons of a quote."""

from bot.domain.commands import Offers, Rent
from bot.domain.lease import Lease
from bot.domain.offers import Wish
from bot.domain.ordering import RentWish
from bot.domain.quote import Quote
from handlers.desk import Asked, Desk
from handlers.words import replies


def rent(desk: Desk, asked: Asked, command: Rent) -> str | None:
    """Rent, or quote. None: the same delivery was answered before."""
    gpu = command.gpu
    wish = Wish(
        gpus=tuple(model.key for model in gpu.models),
        gpu_count=gpu.count,
        disk_gib=command.disk_gib,
        provider=command.provider,
        region=command.region,
    )
    result = desk.rent.ask(
        asked.actor,
        asked.place.channel,
        RentWish(wish, command.duration.duration_s, command.name, disk=command.disk),
        asked.delivery,
    )
    return None if result is None else said(result)


def said(result: Lease | Quote) -> str:
    """What became of a rent that was asked for."""
    return replies.renting(result) if isinstance(result, Lease) else replies.quoted(result)


def offers(desk: Desk, _asked: Asked, command: Offers) -> str:
    """The price lists; a count names machines with that many."""
    gpu = command.gpu
    sheets = desk.read.offers(tuple(model.key for model in gpu.models) if gpu else None)
    return replies.offers(sheets, gpu.spelling if gpu else None, count=gpu.count if gpu and gpu.count > 1 else None)


def press(desk: Desk, asked: Asked, quote_id: str, accept: bool) -> str:
    """*Rent* or *Not now*."""
    result = desk.rent.answer(asked.actor, quote_id, accept)
    if isinstance(result, Quote):
        return "Not rented."
    return replies.renting(result)
