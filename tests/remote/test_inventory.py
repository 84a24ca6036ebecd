"""The inventory script over a real login: what it sees, names, leaves out, and cannot see."""

import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.domain.drops.names import part_name
from bot.domain.inventory.compare import Change, Changed, Grown, Same, compare
from bot.domain.inventory.files import KnownFiles
from bot.domain.inventory.inventory import BlindSpot, Inventory, Verdict, WhyBlind, WhyUnknown
from bot.domain.inventory.parse import parse, parse_baseline, parse_listing
from bot.domain.inventory.request import Watch, baseline_request, inventory_request
from bot.ports.remote import Step
from bot.remote.ssh import SshRemote
from tests.remote.servers import Sshd

AT = datetime(2026, 1, 2, tzinfo=UTC)
ODD = [
    b"with space",
    b"new\nline",
    b"-dash",
    b"quote'\"",
    b"\xff\xfe",
    "ümläut".encode(),
    b"x" * 255,
    b"cr\r",
    b"\x1b[2J",
]


class Machine:
    """One machine's home, and looks at it."""

    def __init__(self, server: Sshd, remote: SshRemote) -> None:
        self.home, self.server, self.remote = server.home, server, remote
        self.watch = Watch.of("")
        self.known = KnownFiles()

    def ask(self, stdin: bytes) -> str:
        output = self.remote.run(self.server.login(), Step.INVENTORY, (), stdin, 30)
        assert output.exit_status == 0, output.text
        return output.text

    def look(self, **how: object) -> Inventory:
        return parse(self.ask(inventory_request(self.watch, self.known, within_s=20, **how)), at=AT)  # type: ignore[arg-type]

    def hand_over(self) -> None:
        self.known = parse_baseline(self.ask(baseline_request(self.watch, within_s=20)))

    def write(self, name: str | bytes, content: bytes = b"x") -> Path:
        path = self.home / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path


@pytest.fixture
def machine(start_sshd: Callable[..., Sshd], remote: SshRemote) -> Machine:
    return Machine(start_sshd(kinds=("ed25519",)), remote)


def names(files: object) -> set[bytes]:
    return {file.path for file in files}  # type: ignore[attr-defined]


def test_what_the_image_brought_is_clean_and_what_came_after_is_not(machine: Machine) -> None:
    machine.write(".bashrc", b"old")
    machine.write("demo/train.py", b"old")
    machine.hand_over()
    assert machine.look().verdict is Verdict.CLEAN
    machine.write("demo/model.pt", b"12345")
    found = machine.look()
    assert (found.verdict, found.files, found.size_bytes, found.young) == (Verdict.DIRTY, 1, 5, 3)
    assert names(found.newest) == names(found.biggest) == {b"~/demo/model.pt"}
    assert found.home == os.fsencode(machine.home.resolve())


def test_a_change_that_keeps_size_and_mtime_is_seen(machine: Machine) -> None:
    path = machine.write("weights", b"good")
    machine.hand_over()
    before = path.stat()
    path.write_bytes(b"evil")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert machine.look().files == 1


def test_every_name_is_listed_with_the_state_that_makes_it_known(machine: Machine) -> None:
    for name in ODD:
        machine.write(b"odd/" + name, name)
    found = machine.look()
    states = parse_listing(machine.ask(inventory_request(machine.watch, machine.known, within_s=20, share=(0, 1))))
    assert names(states) == {b"~/odd/" + name for name in ODD}
    assert found.files == len(ODD)
    machine.known = KnownFiles().with_states(states)
    assert machine.look().verdict is Verdict.CLEAN


def test_shares_are_disjoint_and_whole(machine: Machine) -> None:
    for number in range(50):
        machine.write(f"f{number}")
    requests = (inventory_request(machine.watch, machine.known, within_s=20, share=(part, 3)) for part in range(3))
    parts = [names(parse_listing(machine.ask(request))) for request in requests]
    assert sum(map(len, parts)) == len(set.union(*parts)) == 50
    assert all(parts)


def test_what_is_no_file_is_named_and_never_read(machine: Machine, tmp_path: Path) -> None:
    machine.write("inside", b"x")
    os.mkfifo(machine.home / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        cwd = os.open(machine.home, os.O_DIRECTORY)
        listener.bind(f"/proc/self/fd/{cwd}/socket")
        os.close(cwd)
    (tmp_path / "elsewhere").mkdir()
    (machine.home / "out").symlink_to(tmp_path / "elsewhere")
    (machine.home / "loop").symlink_to(".")
    (machine.home / "system").symlink_to("/usr/bin/env")
    found = machine.look()
    assert found.files == 1
    assert set(found.special.first) == {b"~/pipe", b"~/socket"}
    assert set(found.links.first) == {b"~/out", b"~/loop", b"~/system"}
    assert found.blind.first == (BlindSpot(b"~/out", WhyBlind.LINK),)


def test_a_linked_data_path_is_walked_once_under_its_own_name(machine: Machine, tmp_path: Path) -> None:
    data = tmp_path / "data-disk"
    data.mkdir()
    (data / "model.pt").write_bytes(b"123")
    (machine.home / "work").symlink_to(data)
    machine.watch = Watch.of("work")
    found = machine.look()
    assert (found.files, names(found.newest), found.blind.count) == (1, {b"~/work/model.pt"}, 0)
    machine.watch = Watch.of("work", added=(str(data),))
    assert machine.look().files == 1
    machine.watch = Watch.of("work", skip=("~/work",))
    machine.watch = Watch.of("gone")
    assert BlindSpot(b"~/gone", WhyBlind.MISSING) in machine.look().blind.first


def test_rules_name_what_they_hide_and_never_hide_a_checkpoint(machine: Machine) -> None:
    machine.write(".cache/pip/x", b"1234")
    machine.write("p/__pycache__/a.pyc", b"12")
    machine.write("env/pyvenv.cfg", b"1")
    machine.write("env/lib/a.py", b"1")
    machine.write("env/lib/distutils-precedence.pth", b"1")
    machine.write("env/best.ckpt", b"12345678")
    machine.write("node_modules/x/index.js", b"1")
    machine.write("data/raw/1.jpg", b"1")
    machine.write(".gpubot/jobs/3/output.log", b"123")
    machine.write(".gpubot/jobs/3/last.pt", b"123")
    machine.write(".gpubot/other", b"123456")
    machine.write(f"work/{part_name('0123456789abcdef', 0, 7)}", b"12345")
    machine.write("work/.gpubot-mine.part", b"1")
    machine.write(".ssh/authorized_keys", b"1")
    machine.write(".ssh/id_ed25519", b"1")
    machine.watch = Watch.of("", skip=("data/raw",))
    found = machine.look()
    assert names(found.biggest) == {b"~/env/best.ckpt", b"~/.ssh/id_ed25519", b"~/work/.gpubot-mine.part"}
    assert {part.rule: (part.files, part.size_bytes) for part in found.left_out} == {
        "cache": (2, 6),
        "environment": (3, 3),
        "packages": (1, 1),
        "skipped": (1, 1),
        "job-logs": (2, 6),
        "gpubot": (2, 11),
        "logins": (1, 1),
    }


def test_a_file_shown_as_open_may_grow_and_nothing_else_may_change(machine: Machine) -> None:
    machine.write("model.pt", b"1")
    with (machine.home / "train.log").open("ab", buffering=0) as log:
        log.write(b"epoch 1\n")
        shown = machine.look()
        assert shown.open.first == (b"~/train.log",)
        assert compare(shown, machine.look(again=shown)) == Same()
        log.write(b"epoch 2\n")
        grown = compare(shown, machine.look(again=shown))
        assert isinstance(grown, Grown)
        assert [(file.path, file.by_bytes) for file in grown.files] == [(b"~/train.log", 8)]
    assert isinstance(compare(shown, machine.look(again=shown)), Grown)  # its writer has ended meanwhile
    machine.write("late.txt", b"written in the grace")
    assert compare(shown, machine.look(again=shown)) == Changed((Change.FILES,))
    (machine.home / "late.txt").unlink()
    assert isinstance(compare(shown, machine.look(again=shown)), Grown)
    with (machine.home / "model.pt").open("ab"):
        assert compare(shown, machine.look(again=shown)) == Changed((Change.WRITERS,))
    machine.write("train.log", b"short")
    assert compare(shown, machine.look(again=shown)) == Changed((Change.WRITERS,))


def test_a_mapped_file_counts_as_open(machine: Machine) -> None:
    import mmap

    path = machine.write("array.npy", b"0" * 8192)
    machine.hand_over()
    with path.open("r+b") as file:
        mapped = mmap.mmap(file.fileno(), 0)
    assert machine.look().open.first == (b"~/array.npy",)
    mapped.close()
    assert machine.look().verdict is Verdict.CLEAN


def git(where: Path, *words: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *words], cwd=where, check=True, capture_output=True)


def test_git_trees_say_what_no_remote_has(machine: Machine, tmp_path: Path) -> None:
    origin, tree = tmp_path / "origin.git", machine.home / "project"
    origin.mkdir()
    git(origin, "init", "--bare")
    machine.write("project/a.py")
    git(tree, "init")
    git(tree, "add", ".")
    git(tree, "commit", "-m", "1")
    (alone,) = machine.look().git.first
    assert (alone.path, alone.has_remote, alone.unpushed, alone.has_local_work) == (b"~/project", False, 1, True)
    git(tree, "remote", "add", "origin", str(origin))
    git(tree, "push", "origin", "HEAD")
    (pushed,) = machine.look().git.first
    assert not pushed.has_local_work
    machine.write("project/b.py")
    git(tree, "stash", "--include-untracked")
    machine.write("project/a.py", b"changed")
    machine.write("project/c.py")
    index = (tree / ".git" / "index").stat()
    (found,) = machine.look().git.first
    assert (found.uncommitted, found.unpushed, found.stashed, found.rule) == (2, 0, 1, "")
    assert (tree / ".git" / "index").stat().st_mtime_ns == index.st_mtime_ns
    machine.hand_over()
    assert machine.look().git.count == 0
    assert machine.look().verdict is Verdict.CLEAN


def test_local_work_in_a_tree_that_a_rule_leaves_out_is_not_clean(machine: Machine) -> None:
    machine.write(".cache/tool/a.py")
    git(machine.home / ".cache" / "tool", "init")
    found = machine.look()
    assert (found.files, found.verdict, len(found.hidden_work)) == (0, Verdict.DIRTY, 1)


def test_a_look_without_time_is_cut_short_and_unknown(machine: Machine) -> None:
    machine.write("x")
    text = machine.ask(inventory_request(machine.watch, machine.known, within_s=0))
    assert parse(text, at=AT).why_unknown is WhyUnknown.CUT_SHORT


def test_stdin_that_was_cut_is_no_request(machine: Machine) -> None:
    request = inventory_request(machine.watch, KnownFiles(b"x" * 80), within_s=5)[:-1]
    output = machine.remote.run(machine.server.login(), Step.INVENTORY, (), request, 30)
    assert output.exit_status == 1
    assert parse(output.text, at=AT).verdict is Verdict.UNKNOWN


@pytest.fixture
def other_mount(machine: Machine) -> Iterator[Path]:
    path = machine.home / "scratch"
    path.mkdir(parents=True)
    if os.getuid() or subprocess.run(["mount", "-t", "tmpfs", "tmpfs", path], check=False).returncode:
        pytest.skip("mounting needs root")
    yield path
    subprocess.run(["umount", path], check=True)


def test_another_mount_is_entered_by_name_only(machine: Machine, other_mount: Path) -> None:
    (other_mount / "x").write_bytes(b"1")
    found = machine.look()
    assert (found.files, found.blind.first) == (0, (BlindSpot(b"~/scratch", WhyBlind.MOUNT),))
    machine.watch = Watch.of("", added=("~/scratch",))
    assert (machine.look().files, machine.look().blind.count) == (1, 0)


def test_a_wide_tree_is_walked_by_several_and_adds_up(machine: Machine) -> None:
    for number in range(100):
        machine.write(f"wide/{number}/a.txt", b"x" * 1000 * number)
        machine.write(f"wide/{number}/.cache/b", b"x")
    os.mkfifo(machine.home / "wide" / "99" / "pipe")
    git(machine.home / "wide" / "98", "init")
    found = machine.look()
    of_git = sum(path.is_file() for path in (machine.home / "wide" / "98" / ".git").rglob("*"))
    assert (found.files, found.special.count, found.git.count) == (100 + of_git, 1, 1)
    assert names(found.biggest) >= {b"~/wide/99/a.txt"}
    assert found.left_out[0].files == 100
    states = parse_listing(machine.ask(inventory_request(machine.watch, machine.known, within_s=20, share=(0, 1))))
    assert len(states) == found.files
    machine.hand_over()
    assert machine.look().verdict is Verdict.CLEAN
