"""Cards as rented, the framework on them, versions that fit, the way out: only what was seen is good."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.checklist import Item, Line, Verdict
from bot.domain.gpus import MODELS
from bot.domain.health import Code, Expected, read_health, unreachable
from bot.domain.health.gpus import is_model
from bot.domain.use import Use
from bot.domain.use_output import read_use
from tests.domain.lifecycle.sample import NOW

REAL = Expected("l4", 2, 24, False, False, "/data", "", None)
SIMULATED = Expected("l4", 2, 24, True, True, "work", ".mark", "vol-1")
CPU = Expected("cpu", 0, 0, True, True, "work", ".mark", "vol-1")
L4 = "0, NVIDIA L4, 23034, 0, 0, 40, 550.54.15"


def look(text: str, item: Item, expected: Expected = REAL) -> Line | None:
    return next((line for line in read_health(f"health=1\n{text}", expected, NOW).lines if line.item is item), None)


@pytest.mark.parametrize(
    ("smi", "expected", "verdict", "code"),
    [
        ([L4, L4], REAL, Verdict.OK, Code.AS_RENTED),
        ([L4, L4], SIMULATED, Verdict.OK, Code.SIMULATED),
        ([L4], REAL, Verdict.FAIL, Code.FEWER_CARDS),
        ([L4, L4.replace("L4", "T4")], REAL, Verdict.FAIL, Code.OTHER_MODEL),
        ([L4, L4.replace("23034", "11000")], REAL, Verdict.FAIL, Code.LESS_MEMORY),
        ([L4, L4.replace("23034", "46068")], REAL, Verdict.WARN, Code.MORE_MEMORY),
        ([L4, L4.replace("40,", "[GPU requires reset],")], REAL, Verdict.FAIL, Code.GPU_RESET),
        ([L4, L4.replace("40,", "[Unknown Error],")], REAL, Verdict.FAIL, Code.SMI_FAILED),
        ([L4, L4.replace("23034", "[N/A]")], REAL, Verdict.OK, Code.AS_RENTED),
    ],
)
def test_cards(smi: list[str], expected: Expected, verdict: Verdict, code: Code) -> None:
    text = "".join(f"smi={line}\n" for line in smi) + "smi_exit=0\n"
    line = look(text, Item.GPU, expected)
    assert line is not None
    assert (line.verdict, line.code) == (verdict, code)


def test_a_driver_that_hangs_fails_and_one_that_was_not_asked_is_unknown() -> None:
    hangs, unseen = look("timed_out=smi\n", Item.GPU), look("", Item.GPU)
    assert hangs is not None
    assert (hangs.verdict, hangs.code) == (Verdict.FAIL, Code.DRIVER_HANGS)
    assert unseen is not None
    assert unseen.verdict is Verdict.UNKNOWN
    assert look("", Item.GPU, CPU) is None


def test_an_error_in_the_kernels_log_counts_on_real_cards() -> None:
    text = f"smi={L4}\nsmi={L4}\nsmi_exit=0\nnvrm=NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\n"
    real, simulated = look(text, Item.GPU), look(text, Item.GPU, SIMULATED)
    assert real is not None
    assert simulated is not None
    assert (real.code, simulated.code) == (Code.XID, Code.SIMULATED)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Tesla T4", "t4"), ("NVIDIA A10G", "a10g"), ("NVIDIA A10", "a10"), ("NVIDIA RTX A6000", "a6000"),
        ("NVIDIA A100-SXM4-80GB", "a100-80"), ("NVIDIA A100-PCIE-40GB", "a100-40"), ("NVIDIA H100 80GB HBM3", "h100"),
        ("NVIDIA H100 PCIe", "h100"), ("NVIDIA H200", "h200"), ("NVIDIA GeForce RTX 4090", "rtx4090"),
        ("NVIDIA GH200 96GB HBM3", "gh200"), ("NVIDIA L40S", "l40s"), ("NVIDIA B200", "b200"),
    ],
)  # fmt: skip
def test_names_of_cards(name: str, key: str) -> None:
    assert [other for other in MODELS if is_model(name, other) and other.split("-")[0] == key.split("-")[0]]
    assert {other.split("-")[0] for other in MODELS if is_model(name, other)} == {key.split("-")[0]}


ON_GPU = "torch_cuda=12.4\ntorch=2.5.1+cu124 True 2 NVIDIA L4,NVIDIA L4\n"
NO_GPU = "torch_cuda=13.0\ntorch=2.12.0 False 0 \n"


@pytest.mark.parametrize(
    ("text", "expected", "verdict", "code"),
    [
        (f"{ON_GPU}framework=gpu\n", REAL, Verdict.OK, Code.ON_GPU),
        (f"{ON_GPU}framework=failed\nframework_seen=CUDA error 802\n", REAL, Verdict.FAIL, Code.MULTIPLY_FAILED),
        (f"{ON_GPU}framework=failed\nframework_seen=CUDA out of memory\n", REAL, Verdict.WARN, Code.GPU_MEMORY_TAKEN),
        (ON_GPU.replace("True 2", "True 1") + "framework=gpu\n", REAL, Verdict.FAIL, Code.FEWER_IN_FRAMEWORK),
        (f"{NO_GPU}framework=cpu\nframework_seen=driver too old\n", REAL, Verdict.FAIL, Code.FALLS_BACK),
        (f"{NO_GPU}framework=cpu\n", SIMULATED, Verdict.OK, Code.ON_CPU),
        (f"{NO_GPU}framework=cpu\n", CPU, Verdict.OK, Code.ON_CPU),
        (f"{NO_GPU}framework=failed\nframework_seen=x\n", CPU, Verdict.FAIL, Code.MULTIPLY_FAILED),
        ("torch_cuda=none\ntorch=2.12.0 False 0 \nframework=cpu\n", REAL, Verdict.WARN, Code.CPU_WHEEL),
        ("framework=missing\npython=/usr/bin/python3\n", REAL, Verdict.WARN, Code.TORCH_MISSING),
        ("framework=no-python\n", REAL, Verdict.WARN, Code.NO_PYTHON),
        ("framework=broken\nframework_seen=libcudart.so\n", REAL, Verdict.FAIL, Code.IMPORT_FAILED),
        ("timed_out=framework\n", REAL, Verdict.UNKNOWN, Code.TIMED_OUT),
        ("timed_out=framework\n", SIMULATED, Verdict.WARN, Code.TIMED_OUT),
        (ON_GPU, REAL, Verdict.UNKNOWN, Code.NOT_SEEN),
        ("", CPU, Verdict.UNKNOWN, Code.NOT_SEEN),
    ],
)
def test_the_framework(text: str, expected: Expected, verdict: Verdict, code: Code) -> None:
    line = look(text, Item.FRAMEWORK, expected)
    assert line is not None
    assert (line.verdict, line.code) == (verdict, code)


@pytest.mark.parametrize(
    ("driver", "torch", "code"),
    [
        ("550.54.15", ON_GPU, Code.VERSIONS),
        ("550.54.15", NO_GPU, Code.DRIVER_TOO_OLD),
        ("580.65.06", NO_GPU, Code.VERSIONS),
    ],
)
def test_versions_that_fit(driver: str, torch: str, code: Code) -> None:
    line = look(f"smi={L4.replace('550.54.15', driver)}\nsmi_exit=0\n{torch}", Item.VERSIONS)
    assert line is not None
    assert line.code == code
    assert f"driver {driver}" in line.seen


@pytest.mark.parametrize(
    ("text", "expected", "verdict"),
    [
        ("net=ok\nnet_seen=https://x\n", REAL, Verdict.OK),
        ("net=failed\nnet_seen=curl: (6)\n", REAL, Verdict.WARN),
        ("net=failed\n", SIMULATED, Verdict.WARN),
        ("timed_out=net\n", REAL, Verdict.UNKNOWN),
        ("", REAL, Verdict.UNKNOWN),
        ("net=not-asked\n", REAL, None),
    ],
)
def test_the_way_out(text: str, expected: Expected, verdict: Verdict | None) -> None:
    line = look(text, Item.NETWORK, expected)
    assert (None if line is None else line.verdict) == verdict


def test_the_way_out_keeps_no_machine_back_and_the_framework_does() -> None:
    good = (
        "user=dev\nhome=/h\ndata_path=/d\nhome_write=ok\ndata_write=ok\nhome_df=/dev/a 9 1 90000000 1% /\n"
        "data_df=/dev/b 9 1 90000000 1% /d\ndata_state=directory\ndata_resolved=/d\nmark_state=not-asked\n"
        f"smi={L4}\nsmi={L4}\nsmi_exit=0\n{ON_GPU}"
    )
    passed = read_health(f"health=1\n{good}framework=gpu\n", REAL, NOW)
    assert passed.passed, passed
    assert not read_health(f"health=1\n{good}timed_out=framework\n", REAL, NOW).passed


def test_nobody_could_log_in() -> None:
    checklist = unreachable(REAL, "unreachable", NOW)
    assert {line.verdict for line in checklist.lines} == {Verdict.UNKNOWN}
    assert not checklist.passed


@given(st.text(), st.sampled_from([REAL, SIMULATED, CPU]))
def test_any_text_gives_a_checklist_that_does_not_pass(text: str, expected: Expected) -> None:
    assert not read_health(text, expected, NOW).passed
    assert not read_health(f"health=1\n{text}", expected, NOW).passed


@given(st.text())
def test_any_text_gives_a_use_and_nothing_is_made_up(text: str) -> None:
    assert read_use(text) == Use(gpus_seen=False) or "use=" in text


def test_use() -> None:
    smi = L4.replace("23034, 0, 0,", "23034, 900, 97,")
    text = f"use=1\nsmi={smi}\nsmi_exit=0\ncpu_cores=3.51\nlogins=2\ntyped_s_ago=-1\njobs=1\n"
    assert read_use(f"{text}data_df=/dev/b 9 1 90000000 41% /d\n") == Use((97,), True, 3.51, 2, 0, 1, 41)
    assert not read_use("use=1\nsmi_exit=9\ncpu_cores=0.01\n").gpus_seen
