"""The rent form as its user meets it: opened, filled in, objected to, sent; and what it does not do."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from slack_sdk import WebClient

from bot.playground.client import Person, PlaygroundError
from bot.playground.client_types import Message, View
from handlers import rent_form
from handlers.action_ids import RentField
from tests.e2e.deployment import GPUS, Deployment

CPU, H100 = "cpu:0", "h100:1"


def opened(town: Deployment, who: str = "ana", channel: str = GPUS) -> View:
    """The form, opened by the command."""
    person = town.person(who)
    before = {call.n for call in town.workspace.calls("views.open")}
    assert person.command(channel, "/gpu rent").acked
    town.wait(lambda: any(call.n not in before for call in town.workspace.calls("views.open")))
    return form(person)


def form(person: Person) -> View:
    view = person.modal()
    assert view is not None
    return view


def chosen(town: Deployment, person: Person, view: View, words: str, field: str, **values: Any) -> View:
    """The form after the last of ``values`` was chosen, once it says ``words``."""
    assert person.click(view, field, chosen=values[field], values=values).acked

    def look() -> View | None:
        now = person.modal()
        return now if now is not None and words in now.words else None

    return town.wait(look)


def named(town: Deployment, name: str) -> int:
    """How many leases of that name there are."""
    with town.store.read() as tx:
        return sum(lease.name == name for lease in tx.leases.live())


def said_to(town: Deployment, who: str, words: str) -> Message:
    person = town.person(who)
    return town.wait(lambda: next((m for m in person.sees(GPUS) if m.ephemeral and words in m.words), None))


def test_the_command_opens_it_with_prices_stock_and_the_whole_cost(town: Deployment) -> None:
    town.workspace.misbehave.slow("views.open", 1.5, calls=1)
    started = time.monotonic()
    result = town.person("ana").command(GPUS, "/gpu rent")
    assert result.acked
    assert result.words == "", "the form is the answer"
    assert result.ack_delay_s is not None
    assert result.ack_delay_s < 1, "a slow opening does not hold up the acknowledgement"
    view = town.wait(town.person("ana").modal)
    assert time.monotonic() - started < 3
    assert "1× H100 (simulated) · $2.79 an hour · 8 left" in view.words
    assert "2× H100 (simulated) · $5.98 an hour · 4 left" in view.words
    assert "*$0.16 in whole*: CPU only (simulated) at local, here-1 for 4 h, $0.04 an hour, 100 GiB" in view.words
    assert "It is rented at once." in view.words
    assert f"Its card comes to <#{GPUS}>." in view.words
    fields = [block["block_id"] for block in view.body["blocks"]]
    assert RentField.PROVIDER not in fields, "there is one provider only"


def test_the_cost_follows_the_choices_before_anything_is_rented(town: Deployment) -> None:
    ana, view = town.person("ana"), opened(town)
    view = chosen(town, ana, view, "*$11.16 in whole*: 1× H100", RentField.MACHINE, rent_machine=H100)
    view = chosen(
        town, ana, view, "above $25.00, so I ask first", RentField.LENGTH, rent_machine=H100, rent_length="43200"
    )
    assert "*$33.48 in whole*" in view.words
    typed = {"rent_machine": H100, "rent_length": "43200", "rent_other_length": "1d12h"}
    view = chosen(town, ana, view, "an approver has to press", RentField.OTHER_LENGTH, **typed)
    assert "*$100.44 in whole*" in view.words
    for length, words in (("soon", "is not a duration"), ("until tomorrow 12:00", "in whole")):
        typed["rent_other_length"] = length
        view = chosen(town, ana, view, words, RentField.OTHER_LENGTH, **typed)
        assert ("in whole" in view.words) == (words == "in whole")
    view = chosen(town, ana, view, "*$11.16 in whole*", RentField.NAME, rent_machine=H100, rent_name="Half a na")
    view = chosen(town, ana, view, "largest disk", RentField.DISK, rent_machine=H100, rent_disk="9000")
    view = chosen(town, ana, view, "250 GiB of disk", RentField.DISK, rent_machine=H100, rent_disk="250")
    ana.close(view)


def test_a_slow_update_does_not_overtake_a_newer_one(town: Deployment) -> None:
    ana, view = town.person("ana"), opened(town)
    before = len(town.workspace.calls("views.update"))
    town.workspace.misbehave.slow("views.update", 1, calls=1)
    for hours in ("1", "12", "123", "12"):
        ana.click(view, RentField.OTHER_LENGTH, chosen=f"{hours}h", values={"rent_machine": H100})
    town.wait(lambda: "*$33.48 in whole*" in form(ana).words)
    assert len(town.workspace.calls("views.update")) == before + 2, (
        "the first, and the last of those that came meanwhile"
    )
    ana.close(view)


def test_what_is_wrong_stands_beside_its_field(town: Deployment) -> None:
    ana = town.person("ana")
    town.ana("/gpu rent cpu 1h name=taken-one")
    view = opened(town)
    wrong = ana.submit(view, rent_machine=CPU, rent_other_length="4", rent_name="My Machine", rent_disk="lots")
    assert wrong.errors == {
        RentField.OTHER_LENGTH: "“4” has no unit: “m”, “h” or “d”. Perhaps “4h”?",
        RentField.NAME: "“My Machine” cannot be a lease's name: small letters, digits and dashes, as in “amber-fox”.",
        RentField.DISK: "“lots” is not a size of disk: whole GiB, 1 to 16,384.",
    }
    for values, field, words in (
        ({"rent_name": "taken-one"}, RentField.NAME, "already. Choose another name"),
        ({"rent_other_length": "20d"}, RentField.OTHER_LENGTH, "up to 14 d"),
        ({"rent_disk": "9000"}, RentField.DISK, "largest disk that such a machine can have is 500 GiB"),
    ):
        assert words in ana.submit(view, rent_machine=CPU, **values).errors[field]
    town.misbehaviour.set(no_capacity=("cpu",))
    try:
        town.wait(lambda: "sold out" in town.ana("/gpu offers cpu").words)
        assert "sold out" in ana.submit(view, rent_machine=CPU, rent_name="sold-out").errors[RentField.MACHINE]
    finally:
        town.misbehaviour.clear()
    town.wait(lambda: "sold out" not in town.ana("/gpu offers cpu").words)
    assert form(ana).id == view.id, "it stays open"
    assert ana.submit(view, rent_machine=CPU, rent_length="3600", rent_name="mended").errors == {}
    town.card_of("mended")
    assert ana.modal() is None or form(ana).id != view.id


def test_it_rents_once_however_often_it_is_sent(town: Deployment) -> None:
    ana, view = town.person("ana"), opened(town)
    with ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(ana.submit, view, rent_machine=CPU, rent_length="7200", rent_name="by-form") for _ in "12"]
    for one in sent:
        # Whoever comes after the form has closed cannot send it any more.
        assert isinstance(one.exception(), PlaygroundError) or one.result().errors == {}
    assert any(one.exception() is None for one in sent)
    card = town.card_of("by-form", "$0.08 quoted")
    assert card.channel == GPUS
    assert "CPU only (simulated) at local, here-1 for 2 h, $0.08 in whole" in said_to(town, "ana", "*by-form*").words
    assert named(town, "by-form") == 1
    assert sum("*by-form*" in m.words and m.ephemeral for m in ana.sees(GPUS)) == 1


def test_nothing_dearer_than_what_was_shown_is_rented(town: Deployment) -> None:
    """As when somebody types and sends faster than the cost can follow, or a price rises meanwhile."""
    ana, view = town.person("ana"), opened(town)
    values = {"rent_machine": H100, "rent_length": "3600", "rent_name": "unseen"}
    assert ana.submit(view, **values).errors == {}
    asked_again = form(ana)
    assert asked_again.id == view.id
    assert "costs more than was shown" in asked_again.words
    assert "*$2.79 in whole*" in asked_again.words
    assert named(town, "unseen") == 0
    ana.submit(asked_again, **values)
    town.card_of("unseen", "$2.79 quoted")


def test_over_the_limit_an_ordinary_message_asks(town: Deployment) -> None:
    ana, view = town.person("ana"), opened(town)
    values = {"rent_machine": H100, "rent_other_length": "10h", "rent_name": "form-over"}
    view = chosen(town, ana, view, "*$27.90 in whole*", RentField.OTHER_LENGTH, **values)
    town.ana("/gpu rent cpu 1h name=form-taken")
    assert RentField.NAME in ana.submit(view, **values | {"rent_name": "form-taken"}).errors, "not only at the press"
    assert ana.submit(view, **values).errors == {}
    assert "Press *Rent* on the message below" in said_to(town, "ana", "$27.90").words
    quote = town.wait(lambda: next((m for m in ana.sees(GPUS) if "rent_accept" in m.action_ids), None))
    assert not quote.ephemeral
    assert "above $25.00" in quote.words
    assert named(town, "form-over") == 0
    ana.click(quote, "rent_accept")
    town.card_of("form-over", "$27.90 quoted")


def test_the_same_again_is_asked_about_here_too(town: Deployment) -> None:
    cy = town.person("cy")
    assert "Renting" in cy.command(GPUS, "/gpu rent cpu 5h").words
    view = opened(town, "cy")
    view = chosen(town, cy, view, "whether a second one is meant", RentField.OTHER_LENGTH, rent_other_length="5h")
    named = {"rent_other_length": "5h", "rent_name": "on-purpose"}
    view = chosen(town, cy, view, "It is rented at once", RentField.NAME, **named)
    cy.submit(view, rent_other_length="5h")
    said_to(town, "cy", "a second one")


def test_mentions_and_direct_messages_get_a_button_that_opens_it(town: Deployment) -> None:
    ana, ben = town.person("ana"), town.person("ben")
    ana.say(GPUS, "@gpubot rent")
    assert "rent_form" in said_to(town, "ana", "Open the form").action_ids
    ben.dm("rent")
    answer = town.wait(lambda: next((m for m in ben.sees_dm() if "rent_form" in m.action_ids), None))
    assert "`rent a100 4h`" in answer.words
    assert ben.click(answer, "rent_form").acked
    view = town.wait(ben.modal)
    assert "our direct messages" in view.words
    ben.submit(view, rent_machine=CPU, rent_name="bens-form")
    for words in ("Renting *bens-form*", "*ready*"):
        town.wait(lambda words=words: any("*bens-form*" in m.words and words in m.words for m in ben.sees_dm()), 20)


def test_from_a_home_tab_all_comes_to_the_person_directly(town: Deployment) -> None:
    cy = town.person("cy")
    town.workspace.settings(home_tab=True)
    slack = WebClient(token=town.server.bot_token, base_url=town.server.api_url)
    button = rent_form.form_button("Rent one.").blocks[1].to_dict()
    slack.views_publish(user_id=cy.id, view={"type": "home", "blocks": [button]})
    home = cy.home()
    assert home is not None
    before = cy.modal()
    assert cy.click(home, "rent_form").acked
    view = town.wait(lambda: now if (now := cy.modal()) is not None and (not before or now.id != before.id) else None)
    assert "our direct messages" in view.words
    cy.submit(view, rent_machine=CPU, rent_name="from-home")
    for words in ("Renting *from-home*", "*ready*"):
        town.wait(lambda words=words: any("*from-home*" in m.words and words in m.words for m in cy.sees_dm()), 20)


def test_guests_are_refused_before_anything_opens(town: Deployment) -> None:
    gus = town.person("gus")
    assert "Guests cannot use" in gus.command(GPUS, "/gpu rent").words
    assert gus.modal() is None


def test_a_trigger_that_is_over_is_said_with_a_button_and_the_typed_form(town: Deployment) -> None:
    ana = town.person("ana")
    before = [call.n for call in town.workspace.calls("views.open") if call.ok]
    town.workspace.misbehave.break_down("views.open", calls=1)
    town.ana("/gpu rent")
    assert "`/gpu rent a100 4h`" in said_to(town, "ana", "did not open the form").words
    town.workspace.settings(trigger_lifetime_s=0)
    try:
        town.ana("/gpu rent")
        told = said_to(town, "ana", "within 3 s only")
        assert "`/gpu rent a100 4h`" in told.words
    finally:
        town.workspace.settings(trigger_lifetime_s=3)
    assert [call.n for call in town.workspace.calls("views.open") if call.ok] == before
    ana.click(told, "rent_form")
    town.wait(lambda: len([call for call in town.workspace.calls("views.open") if call.ok]) > len(before))


def test_without_price_lists_it_says_so_instead_of_opening(town: Deployment) -> None:
    ana = town.person("ana")
    before = form(ana).id if ana.modal() else None
    town.misbehaviour.set(away=True)
    try:
        town.wait(lambda: "not read" in town.ana("/gpu offers cpu").words)
        with town.store.transaction() as tx:
            for sheet in tx.offers.sheets():
                assert sheet.read_at is not None
                tx.offers.replace(sheet.provider, (), sheet.read_at)
        assert "I have no price list yet" in town.ana("/gpu rent").words
        assert (form(ana).id if ana.modal() else None) == before
    finally:
        town.misbehaviour.clear()


def test_many_machines_are_grouped_and_several_providers_can_be_chosen_from(town: Deployment) -> None:
    town.wait(lambda: "$0.39" in town.ana("/gpu offers t4").words)
    with town.store.transaction() as tx:
        (sheet,) = tx.offers.sheets()
        assert sheet.read_at is not None
        like = next(offer for offer in sheet.offers if offer.ref == "t4")
        models = ("t4", "l4", "a10", "l40s", "a100-40", "a100-80", "h200")
        many = tuple(
            replace(like, provider="other", ref=f"{gpu}x{count}", gpu=gpu, gpu_count=count)
            for gpu in models
            for count in range(1, 17)
        )
        tx.offers.replace("other", many, sheet.read_at)
    ana, view = town.person("ana"), opened(town)
    groups = view.body["blocks"][0]["element"]["option_groups"]
    assert {group["label"]["text"] for group in groups} >= {"H100", "T4", "A100 80GB"}
    other = {"rent_machine": "t4:7", "rent_provider": "other"}
    view = chosen(town, ana, view, "7× T4 (simulated) at other, here-1", RentField.PROVIDER, **other)
    refused = ana.submit(view, rent_machine=H100, rent_provider="other").errors
    assert "Nothing on offer matches that" in refused[RentField.PROVIDER]
