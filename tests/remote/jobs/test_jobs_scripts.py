"""What the scripts are made of: old Pythons read them, the kernel's counters are found."""

import ast
from pathlib import Path

import pytest

from bot.remote.bundle import bundle
from bot.remote.scripts.job_memory import oom_kills, risen
from bot.remote.ssh import SCRIPTS

JOB_SCRIPTS = sorted([*SCRIPTS.glob("*_job.py"), *SCRIPTS.glob("job_*.py")])


@pytest.mark.parametrize("path", JOB_SCRIPTS, ids=lambda path: path.name)
def test_python_3_6_can_read_it(path: Path) -> None:
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 6))


def test_a_bundle_holds_each_module_once_before_its_users() -> None:
    texts = ast.literal_eval(
        bundle(SCRIPTS / "start_job.py").decode("ascii").partition("\n")[0].removeprefix("TEXTS = ")
    )
    names = [name.rpartition(".")[2] for name, _ in texts]
    assert names[-1] == "__main__"
    assert sorted(names[:-1]) == ["job_files", "job_git", "job_keeper", "job_memory", "job_processes"]
    assert names.index("job_files") < names.index("job_processes") < names.index("job_keeper")


def test_out_of_memory_kills_are_counted_where_they_are_seen(tmp_path: Path) -> None:
    def put(name: str, text: str) -> None:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="ascii")

    assert oom_kills(tmp_path) == {"machine": None, "group": None}
    put("proc/vmstat", "nr_free_pages 5\noom_kill 3\n")
    put("proc/self/cgroup", "0::/user.slice/session-3.scope\n")
    put("sys/fs/cgroup/user.slice/session-3.scope/memory.events", "oom 2\noom_kill 1\n")
    before = oom_kills(tmp_path)
    assert before == {"machine": 3, "group": 1}
    put("sys/fs/cgroup/user.slice/session-3.scope/memory.events", "oom 2\noom_kill 2\n")
    assert risen(before, oom_kills(tmp_path)) == {"machine": 0, "group": 1}
    put("proc/self/cgroup", "5:cpu:/x\n4:memory:/docker/1\n")
    put("sys/fs/cgroup/memory/memory.oom_control", "oom_kill_disable 0\noom_kill 7\n")
    assert oom_kills(tmp_path)["group"] == 7
    assert risen(before, {"machine": None, "group": 7}) == {"machine": None, "group": 6}
