"""Real-looking output of nvidia-smi, torch, df and the kernel, with the right readings beside it."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from bot.domain.checklist import Item, Verdict
from bot.domain.health import Code, Expected, read_health
from bot.domain.health.df import inodes_full, is_full, is_nearly_full, read_df, read_only_mounts
from bot.domain.health.framework import read_torch
from bot.domain.health.nvidia_smi import SmiFault, fatal_xids, read_smi, read_table
from bot.domain.use import UseVerdict, verdict_of
from bot.domain.use_output import read_use
from tests.domain.lifecycle.sample import NOW

SAMPLES = Path(__file__).parents[2] / "samples"


def cases(folder: str) -> dict[str, dict[str, Any]]:
    index = tomllib.loads((SAMPLES / folder / "index.toml").read_text())
    return {case["file"]: case for case in index["case"]}


def text_of(folder: str, name: str) -> str:
    return (SAMPLES / folder / name).read_text()


NVIDIA, DF = cases("nvidia"), cases("df")
QUERIES = [name for name, case in NVIDIA.items() if "--query-gpu" in case["command"]]


@pytest.mark.parametrize("name", QUERIES)
def test_nvidia_smi(name: str) -> None:
    case = NVIDIA[name]
    reading = read_smi(text_of("nvidia", name), case["exit_code"])
    assert len(reading.cards) == case["gpus"]
    classes = {None: {"ok", "mig_enabled"}, SmiFault.NO_OUTPUT: {"no_output"}, SmiFault.LOST: {"gpu_lost"}}
    classes |= {SmiFault.MISMATCH: {"driver_mismatch"}, SmiFault.NO_DEVICES: {"no_devices"}}
    classes |= {SmiFault.NO_TOOL: {"command_not_found"}}
    assert case["class"] in classes[reading.fault]
    assert (reading.fault is None) is case["healthy"]
    for fields, card in zip(case.get("fields", ()), reading.cards, strict=False):
        shown = (card.index, card.name, card.memory_mib, card.used_mib, card.percent, card.celsius, card.driver)
        assert "|".join(map(str, shown)) == fields


MODELS = {
    "csv_healthy_1gpu.txt": ("a10g", 1, 24), "csv_healthy_8gpu.txt": ("h100", 8, 80),
    "csv_na_mig_parent.txt": ("a100-80", 2, 80), "csv_gpu_lost_mixed.txt": ("a40", 2, 48),
}  # fmt: skip


@pytest.mark.parametrize("name", QUERIES)
def test_the_line_of_the_checklist(name: str) -> None:
    case = NVIDIA[name]
    gpu, count, memory_gib = MODELS.get(name, ("t4", 1, 16))
    expected = Expected(gpu, count, memory_gib, False, False, "/data", "", None)
    lines = "".join(f"smi={line}\n" for line in text_of("nvidia", name).splitlines())
    checklist = read_health(f"health=1\n{lines}smi_exit={case['exit_code']}\n", expected, NOW)
    [line] = [line for line in checklist.lines if line.item is Item.GPU]
    assert line.verdict == {"ok": Verdict.OK, "fail": Verdict.FAIL}[case["severity"]]
    if name == "csv_gpu_lost_mixed.txt":
        assert line.code == Code.GPU_LOST
        assert "0000:86:00.0" in line.seen


def test_use_that_the_driver_does_not_say_is_not_idle() -> None:
    lines = "".join(f"smi={line}\n" for line in text_of("nvidia", "csv_na_mig_parent.txt").splitlines())
    use = read_use(f"use=1\n{lines}smi_exit=0\ncpu_cores=0.01\nlogins=0\njobs=0\n")
    assert use.gpu_percent == (None, None)
    assert verdict_of(use, 2, 90) is UseVerdict.UNKNOWN


def test_a_divided_card_is_said_to_be() -> None:
    cards = "".join(f"smi={line}\n" for line in text_of("nvidia", "csv_na_mig_parent.txt").splitlines())
    table = "".join(f"smi_table={line}\n" for line in text_of("nvidia", "table_mig.txt").splitlines())
    expected = Expected("a100-80", 2, 80, False, False, "/data", "", None)
    checklist = read_health(f"health=1\n{cards}smi_exit=0\n{table}", expected, NOW)
    [line] = [line for line in checklist.lines if line.item is Item.GPU]
    assert line.verdict is Verdict.OK
    assert line.seen.endswith("2 MIG devices")


def test_a_divided_card_in_the_page_for_people() -> None:
    table = read_table(text_of("nvidia", "table_mig.txt"))
    assert (table.cards, table.mig_devices, table.is_mig) == (NVIDIA["table_mig.txt"]["gpus"], 2, True)


def test_the_kernels_log() -> None:
    [line] = fatal_xids(text_of("nvidia", "dmesg_xid79.txt"))
    assert "fallen off the bus" in line
    assert fatal_xids("[1.0] NVRM: Xid (PCI:0000:3b:00): 13, pid=7, a job's own fault") == ()


@pytest.mark.parametrize(("name", "code"), [("torch_ok.txt", Code.ON_GPU), ("torch_cpu_build.txt", Code.CPU_WHEEL)])
def test_torch(name: str, code: Code) -> None:
    case, line = NVIDIA[name], text_of("nvidia", name).strip()
    torch = read_torch(line)
    assert torch is not None
    assert torch.count == len(torch.names) == case["gpus"]
    text = f"health=1\ntorch={line}\nframework={'gpu' if torch.finds_gpu else 'cpu'}\n"
    expected = Expected("l4", 2, 24, False, False, "/data", "", None)
    [shown] = [line for line in read_health(text, expected, NOW).lines if line.item is Item.FRAMEWORK]
    assert (shown.code, shown.verdict) == (code, {"ok": Verdict.OK, "warn": Verdict.WARN}[case["severity"]])


@pytest.mark.parametrize("name", [name for name in DF if name != "mount_readonly.txt"])
def test_df(name: str) -> None:
    case = DF[name]
    rows = read_df(text_of("df", name))
    assert len(rows) == case["rows_expected"]
    shown = {f"{row.mount}|{row.percent}" for row in rows} | {f"{row.mount}|{row.percent}|{row.free}" for row in rows}
    assert set(case.get("rows", ())) <= shown
    if rows:
        worst = next(row for row in rows if row.mount == case["worst_mount"])
        is_bad = inodes_full(worst) if "-i" in case["command"] else is_full(worst)
        assert is_bad is (case["severity"] == "fail")
        assert is_nearly_full(worst) is is_bad


def test_what_is_mounted_read_only_and_should_not_be() -> None:
    case = DF["mount_readonly.txt"]
    assert read_only_mounts(text_of("df", "mount_readonly.txt")) == (case["worst_mount"],)
