"""What every provider promises. A subclass says in its ``vendor`` fixture whom the promises are held against."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import pytest

from bot.domain.instance import DiskListing, InstanceRef, InstanceState, Keeps, ReleaseOutcome
from bot.domain.offers import Offer, cheapest_first, in_stock
from bot.errors import BadRequest, NotAllowed
from bot.ports.provider import Provider
from tests.providers.world import Key, clearance, disk_clearance, eventually, in_state, run, spec


class Inspector(Protocol):
    """Looks behind the provider's back."""

    def traces(self, ref: InstanceRef) -> list[str]:
        """What is left of the instance: processes, files, volumes; empty when nothing is."""
        ...


@dataclass(frozen=True)
class Vendor:
    """A provider under test. ``deadline_s``: how long a change of state may take here."""

    provider: Provider
    inspector: Inspector
    key: Key
    deadline_s: float = 20.0

    def offer(self) -> Offer:
        return cheapest_first(in_stock(self.provider.offers()))[0]


class ProviderContract:
    """The promises, one a test."""

    def test_offers_are_its_own_and_priced(self, vendor: Vendor) -> None:
        offers = vendor.provider.offers()
        assert offers
        assert {offer.provider for offer in offers} == {vendor.provider.name}
        assert len({(offer.region, offer.ref) for offer in offers}) == len(offers)
        assert all(offer.price_microusd_per_hour >= offer.stopped_microusd_per_hour >= 0 for offer in offers)

    def test_a_launch_returns_at_once_and_runs_later(self, vendor: Vendor) -> None:
        ref = vendor.provider.launch(spec(vendor.offer(), "lease-1", vendor.key))
        assert ref.provider == vendor.provider.name
        seen = in_state(vendor.provider, ref, InstanceState.RUNNING, vendor.deadline_s)
        assert seen.ref == ref
        assert seen.token == "lease-1"
        assert seen.address is not None
        assert run(seen, vendor.key, "echo here") == (0, b"here\n")

    def test_the_same_token_is_the_same_machine(self, vendor: Vendor) -> None:
        wanted = spec(vendor.offer(), "lease-1", vendor.key)
        with ThreadPoolExecutor(8) as pool:
            refs = set(pool.map(lambda _: vendor.provider.launch(wanted), range(8)))
        assert len(refs) == 1
        assert {vendor.provider.launch(wanted)} == refs
        assert [seen.ref for seen in vendor.provider.list_owned().instances] == list(refs)

    def test_the_list_has_everything_with_its_token(self, vendor: Vendor) -> None:
        assert vendor.provider.list_owned().instances == ()
        refs = {token: vendor.provider.launch(spec(vendor.offer(), token, vendor.key)) for token in ("one", "two")}
        listing = vendor.provider.list_owned()
        assert listing.complete
        assert {seen.token: seen.ref for seen in listing.instances} == refs

    def test_the_data_disk_bears_the_promised_mark(self, vendor: Vendor) -> None:
        facts = vendor.provider.capabilities()
        ref = vendor.provider.launch(spec(vendor.offer(), "lease-1", vendor.key))
        seen = in_state(vendor.provider, ref, InstanceState.RUNNING, vendor.deadline_s)
        if not facts.data_mark:
            pytest.skip("the mount proves itself here")
        status, text = run(seen, vendor.key, f"cat {facts.data_path}/{facts.data_mark}")
        assert (status, text.decode().strip()) == (0, seen.volume_id)

    def test_stop_keeps_what_it_says_and_start_brings_it_back(self, vendor: Vendor) -> None:
        facts = vendor.provider.capabilities()
        ref = vendor.provider.launch(spec(vendor.offer(), "lease-1", vendor.key))
        before = in_state(vendor.provider, ref, InstanceState.RUNNING, vendor.deadline_s)
        if not facts.can_stop:
            with pytest.raises(NotAllowed):
                vendor.provider.stop(ref)
            return
        run(before, vendor.key, f"echo home > kept; echo disk > {facts.data_path}/kept")
        vendor.provider.stop(ref)
        stopped = in_state(vendor.provider, ref, InstanceState.STOPPED, vendor.deadline_s)
        assert stopped.token == "lease-1"
        vendor.provider.stop(ref)
        vendor.provider.start(ref)
        after = in_state(vendor.provider, ref, InstanceState.RUNNING, vendor.deadline_s)
        vendor.provider.start(ref)
        assert after.volume_id == before.volume_id
        kept = {
            Keeps.ALL: b"home\ndisk\n",
            Keeps.DATA: b"disk\n",
            Keeps.NOTHING: b"",
        }[facts.stop_keeps]
        assert run(after, vendor.key, f"cat kept {facts.data_path}/kept 2>/dev/null")[1] == kept

    def test_release_may_be_repeated_and_leaves_nothing(self, vendor: Vendor) -> None:
        ref = vendor.provider.launch(spec(vendor.offer(), "lease-1", vendor.key))
        seen = in_state(vendor.provider, ref, InstanceState.RUNNING, vendor.deadline_s)
        run(seen, vendor.key, "setsid sleep 1000 </dev/null >/dev/null 2>&1 &")
        assert vendor.inspector.traces(ref)
        leave = clearance(vendor.offer(), "lease-1")
        eventually(lambda: vendor.provider.release(ref, leave), lambda it: it is ReleaseOutcome.GONE, vendor.deadline_s)
        assert vendor.provider.release(ref, leave) is ReleaseOutcome.GONE
        assert vendor.provider.get(ref) is None
        assert vendor.provider.list_owned().instances == ()
        eventually(lambda: vendor.inspector.traces(ref), lambda left: not left, vendor.deadline_s)

    def test_a_kept_disk_outlives_machines_until_it_is_deleted(self, vendor: Vendor) -> None:
        provider, offer, facts = vendor.provider, vendor.offer(), vendor.provider.capabilities()
        if not facts.keeps_disks:
            assert provider.disks() == DiskListing((), complete=True)
            return
        ref = provider.launch(spec(offer, "lease-1", vendor.key))
        seen = in_state(provider, ref, InstanceState.RUNNING, vendor.deadline_s)
        run(seen, vendor.key, f"echo mine > {facts.data_path}/model")
        leave = clearance(offer, "lease-1", keep_disk_as="models")
        eventually(lambda: provider.release(ref, leave), lambda it: it is ReleaseOutcome.GONE, vendor.deadline_s)
        (disk,) = provider.disks().disks
        assert (disk.id, disk.region, disk.token) == (seen.volume_id, offer.region, None)
        for _ in range(2):  # the second time it is released without a word about the disk
            ref = provider.launch(spec(offer, "lease-2", vendor.key, disk_id=disk.id))
            again = in_state(provider, ref, InstanceState.RUNNING, vendor.deadline_s)
            assert again.volume_id == disk.id
            assert run(again, vendor.key, f"cat {facts.data_path}/model") == (0, b"mine\n")
            assert [kept.token for kept in provider.disks().disks] == ["lease-2"]
            with pytest.raises(NotAllowed):
                provider.launch(spec(offer, "lease-3", vendor.key, disk_id=disk.id))
            with pytest.raises(NotAllowed):
                provider.delete_disk(disk.id, disk_clearance(disk.id))
            leave = clearance(offer, "lease-2")
            eventually(lambda: provider.release(ref, leave), lambda it: it is ReleaseOutcome.GONE, vendor.deadline_s)  # noqa: B023
        with pytest.raises(NotAllowed):
            provider.delete_disk(disk.id, disk_clearance("vol-another"))
        assert provider.disks() == DiskListing((disk,), complete=True)
        assert provider.delete_disk(disk.id, disk_clearance(disk.id)) is ReleaseOutcome.GONE
        assert provider.delete_disk(disk.id, disk_clearance(disk.id)) is ReleaseOutcome.GONE
        assert provider.disks() == DiskListing((), complete=True)
        with pytest.raises(NotAllowed):
            provider.launch(spec(offer, "lease-4", vendor.key, disk_id=disk.id))

    def test_release_while_it_boots(self, vendor: Vendor) -> None:
        ref = vendor.provider.launch(spec(vendor.offer(), "lease-1", vendor.key))
        leave = clearance(vendor.offer(), "lease-1")
        eventually(lambda: vendor.provider.release(ref, leave), lambda it: it is ReleaseOutcome.GONE, vendor.deadline_s)
        assert vendor.provider.get(ref) is None

    @pytest.mark.parametrize("unknown", ["0123456789abcdef", "i-0", "", "..", "../../etc", "a\0b", "ü"])
    def test_what_is_not_there_is_an_answer(self, vendor: Vendor, unknown: str) -> None:
        ref = InstanceRef(vendor.provider.name, unknown)
        assert vendor.provider.get(ref) is None
        assert vendor.provider.release(ref, clearance(vendor.offer(), "lease-1")) is ReleaseOutcome.GONE
        with pytest.raises(NotAllowed):
            vendor.provider.stop(ref)
        with pytest.raises(NotAllowed):
            vendor.provider.start(ref)

    def test_a_clearance_is_good_for_its_own_lease_alone(self, vendor: Vendor) -> None:
        ref = vendor.provider.launch(spec(vendor.offer(), "lease-1", vendor.key))
        with pytest.raises(NotAllowed):
            vendor.provider.release(ref, clearance(vendor.offer(), "lease-2"))
        assert vendor.provider.get(ref) is not None

    def test_an_offer_that_is_not_on_the_list(self, vendor: Vendor) -> None:
        from dataclasses import replace

        with pytest.raises(BadRequest):
            vendor.provider.launch(spec(replace(vendor.offer(), ref="no-such-thing"), "lease-1", vendor.key))
        assert vendor.provider.list_owned().instances == ()
