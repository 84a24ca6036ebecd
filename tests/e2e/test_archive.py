"""What is watched, and what the archive holds, through Slack; copies that may take little of the network."""

import os
import re
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.playground.client_types import CommandResult, Message
from bot.providers.local.birth import make_host_key
from tests.e2e.deployment import ANA, GPUS, Deployment

ODD = b"-new\nline \xff'\"`$x.txt"
SHOWN = r"-new\nline \xff'" + '"' + r"\x60$x.txt"
SECRET = "a-key-of-the-archive"
MIB = 1024 * 1024


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """With an archive behind a remote that is configured by environment, and 1 MiB a second for all copies."""
    root = tmp_path_factory.mktemp("archive")
    (root / "archive").mkdir()
    remote = {"rclone_config_vault_type": "alias", "rclone_config_vault_remote": root / "archive"}
    slow = {"archive_mib_per_s": 1, "archive_copies": 2}
    with_archive = Deployment(root, archive="vault:", aws_secret_access_key=SECRET, **remote, **slow)
    with_archive.start()
    yield with_archive
    with_archive.close()


def as_ben(town: Deployment, text: str) -> CommandResult:
    result = town.person("ben").command(GPUS, text)
    assert result.acked, result
    return result


def synced(town: Deployment, name: str, *words: str) -> Message:
    town.ana(f"/gpu sync {name}")
    return town.in_thread(name, "ended", *words, timeout_s=60)


def told(town: Deployment, *words: str, person: str = "ana") -> Message:
    """The newest direct message that says all of these."""

    def look() -> Message | None:
        said = town.person(person).sees_dm()
        return next((m for m in reversed(said) if all(w in m.words for w in words)), None)

    try:
        return town.wait(look, 30)
    except AssertionError as error:
        said = "\n\n".join(m.words for m in town.person(person).sees_dm())
        raise AssertionError(f"{words} not in:\n{said}\n{error}") from None


def file_under(town: Deployment, message: Message, person: str = "ana") -> bytes:
    """The file in the thread of a direct message."""

    def look() -> list[str]:
        return [file for reply in town.person(person).thread("dm", message.ts) for file in reply.files]

    return town.workspace.file(town.wait(look, 20)[0])


def at(town: Deployment, name: str) -> Path:
    return town.root / "archive" / ANA / f"{name}-{town.lease(name).id}"


def test_a_path_that_is_named_counts_and_is_copied(town: Deployment) -> None:
    town.handed_over("named")
    aside = town.root / "scratch dir"
    aside.mkdir()
    (aside / "result.csv").write_bytes(b"123")
    assert "`~/work`, as on every machine" in town.ana("/gpu watch named").words
    answer = town.ana(f"/gpu watch named '{aside}' /no/such")
    assert "As well, since somebody named it" in answer.words
    assert "`/no/such`" in answer.words
    question = town.asked("named", "Would be lost: 1 file, 3 B")
    assert "Could not look into: `/no/such` (not there)" in question.words
    assert "named it. If it is not to come: `/gpu watch named --remove /no/such`" in question.words
    assert question.words.count("--remove") == 1
    town.ana("/gpu watch named --remove /no/such")
    synced(town, "named", "1 file, 3 B verified in `vault:U0ANA0000/named-")
    assert (at(town, "named") / f"root{aside}" / "result.csv").read_bytes() == b"123"
    assert "had paths on it watched" in town.ana("/gpu audit named").words


def test_what_can_be_had_again_is_named_and_a_checkpoint_in_it_counts(town: Deployment) -> None:
    town.handed_over("skipping")
    for number in range(3):
        town.write("skipping", f"imagenet/{number}.jpg", b"x" * 1000)
    town.write("skipping", "imagenet/best.safetensors", b"x" * 10)
    assert "is never left out" in town.ana("/gpu watch skipping --skip ./work/imagenet/").words
    question = town.asked("skipping", "Would be lost: 1 file, 10 B")
    assert "`~/work/imagenet/best.safetensors`" in question.words
    assert "declared to be had again elsewhere (3 files, 3.0 kB)" in question.words
    town.ana("/gpu watch skipping --remove ~/work/imagenet")
    town.person("ana").click(question, "question_yes")  # the yes was to one file
    town.in_thread("skipping", "Asked anew", "Would be lost: 4 files")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("watch wary --skip ~", "watched by its own name"),
        ("watch wary --skip ~/work", "watched by its own name"),
        ("watch wary /proc/1", "is the system's"),
        ("watch wary ../etc", "without `..`"),
        ("watch wary --remove /x", "Nobody named `/x`"),
        ("watch wary --skip", "Which path?"),
        ("watch wary --skp /x", "Did you mean `--skip`?"),
    ],
)
def test_paths_that_cannot_be_named(town: Deployment, text: str, words: str) -> None:
    if not any("*wary*" in card.words for card in town.cards()):
        town.handed_over("wary")
    assert words in town.ana(f"/gpu {text}").words


def test_who_may_leave_something_out_and_who_may_fetch(town: Deployment) -> None:
    town.handed_over("others")
    dora = town.person("cy")  # an admin: may operate, may not answer
    assert "Only <@U0ANA0000> or an approver can leave" in dora.command(GPUS, "/gpu watch others --skip /x").words
    assert "As well" in dora.command(GPUS, "/gpu watch others /data").words
    assert "Only <@U0ANA0000> or an approver can leave" in dora.command(GPUS, "/gpu watch others --remove /data").words
    assert "Only <@U0ANA0000> or an approver can get" in dora.command(GPUS, "/gpu fetch others").words
    assert "No file of *others* has a verified copy" in as_ben(town, "/gpu fetch others").words
    told(town, "You asked for all that the archive holds of *others*", "Nothing of it is there", person="ben")


def test_fetch_long_after_the_release_and_a_good_version_outlives_a_bad_one(town: Deployment) -> None:
    town.handed_over("gone")
    town.write("gone", "run/best.ckpt", b"good checkpoint")
    town.write("gone", b"run/" + ODD, b"odd")
    synced(town, "gone", "2 files, 18 B verified in")
    town.write("gone", "run/best.ckpt", b"\0" * 15)
    synced(town, "gone", "1 file, 15 B verified in")
    town.ana("/gpu release gone")
    town.card_of("gone", "*released*", timeout_s=40)
    assert "2 files, 18 B (released" in town.ana("/gpu fetch").words
    listing = town.ana("/gpu fetch gone")
    assert "`~/work/` 2 files, 18 B" in listing.words
    assert "rclone copy --" in listing.words
    look = told(town, "*gone*", "2 files, 18 B with a verified copy: there", "Earlier versions")
    earlier = re.search(r"`(earlier/[^`]+best\.ckpt)` 15 B", look.words)
    assert earlier is not None
    assert "`~/work/run/best.ckpt` 15 B" in town.ana("/gpu fetch gone work/run").words
    assert "I get it from the archive and send it" in town.ana("/gpu fetch gone run/best.ckpt").words
    assert file_under(town, told(town, "You asked for `~/work/run/best.ckpt`", "It follows")) == b"\0" * 15
    town.ana(f"/gpu fetch gone {earlier[1]}")
    assert file_under(town, told(town, "You asked for `earlier/", "an earlier version")) == b"good checkpoint"
    town.ana(f"/gpu fetch gone `~/work/run/{SHOWN.replace('`', '')}`")
    assert file_under(town, told(town, r"You asked for `~/work/run/-new\nline \xff", "It follows")) == b"odd"
    assert "Did you mean `~/work/run/best.ckpt`" in town.ana("/gpu fetch gone bst.ckpt").words
    assert "There is no lease `gome`. Did you mean `gone`" in town.ana("/gpu fetch gome").words


def test_what_the_archive_lost_or_nobody_verified_is_told(town: Deployment) -> None:
    town.handed_over("holes")
    for name in ("a", "b", "c"):
        town.write("holes", name, name.encode() * 5)
    synced(town, "holes", "3 files, 15 B verified in")
    here = at(town, "holes") / "home" / "work"
    (here / "a").unlink()
    (here / "stray").write_bytes(b"12")
    damaged = here / "b"
    damaged.write_bytes(b"other"[:5])
    town.ana("/gpu fetch holes")
    look = told(town, "*holes*", "with a verified copy on record: not there now", "There, and never verified: 1 file")
    assert "`~/work/a`" in look.words
    town.ana("/gpu fetch holes work/b")
    assert "not those that were verified" in told(town, "You asked for `~/work/b`").words
    assert "hidden" not in town.ana("/gpu fetch holes work/zzz").words


def test_a_large_file_gets_its_place_and_a_copy_tells_how_far_it_is(town: Deployment) -> None:
    town.handed_over("slowly")
    lease = town.lease("slowly")
    town.write("slowly", "big.pt", os.urandom(9 * MIB))
    town.ana("/gpu sync slowly")
    under_way = town.in_thread("slowly", "is being copied", "a second", "left", timeout_s=40)
    assert re.search(
        r"[\d.]+ MB of 1 file, 9\.4 MB, (\d+(\.\d)? kB|1\.[0-2] MB) a second, about \d+ s left", under_way.words
    )
    with_secret, others = seen_by_others(f"{lease.id}")
    assert with_secret, "no rclone was seen at work"
    assert not others, others
    ended = town.in_thread("slowly", "ended", "1 file, 9.4 MB verified in", timeout_s=60)
    assert ended.ts == under_way.ts
    answer = town.ana("/gpu fetch slowly big.pt")
    assert "more than the 8.4 MB that I send" in answer.words
    assert f"rclone copyto -- 'vault:U0ANA0000/slowly-{lease.id}/home/work/big.pt' './big.pt'" in answer.words
    told(town, "You asked for `~/work/big.pt`", "1 file, 9.4 MB with a verified copy: there")


def seen_by_others(lease_id: str) -> tuple[list[str], list[str]]:
    """Processes of rclone that know the archive's secret by environment; and every other trace of it: on a command
    line, or with a machine's process, which are those of its directory."""
    rclones, others = [], []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words, environment = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
        except OSError:
            continue
        said = words.replace(b"\0", b" ").decode("utf-8", "replace")
        if SECRET.encode() in words or b"PRIVATE KEY" in words:
            others.append(said)
        knows = SECRET.encode() in environment
        if b"/rclone\0" in words and lease_id.encode() in words:
            assert b"xoxb-" not in environment
            assert b"xapp-" not in environment
            rclones += [said] if knows else []
        elif knows and b"-m\0bot\0run" not in words:
            others.append(said)
    return rclones, others


@pytest.fixture
def mount() -> Iterator[Callable[[Path, str], None]]:
    """Mounts a small disk in memory; skips where that cannot be."""
    mounted: set[Path] = set()

    def put(place: Path, options: str) -> None:
        place.mkdir(parents=True, exist_ok=True)
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
        if os.getuid() or subprocess.run(command, check=False, capture_output=True).returncode:
            pytest.skip("mounting needs root")
        mounted.add(place)

    yield put
    for place in mounted:
        subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_archive_is_told_with_what_is_safe_and_the_rest_follows_later(
    town: Deployment, mount: Callable[[Path, str], None]
) -> None:
    town.handed_over("full")
    mount(at(town, "full"), "size=1m")
    town.write("full", "small", b"12345")
    town.write("full", "big", os.urandom(2 * MIB))
    ended = synced(town, "full", "It ended early: the archive is full")
    assert "1 file, 5 B verified in" in ended.words
    assert "*Not safe: 1 file.*" in ended.words
    assert "`~/work/big`: the archive does not hold it" in ended.words
    assert "On the machine and in no verified copy: 1 file, 2.1 MB" in ended.words
    mount(at(town, "full"), "remount,size=8m")
    assert "Every file" in synced(town, "full", "1 file, 2.1 MB verified in").words


def test_a_connection_that_is_cut_and_another_host_key_are_told_and_it_goes_on_later(town: Deployment) -> None:
    town.handed_over("cut")
    lease = town.lease("cut")
    town.write("cut", "big", os.urandom(4 * MIB))
    town.ana("/gpu sync cut")
    town.in_thread("cut", "is being copied")
    town.wait(lambda: list(at(town, "cut").rglob("big*")), 20)
    town.misbehaviour.set(only=(lease.id,), ssh="refuse")
    ended = town.in_thread("cut", "ended", "It ended early: the", timeout_s=60)
    assert "the connection to the machine was cut" in ended.words
    assert "`~/work/big`: not reached" in ended.words
    assert "What else is on it is unknown: it could not be reached" in ended.words
    key = town.home("cut").parents[2] / "host_key"
    right = key.read_bytes()
    key.write_bytes(make_host_key()[0].encode())
    town.misbehaviour.clear()
    town.wait(lambda: _answers(town, "cut"), 20)
    try:
        town.ana("/gpu sync cut")
        other = town.in_thread("cut", "shows another host key than before", timeout_s=60)
    finally:
        town.misbehaviour.set(only=(lease.id,), ssh="refuse")
        key.write_bytes(right)
    assert "verified in" not in other.words
    town.wait(lambda: not _answers(town, "cut"), 20)
    town.misbehaviour.clear()
    town.wait(lambda: _answers(town, "cut"), 20)
    synced(town, "cut", "1 file, 4.2 MB verified in")


def _answers(town: Deployment, name: str) -> bool:
    address = town.lease(name).address
    assert address is not None
    with socket.socket() as probe:
        return probe.connect_ex((address.host, address.port)) == 0


def test_a_bot_that_is_killed_while_it_copies_goes_on_and_leaves_no_process(town: Deployment) -> None:
    town.handed_over("killed")
    town.write("killed", "big", os.urandom(4 * MIB))
    town.ana("/gpu sync killed")
    town.wait(lambda: list(at(town, "killed").rglob("big*")), 40)
    assert town.process is not None
    town.process.kill()
    town.process.wait(10)
    town.start()
    ended = town.in_thread("killed", "ended", "1 file, 4.2 MB verified in", timeout_s=60)
    assert "Every file" in ended.words
    assert not list(at(town, "killed").rglob("*.partial"))
    assert not seen_by_others(town.lease("killed").id)[0]
