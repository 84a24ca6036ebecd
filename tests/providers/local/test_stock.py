"""The price list: what is on it, what is left, and the host's own cards."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.domain.gpus import MODELS
from bot.domain.instance import InstanceState
from bot.domain.offers import Wish, in_stock, matching
from bot.errors import BadRequest, NoCapacity
from bot.providers.local.host_gpu import HostGpu, find_host_gpus, model_key
from bot.providers.local.provider import LocalProvider
from tests.providers.local.behind import offer
from tests.providers.world import Key, clearance, in_state, run, spec


def test_the_list(local: LocalProvider) -> None:
    offers = local.offers()
    assert {one.gpu for one in offers} >= {"cpu", "l4", "a10", "a100-40", "a100-80", "h100", "h200"}
    assert all(one.simulated and one.gpu in MODELS and one.stock for one in offers)
    assert [one.region for one in matching(offers, Wish(("h100",), 1))] == ["here-2", "here-1"]
    assert {one.gpu_count for one in offers if one.gpu == "h100"} == {1, 2, 8}
    assert [one.price_microusd_per_hour for one in offers if one.ref == "cpu"] == [40_000, 50_000]


def test_what_is_taken_is_not_left(cloud: Callable[..., LocalProvider], key: Key) -> None:
    local = cloud(cards={"h100": 8, "here-1/l4": 1}, boot_s=60.0)
    eight, one, l4 = offer(local, "h100x8"), offer(local, "h100", "here-2"), offer(local, "l4", "here-1")
    assert (eight.stock, one.stock, l4.stock) == (1, 8, 1)
    local.launch(spec(one, "one", key))
    assert offer(local, "h100x8").stock == 0
    assert offer(local, "h100", "here-1").stock == 8
    with pytest.raises(NoCapacity):
        local.launch(spec(eight, "eight", key))
    taken = local.launch(spec(l4, "l4", key))
    with pytest.raises(NoCapacity) as refused:
        local.launch(spec(l4, "another", key))
    assert refused.value.offer_ref == "l4"
    assert local.launch(spec(l4, "l4", key)) == taken
    local.release(taken, clearance(l4, "l4"))
    assert offer(local, "l4", "here-1").stock == 1


def test_a_stopped_machine_may_lose_its_gpu(cloud: Callable[..., LocalProvider], key: Key) -> None:
    local = cloud(cards={"b200": 1}, boot_s=60.0)
    assert not local.capabilities().gpu_promised_at_start
    b200 = offer(local, "b200")
    first = local.launch(spec(b200, "first", key))
    local.stop(first)
    second = local.launch(spec(b200, "second", key))
    with pytest.raises(NoCapacity):
        local.start(first)
    in_state(local, first, InstanceState.STOPPED)
    local.stop(second)
    local.start(first)
    in_state(local, first, InstanceState.PENDING)


@pytest.mark.parametrize("wrong", [{"disk_gib": 0}, {"disk_gib": 10**6}, {"public_key": "nonsense"}, {"token": ""}])
def test_a_request_that_makes_no_sense(local: LocalProvider, key: Key, wrong: dict[str, object]) -> None:
    with pytest.raises(BadRequest):
        local.launch(spec(offer(local, "cpu"), **({"token": "lease-1", "key": key} | wrong)))  # type: ignore[arg-type]
    assert local.list_owned().instances == ()


def test_real_cards_are_offered_as_real(cloud: Callable[..., LocalProvider], key: Key) -> None:
    local = cloud(host_gpus=(HostGpu(0, "h200"), HostGpu(1, "h200")))
    one, both = offer(local, "host-h200"), offer(local, "host-h200x2")
    assert not one.simulated
    assert (one.stock, both.stock, one.price_microusd_per_hour) == (2, 1, 0)
    refs = [local.launch(spec(one, token, key)) for token in ("a", "b")]
    seen = [run(in_state(local, ref, InstanceState.RUNNING), key, "echo $CUDA_VISIBLE_DEVICES")[1] for ref in refs]
    assert seen == [b"0\n", b"1\n"]
    assert [left.stock for left in local.offers() if not left.simulated] == [0, 0]
    assert in_stock([offer(local, "h200")]), "the simulated ones are others"
    with pytest.raises(NoCapacity):
        local.launch(spec(both, "c", key))


def test_the_hosts_tool_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text(
        "#!/bin/sh\necho '0, NVIDIA A100-SXM4-80GB, 81920'\necho '1, NVIDIA Unheard, 1'\n", encoding="ascii"
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert find_host_gpus() == (HostGpu(0, "a100-80"),)
    tool.write_text("#!/bin/sh\necho 'NVIDIA-SMI has failed'; exit 9\n", encoding="ascii")
    assert find_host_gpus() == ()


@pytest.mark.parametrize(
    ("name", "memory_mib", "gpu"),
    [
        ("NVIDIA H100 80GB HBM3", 81559, "h100"),
        ("NVIDIA H200", 143771, "h200"),
        ("NVIDIA A100-PCIE-40GB", 40960, "a100-40"),
        ("NVIDIA L40S", 46068, "l40s"),
        ("Tesla T4", 15360, "t4"),
        ("NVIDIA GeForce RTX 4090", 24564, "rtx4090"),
        ("NVIDIA RTX A6000", 49140, "a6000"),
        ("Quadro K620", 2048, None),
    ],
)
def test_names_of_real_cards(name: str, memory_mib: int, gpu: str | None) -> None:
    assert model_key(name, memory_mib) == gpu
