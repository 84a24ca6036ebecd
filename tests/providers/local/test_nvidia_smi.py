"""The simulated nvidia-smi: says that it is simulated, and shows what the machine really burns."""

import pytest

from bot.domain.instance import Instance, InstanceState
from bot.providers.local.provider import LocalProvider
from tests.providers.local.behind import offer
from tests.providers.world import Key, eventually, in_state, run, spec

_USE = "nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader,nounits"


@pytest.fixture
def machine(local: LocalProvider, key: Key) -> Instance:
    return in_state(local, local.launch(spec(offer(local, "h100x2"), "lease-1", key)), InstanceState.RUNNING)


def test_queries(machine: Instance, key: Key) -> None:
    def ask(arguments: str) -> tuple[int, list[str]]:
        status, text = run(machine, key, f"nvidia-smi {arguments}")
        return status, text.decode().splitlines()

    status, lines = ask("--query-gpu=index,name,memory.total,compute_cap,count --format=csv,noheader,nounits")
    assert (status, len(lines)) == (0, 2)
    assert lines[1] == "1, Simulated NVIDIA H100 80GB HBM3, 81559, 9.0, 2"
    assert ask("--query-gpu=memory.total,power.limit --format=csv -i 0") == (
        0,
        ["memory.total [MiB], power.limit [W]", "81559 MiB, 700.00 W"],
    )
    fields = "uuid,driver_version,memory.used,memory.free,utilization.memory,temperature.gpu,power.draw,pci.bus_id,"
    fields += "ecc.errors.uncorrected.volatile.total,mig.mode.current,pstate,clocks.sm,timestamp"
    status, lines = ask(f"--query-gpu={fields} --format=csv,noheader")
    assert (status, len(lines[0].split(", "))) == (0, 13)
    assert ask("--query-gpu=index,nonsense --format=csv") == (
        2,
        ['Field "nonsense" is not a valid field to query.', ""],
    )
    assert ask("--query-gpu=index")[0] == 2
    assert ask("--nonsense")[0] == 2
    assert ask("-i 7 -L") == (6, ["No devices were found"])
    assert [line.split(" (")[0] for line in ask("-L")[1]] == [
        "GPU 0: Simulated NVIDIA H100 80GB HBM3",
        "GPU 1: Simulated NVIDIA H100 80GB HBM3",
    ]
    assert any("Simulated NVIDIA H100" in line for line in ask("")[1])
    assert any("Attached GPUs" in line for line in ask("-q")[1])
    assert ask("--query-compute-apps=pid,process_name,used_memory --format=csv,noheader") == (0, [])


def test_use_is_what_its_processes_burn(machine: Instance, key: Key) -> None:
    assert run(machine, key, _USE) == (0, b"0\n0\n")
    run(machine, key, "env -i sh -c 'while :; do :; done' </dev/null >/dev/null 2>&1 & echo $! > pid")

    def first_card() -> int:
        return int(run(machine, key, f"sleep 0.3; {_USE}")[1].split()[0])

    eventually(first_card, lambda percent: percent > 25, 20)
    apps = run(machine, key, "nvidia-smi --query-compute-apps=process_name --format=csv,noheader")[1]
    assert apps == b"sh\n"
    run(machine, key, "kill $(cat pid)")
    eventually(first_card, lambda percent: percent == 0, 20)


def test_the_neighbours_load_is_not_ours(local: LocalProvider, machine: Instance, key: Key) -> None:
    other = in_state(local, local.launch(spec(offer(local, "l4"), "lease-2", key)), InstanceState.RUNNING)
    run(other, key, "sh -c 'while :; do :; done' </dev/null >/dev/null 2>&1 &")
    eventually(lambda: int(run(other, key, f"sleep 0.3; {_USE}")[1]), lambda percent: percent > 25, 20)
    assert run(machine, key, _USE) == (0, b"0\n0\n")
