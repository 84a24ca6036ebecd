"""`rent` without arguments: the form, what it costs while it is filled in, and what becomes of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from slack_sdk.models.blocks import Block, SectionBlock
from slack_sdk.models.blocks.basic_components import MarkdownTextObject
from slack_sdk.models.views import View

from bot.domain.commands import ParseContext, Refusal, RefusalCode, RentForm
from bot.domain.commands.rent_fields import disk_in, length_in, name_in
from bot.domain.disk import Disk, DiskState
from bot.domain.offers import Offer, Wish, best_of_each
from bot.domain.ordering import RentWish
from bot.errors import Refused
from handlers import rent
from handlers.action_ids import ActionId, FormId, RentField
from handlers.blocks import Message, Modal, actions, button, section
from handlers.desk import Asked, Desk
from handlers.fields import Choice, select, text_input
from handlers.forms import NOTICE, Form, Objections, Outcome, Told, noticed
from handlers.words import rent_form as words
from handlers.words.errors import error_words
from handlers.words.figures import gpu_label, span
from handlers.words.refusals import what_is_wrong
from handlers.words.text import unmarked

HOUR_S: Final = 3600
LENGTHS_S: Final = tuple(hours * HOUR_S for hours in (1, 2, 4, 8, 12, 24, 48, 72, 168))
USUAL_S: Final = 4 * HOUR_S
MOST_DISKS: Final = 99
"""With *a new one* as many as Slack takes."""
ANY: Final = "*"
NEW: Final = "*"
_SHOWN: Final = "shown_microusd"
_FIELD_OF: Final[Mapping[str, RentField]] = {
    "name-taken": RentField.NAME,
    "disk-too-large": RentField.DISK,
    "disk-has-size": RentField.DISK,
    **dict.fromkeys(("disk-elsewhere", "not-at-disk", "disk-in-use", "no-such-disk"), RentField.DATA_DISK),
    "no-such-provider": RentField.PROVIDER,
    "sold-out": RentField.MACHINE,
}
Faults = dict[RentField, Refusal]


def show(desk: Desk, asked: Asked, _command: RentForm) -> Modal | Message:
    """The form; where no trigger came along, a button that opens it."""
    return opened(desk, asked) if asked.opens_forms else form_button(words.OFFER_FORM)


def press(desk: Desk, asked: Asked, _value: str) -> Modal:
    """*Open the form*, on a message or in the home tab: listeners open what this gives, by the press's own trigger.
    Without a channel (the home tab) the machine's card and all that is said go to the person directly."""
    return opened(desk, asked)


def form_button(text: str) -> Message:
    """Words with the button *Open the form*; its press brings the trigger that a form needs."""
    return Message(text, (section(text), *actions(button(ActionId.RENT_FORM, words.OPEN, "", style="primary"))))


def opened(desk: Desk, asked: Asked) -> Modal:
    """The form with its first choices, and what they cost.

    Raises:
        Refused: nobody told any prices yet, or they may not rent.
    """
    sheets = desk.read.offers(None)
    offers = best_of_each(offer for sheet in sheets for offer in sheet.offers)
    if not offers:
        raise Refused("no-offers-yet")
    providers = [sheet.provider for sheet in sheets]
    lengths = [length_s for length_s in LENGTHS_S if length_s <= desk.policy.longest_lease_s] or LENGTHS_S[:1]
    usual = USUAL_S if USUAL_S in lengths else lengths[0]
    disks = [
        view.disk
        for view in desk.disks.of(asked.actor, None)
        if view.disk.state is DiskState.KEPT and not view.is_asked
    ]
    first = RentWish(Wish((offers[0].gpu,), offers[0].gpu_count), usual, None)
    cost, shown = _cost(desk, asked, first)
    metadata = _metadata(asked.place.channel, shown)
    return Modal(_view(offers, lengths, lengths.index(usual), disks, providers, cost, metadata))


def _chosen(desk: Desk, asked: Asked, view: Mapping[str, Any]) -> Modal:
    """The same form with what its choices cost now."""
    wish = _read(view, asked)
    if not isinstance(wish, RentWish) and set(wish) == {RentField.NAME}:
        wish = _read(view, asked, named=False)  # whatever the name is, the cost is the same
    cost, shown = _cost(desk, asked, wish)
    return Modal(noticed(view, cost, _metadata(asked.place.channel, shown)))


def _submitted(desk: Desk, asked: Asked, view: Mapping[str, Any]) -> Outcome:
    """Rent as the typed command does, once per form, and nothing dearer than what the form had shown."""
    wish = _read(view, asked)
    if not isinstance(wish, RentWish):
        return Objections({field: unmarked(what_is_wrong(refusal)) for field, refusal in wish.items()})
    channel = asked.place.channel or asked.actor.user
    try:
        result = desk.rent.ask(asked.actor, channel, wish, f"form:{view['id']}")
    except Refused as refused:
        if refused.reason == "dearer-than-shown":
            cost, shown = _cost(desk, asked, wish)
            return Modal(noticed(view, words.cost_rose(cost), _metadata(asked.place.channel, shown)))
        field = _at_fault(refused, wish, view)
        if field is None:
            raise
        return Objections({field: unmarked(error_words(refused))})
    return Told(None if result is None else rent.said(result))


FORM: Final = Form(
    fields=tuple(RentField),
    chosen=_chosen,
    submitted=_submitted,
    reopen=lambda _view, is_late: form_button(words.too_late() if is_late else words.could_not_open()),
)


def _cost(desk: Desk, asked: Asked, wish: RentWish | Faults) -> tuple[str, int]:
    """What is said about the cost, and the sum that is shown by that; 0 where there is none."""
    if not isinstance(wish, RentWish):
        return words.problem(what_is_wrong(next(iter(wish.values())))), 0
    try:
        priced = desk.rent.price(asked.actor, replace(wish, shown_microusd=None))
    except Refused as refused:
        return words.problem(error_words(refused)), 0
    return words.cost(priced, desk.policy, asked.now, asked.place.channel, wish.disk), priced.order.quote_microusd


def _read(view: Mapping[str, Any], asked: Asked, *, named: bool = True) -> RentWish | Faults:
    """What was chosen and typed, or what is wrong with it, by field."""
    faults: Faults = {}
    context = ParseContext(asked.now, asked.zone)
    gpu, _, count = (_value(view, RentField.MACHINE) or "").partition(":")
    if not count:
        faults[RentField.MACHINE] = Refusal(RefusalCode.MISSING_GPU)
    typed = _value(view, RentField.OTHER_LENGTH)
    length = length_in(typed or f"{_value(view, RentField.LENGTH)}s", context)
    name = None if not named or (text := _value(view, RentField.NAME)) is None else name_in(text)
    disk = None if (text := _value(view, RentField.DISK)) is None else disk_in(text)
    for field, read in (
        (RentField.OTHER_LENGTH if typed else RentField.LENGTH, length),
        (RentField.NAME, name),
        (RentField.DISK, disk),
    ):
        if isinstance(read, Refusal):
            faults[field] = read
    if faults or isinstance(length, Refusal) or isinstance(name, Refusal) or isinstance(disk, Refusal):
        return faults
    provider = _value(view, RentField.PROVIDER)
    wish = Wish((gpu,), int(count), disk, None if provider == ANY else provider)
    kept = _value(view, RentField.DATA_DISK)
    shown_microusd = int(_told(view).get(_SHOWN) or 0)
    return RentWish(wish, length.duration_s, name, shown_microusd, None if kept == NEW else kept)


def _at_fault(refused: Refused, wish: RentWish, view: Mapping[str, Any]) -> RentField | None:
    """The field that a refusal is about; None where it is about none."""
    match refused.reason:
        case "lease-too-long":
            return RentField.OTHER_LENGTH if _value(view, RentField.OTHER_LENGTH) else RentField.LENGTH
        case "no-such-offer":
            return RentField.PROVIDER if wish.wish.provider is not None else RentField.MACHINE
        case reason:
            return _FIELD_OF.get(reason)


def _value(view: Mapping[str, Any], field: RentField) -> str | None:
    """What a field holds; None where it is empty or not in the form."""
    held = view["state"]["values"].get(field, {}).get(field) or {}
    value = (held.get("selected_option") or held).get("value")
    return value.strip() or None if isinstance(value, str) else None


def _told(view: Mapping[str, Any]) -> dict[str, Any]:
    return dict(json.loads(view.get("private_metadata") or "{}"))


def _metadata(channel: str, shown_microusd: int) -> str:
    return json.dumps({"channel": channel, _SHOWN: shown_microusd})


def _view(
    offers: Sequence[Offer],
    lengths: Sequence[int],
    usual: int,
    disks: Sequence[Disk],
    providers: Sequence[str],
    cost: str,
    metadata: str,
) -> dict[str, Any]:
    machines: list[Choice] = [(words.offered(offer), f"{offer.gpu}:{offer.gpu_count}") for offer in offers]
    groups = [gpu_label(offer.gpu) for offer in offers]
    spans: list[Choice] = [(span(length_s), str(length_s)) for length_s in lengths]
    blocks: list[Block] = [
        select(RentField.MACHINE, words.LABELS[RentField.MACHINE], machines, groups=groups),
        select(RentField.LENGTH, words.LABELS[RentField.LENGTH], spans, usual),
        *(_line(field) for field in (RentField.OTHER_LENGTH, RentField.DISK, RentField.NAME)),
    ]
    if disks:
        kept: list[Choice] = [(words.NEW_DISK, NEW), *((words.kept(disk), disk.name) for disk in disks[:MOST_DISKS])]
        blocks.append(select(RentField.DATA_DISK, words.LABELS[RentField.DATA_DISK], kept))
    if len(providers) > 1:
        choices: list[Choice] = [(words.ANY_PROVIDER, ANY), *((name, name) for name in providers)]
        blocks.append(select(RentField.PROVIDER, words.LABELS[RentField.PROVIDER], choices))
    blocks.append(SectionBlock(block_id=NOTICE, text=MarkdownTextObject(text=cost)))
    view = View(
        type="modal",
        callback_id=FormId.RENT,
        title=words.TITLE,
        submit=words.SUBMIT,
        close=words.CLOSE,
        blocks=blocks,
        private_metadata=metadata,
    )
    return dict(view.to_dict())


def _line(field: RentField) -> Block:
    return text_input(field, words.LABELS[field], words.EXAMPLES[field], words.HINTS[field])
