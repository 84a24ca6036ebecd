"""Files dropped into a machine's thread land in its ``~/work``; what is there is never lost, others' are not taken."""

import stat
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from handlers.manifest import manifest
from tests.e2e.conftest import Deploy
from tests.e2e.deployment import ANA, GPUS, Deployment
from tests.e2e.dropping import content, drop, grant_files, press, whispers
from tests.remote.servers import listens

MIB = 1024**2


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """A deployment that takes files of up to 1 MiB, with one ready machine, `desk`, that the tests share."""
    running = Deployment(tmp_path_factory.mktemp("shop"), thread_files_mib=1)
    grant_files(running)
    running.workspace.change_person("dan")
    running.workspace.change_channel("gpus", members=["gpubot", "ana", "ben", "cy", "dan"])
    running.start()
    running.handed_over("desk")
    yield running
    running.close()


def test_what_is_dropped_lands_as_it_is(shop: Deployment) -> None:
    whole = bytes(range(256)) * 4096
    drop(shop, "desk", ("train.py", b"import torch\n"), ("data.bin", whole), ("empty", b""), text="the new ones")
    said = shop.in_thread("desk", "put 3 files, 1.0 MB on *desk*", "`~/work/train.py` (13 B)", "`~/work/empty` (0 B)")
    assert f"<@{ANA}>" in said.words
    found = content(shop, "desk")
    assert (found["train.py"], found["data.bin"], found["empty"]) == (b"import torch\n", whole, b"")
    assert stat.S_IMODE((shop.home("desk") / "work" / "data.bin").stat().st_mode) == 0o644
    assert not [name for name in found if name.endswith(".part")]
    assert "put a file on it: 1 file, 13 B, `work/train.py`" in shop.ana("/gpu audit desk").words


def test_what_is_there_is_asked_about_and_never_lost(shop: Deployment) -> None:
    names = ("replaced.tar.gz", "both.py", "left.txt")
    for name in names:
        shop.write("desk", name, b"old " + name.encode())
    drop(shop, "desk", *((name, b"new") for name in names), ("fresh", b"new"))
    asked = shop.in_thread(
        "desk", "put on *desk*: `~/work/fresh`", "`~/work/left.txt` is there already", "a file of 12 B"
    )
    assert {name: content(shop, "desk")[name] for name in names} == {name: b"old " + name.encode() for name in names}
    press(shop, asked, "file_replace", 0, who="dan")
    shop.wait(lambda: any("Only <@" in said for said in whispers(shop, "desk", "dan")))
    press(shop, asked, "file_replace", 0)
    press(shop, asked, "file_both", 1, who="ben")
    press(shop, asked, "file_leave", 2)
    done = shop.in_thread("desk", "stays as it was", "`~/work/both-2.py`", "is kept as")
    assert done.ts == asked.ts
    assert done.buttons == []
    assert f"`~/work/left.txt` on *desk* stays as it was: <@{ANA}> left it so" in done.words
    found = content(shop, "desk")
    assert (found["replaced.tar.gz"], found["both.py"], found["both-2.py"]) == (b"new", b"old both.py", b"new")
    assert found["left.txt"] == b"old left.txt"
    (aside,) = [name for name in found if name.startswith("replaced.before-")]
    assert aside.endswith(".tar.gz")
    assert found[aside] == b"old replaced.tar.gz"


def test_names_stay_in_the_folder_and_links_are_not_followed(shop: Deployment) -> None:
    outside = shop.home("desk") / "outside"
    outside.write_bytes(b"precious")
    (shop.home("desk") / "work" / "link").symlink_to(outside)
    names = (
        "../../.ssh/authorized_keys",
        "-rf",
        "..",
        "数据 集.csv",
        "字" * 200 + ".json",
        ".env",
        ".gpubot-volume",
        "a$(id)`b",
    )
    keys = (shop.home("desk") / ".ssh" / "authorized_keys").read_bytes()
    drop(shop, "desk", *((name, b"x") for name in names), ("link", b"new"))
    asked = shop.in_thread("desk", f"put {len(names)} files", "`~/work/link` is there already", "a link")
    press(shop, asked, "file_replace", len(names))
    shop.in_thread("desk", f"put {len(names) + 1} files")
    assert outside.read_bytes() == b"precious"
    assert (shop.home("desk") / ".ssh" / "authorized_keys").read_bytes() == keys
    found = content(shop, "desk")
    long = "字" * 83 + ".json"
    expected = {
        ".._.._.ssh_authorized_keys",
        "_-rf",
        "数据 集.csv",
        long,
        ".env",
        "_.gpubot-volume",
        "a$(id)`b",
        "link",
    }
    assert expected <= found.keys()
    assert [name for name in found if name.startswith("file-F")]
    assert {found[name] for name in expected} == {b"x", b"new"}


def test_what_is_none_of_its_business(shop: Deployment) -> None:
    before = content(shop, "desk")
    drop(shop, "desk", ("theirs.py", b"x"), who="dan")
    shop.wait(lambda: any(f"only <@{ANA}>, an approver or an admin" in said for said in whispers(shop, "desk", "dan")))
    told = len(whispers(shop, "desk", "dan"))
    drop(shop, "desk", ("theirs.py", b"x"), who="dan")
    elsewhere = shop.person("dan").upload(GPUS, "picture.png", b"x", "look")
    shop.person("ana").upload(GPUS, "in-the-channel.py", b"x")
    shop.person("ana").upload(GPUS, "in-a-thread.py", b"x", thread=elsewhere)
    drop(shop, "desk", ("bens.py", b"x"), who="ben")
    shop.in_thread("desk", "`~/work/bens.py`")
    assert content(shop, "desk") == before | {"bens.py": b"x"}
    assert len(whispers(shop, "desk", "dan")) == told
    assert len(shop.person("dan").thread(GPUS, elsewhere)) == 2


def test_one_that_is_told_twice_is_put_once(shop: Deployment) -> None:
    shop.workspace.control.post("redeliver", which="next", times=2, new_id=True)
    drop(shop, "desk", ("once.py", b"x"))
    drop(shop, "desk", ("after.py", b"x"))
    shop.in_thread("desk", "`~/work/once.py`")
    shop.in_thread("desk", "`~/work/after.py`")
    thread = shop.person("ana").thread(GPUS, shop.card_of("desk").ts)
    assert len([m for m in thread if "once.py" in m.words]) == 1


def test_what_cannot_be_had_is_said(shop: Deployment) -> None:
    drop(shop, "desk", ("big.bin", b"x" * (MIB + 1)), ("small", b"x"))
    shop.in_thread("desk", "`big.bin` is not on *desk*: it is bigger than the 1.0 MB that I take", "`~/work/small`")
    grant_files(shop, thread_files=False)
    granted: list[str] = manifest(thread_files=True)["settings"]["event_subscriptions"]["bot_events"]
    shop.workspace.settings(subscriptions=granted)
    drop(shop, "desk", ("secret.py", b"x"))
    shop.in_thread("desk", "A file is not on *desk*: Slack does not let me read files", "`files:read`")
    grant_files(shop)
    assert not {"big.bin", "secret.py"} & content(shop, "desk").keys()


def test_a_machine_that_is_not_there_yet_or_no_more(shop: Deployment) -> None:
    shop.misbehaviour.set(never_boots=True)
    shop.ana("/gpu rent cpu 1h name=late")
    shop.card_of("late")
    drop(shop, "late", ("early.py", b"early"))
    waits = shop.in_thread("late", "I put it into `~/work` as soon as *late* is ready")
    shop.misbehaviour.clear()
    shop.card_of("late", "*ready*", timeout_s=40)
    assert shop.in_thread("late", "`~/work/early.py` (5 B)").ts == waits.ts
    assert content(shop, "late")["early.py"] == b"early"
    shop.ana("/gpu stop late")
    shop.card_of("late", "*stopped*")
    drop(shop, "late", ("stopped.py", b"x"))
    shop.wait(lambda: any("`/gpu start late`, then drop it again" in said for said in whispers(shop, "late", "ana")))


@pytest.mark.long
def test_a_machine_that_does_not_answer_is_tried_again(shop: Deployment) -> None:
    shop.handed_over("mute")
    lease = shop.lease("mute")
    shop.misbehaviour.set(only=(lease.id,), ssh="refuse")
    shop.wait(lambda: lease.address is not None and not listens(lease.address.port))
    drop(shop, "mute", ("later.py", b"x"))
    waits = shop.in_thread("mute", "not there yet: *mute* does not answer. I try again")
    shop.misbehaviour.clear()
    assert shop.in_thread("mute", "`~/work/later.py` (1 B)", timeout_s=60).ts == waits.ts


def test_with_the_setting_off_nothing_is_taken(deploy: Deploy) -> None:
    bot = deploy()
    grant_files(bot)
    bot.start()
    bot.handed_over("off")
    drop(bot, "off", ("train.py", b"x"))
    bot.person("ana").say(GPUS, "@gpubot status", thread=bot.card_of("off"))
    bot.wait(lambda: whispers(bot, "off", "ana"))
    assert "train.py" not in content(bot, "off")
    assert not bot.workspace.calls("files.info")
    with bot.store.read() as tx:
        assert not tx.drops.due(datetime(2100, 1, 1, tzinfo=UTC), 1)
