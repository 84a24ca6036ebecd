"""Every other verb, and what is not one."""

import time
from collections.abc import Callable

import pytest

from bot.domain.commands import (
    ALL,
    Audit,
    Check,
    Command,
    Cost,
    DiskDelete,
    Disks,
    Extend,
    Fetch,
    Help,
    JobRef,
    Jobs,
    Keep,
    KeyAdd,
    KeyList,
    KeyRemove,
    Kill,
    Logs,
    Loss,
    Period,
    Person,
    PolicyShow,
    Refusal,
    RefusalCode,
    Release,
    Secret,
    SecretAction,
    Ssh,
    Start,
    Status,
    Stop,
    Sync,
    Try,
    Verb,
    Watch,
    WatchAction,
)
from bot.domain.commands.table import PARSERS
from bot.domain.durations import Duration

Parsed = Callable[[str], Command | Refusal]

ED25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWL7Nvdh4wuL7TC61LMPNYtjwxQeF3fgvEUeItB8v2M"
FINGERPRINT = "SHA256:" + "a1B2+/" * 7 + "x"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("", Help(None)),
        (" \u200b\n", Help(None)),
        ("/gpu", Help(None)),
        ("gpu", Help(None)),
        ("help", Help(None)),
        ("help rent", Help(Verb.RENT)),
        ("help KEY add", Help(Verb.KEY)),
        ("rent --help", Help(Verb.RENT)),
        ("run —help", Help(Verb.RUN)),
        ("release help", Help(Verb.RELEASE)),
        ("status", Status(None)),
        ("Status?", Status(None)),
        ("*status*", Status(None)),
        ("/gpu status", Status(None)),
        ("status me", Status(None)),
        ("status ALL", Status(ALL)),
        ("status amber-fox", Status("amber-fox")),
        ("status Amber-Fox.", Status("amber-fox")),
        ("status *amber-fox*", Status("amber-fox")),
        ("status amber–fox", Status("amber-fox")),
        ("status <@U123>", Status(Person("U123"))),
        ("status <@U123|ada>", Status(Person("U123"))),
        ("status <@U123|Ada Lovelace>", Status(Person("U123"))),
        ("release", Release(None)),
        ("release amber-fox", Release("amber-fox")),
        ("release amber-fox —keep-disk", Release("amber-fox", keep_disk=True)),
        ("disks models", Disks("models")),
        ("disks ALL", Disks(None, of_all=True)),
        ("disks delete all", DiskDelete("all")),
        ("disks delete models", DiskDelete("models")),
        ("stop amber-fox", Stop("amber-fox")),
        ("start amber-fox", Start("amber-fox")),
        ("ssh", Ssh(None)),
        ("check amber-fox", Check("amber-fox")),
        ("try amber-fox", Try("amber-fox")),
        ("jobs", Jobs(None)),
        ("watch amber-fox", Watch("amber-fox")),
        ("watch", Watch(None)),
        ("watch amber-fox /scratch/out '~/my runs'", Watch("amber-fox", ("/scratch/out", "~/my runs"))),
        ("watch amber-fox —skip ~/work/imagenet", Watch("amber-fox", ("~/work/imagenet",), WatchAction.SKIP)),
        ("watch --remove ./out", Watch(None, ("./out",), WatchAction.REMOVE)),
        ("watch amber-fox `it's -- \\xff`", Watch("amber-fox", ("it's -- \\xff",))),
        ("disks", Disks(None)),
        ("audit amber-fox", Audit("amber-fox")),
        ("audit amber-fox list=3F09A1C2", Audit("amber-fox", "3f09a1c2")),
        ("policy", PolicyShow()),
        ("extend 2h", Extend(None, Duration(7200))),
        ("extend amber-fox 2h", Extend("amber-fox", Duration(7200))),
        ("extend 2h amber-fox", Extend("amber-fox", Duration(7200))),
        ("extend amber-fox by 2 hours", Extend("amber-fox", Duration(7200))),
        ("keep amber-fox 1d", Keep("amber-fox", Duration(86400))),
        ("keep 90m", Keep(None, Duration(5400))),
        ("logs", Logs(None)),
        ("logs amber-fox", Logs(JobRef("amber-fox", None))),
        ("logs amber-fox/3", Logs(JobRef("amber-fox", 3))),
        ("logs 3 50", Logs(JobRef(None, 3), lines=50)),
        ("logs #3", Logs(JobRef(None, 3))),
        ("logs amber-fox/3 200 grep=“is nan” —file", Logs(JobRef("amber-fox", 3), 200, "is nan", True)),
        ("logs amber-fox/3 lines=20", Logs(JobRef("amber-fox", 3), lines=20)),
        ("kill", Kill(None)),
        ("kill amber-fox/3", Kill(JobRef("amber-fox", 3))),
        ("kill amber-fox/Base-line", Kill(JobRef("amber-fox", None, "base-line"))),
        ("loss", Loss(())),
        ("loss amber-fox/3 4 metric=val_loss", Loss((JobRef("amber-fox", 3), JobRef(None, 4)), ("val_loss",))),
        ("loss amber-fox val_loss lr —log", Loss((JobRef("amber-fox", None),), ("val_loss", "lr"), True)),
        ("loss train/loss --last 90m", Loss((), ("train/loss",), last_s=5400, first=JobRef("train", None, "loss"))),
        ("loss 3 train/loss", Loss((JobRef(None, 3),), ("train/loss",))),
        ("loss blue-owl vs amber-fox/base.2", Loss((JobRef("blue-owl", None), JobRef("amber-fox", None, "base.2")))),
        ("loss 3 vs blue-owl", Loss((JobRef(None, 3), JobRef("blue-owl", None)))),
        ("loss vs 2", Loss((JobRef(None, None), JobRef(None, 2)))),
        ("loss 3 metric=lr metric=acc", Loss((JobRef(None, 3),), ("lr", "acc"))),
        ("sync", Sync(None, ())),
        ("sync amber-fox", Sync("amber-fox", ())),
        ("sync amber-fox “/data/my runs” lr=3", Sync("amber-fox", ("/data/my runs", "lr=3"))),
        ("sync ./out", Sync(None, ("./out",))),
        ("sync amber-fox <http://train.py|train.py>", Sync("amber-fox", ("train.py",))),
        ("fetch amber-fox", Fetch("amber-fox", None)),
        ("fetch amber-fox out/model.pt", Fetch("amber-fox", "out/model.pt")),
        ("fetch amber-fox-0123456789abcdef", Fetch("amber-fox-0123456789abcdef", None)),
        ("fetch amber-fox `-rf “x y”`", Fetch("amber-fox", "-rf “x y”")),
        ("`fetch amber-fox 'a b'`", Fetch("amber-fox", "a b")),
        ("cost", Cost(None, None)),
        ("cost week", Cost(Period.WEEK, None)),
        ("cost Month <@U1>", Cost(Period.MONTH, Person("U1"))),
        ("cost amber-fox day", Cost(Period.DAY, "amber-fox")),
        ("cost all", Cost(None, ALL)),
        ("secret", Secret(SecretAction.LIST, None)),
        ("secret set HF_TOKEN", Secret(SecretAction.SET, "HF_TOKEN")),
        ("secret remove HF_TOKEN", Secret(SecretAction.REMOVE, "HF_TOKEN")),
        ("key", KeyList()),
        ("key list", KeyList()),
        (f"key add {ED25519}", KeyAdd(ED25519)),
        (f"key add {ED25519} <mailto:ada@lab.example|ada@lab.example>", KeyAdd(f"{ED25519} ada@lab.example")),
        (f"key add\n```{ED25519} it's mine\n```", KeyAdd(f"{ED25519} it's mine")),
        (f"key add `{ED25519}\u2028`", KeyAdd(ED25519)),
        ("key remove 2", KeyRemove(number=2)),
        (f"key remove {FINGERPRINT}", KeyRemove(fingerprint=FINGERPRINT)),
    ],
)
def test_understood(parsed: Parsed, text: str, command: Command) -> None:
    assert parsed(text) == command


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [
        ("release amber-fox silver-owl", RefusalCode.EXTRA_WORD, "silver-owl"),
        ("release <@U1>", RefusalCode.BAD_LEASE, "<@U1>"),
        ("release amber-fox --force", RefusalCode.UNKNOWN_OPTION, "--force"),
        ("stop 7", RefusalCode.BAD_LEASE, "7"),
        ("status @ada", RefusalCode.UNKNOWN_PERSON, "@ada"),
        ("extend", RefusalCode.MISSING_DURATION, ""),
        ("extend amber-fox", RefusalCode.MISSING_DURATION, ""),
        ("extend 2", RefusalCode.DURATION_NO_UNIT, "2"),
        ("extend amber-fox 2", RefusalCode.DURATION_NO_UNIT, "2"),
        ("keep amber-fox forever", RefusalCode.BAD_DURATION, "forever"),
        ("extend amber-fox 2h 3h", RefusalCode.EXTRA_WORD, "3h"),
        ("logs a/b", RefusalCode.BAD_JOB, "a/b"),
        ("logs amber-fox/3 0", RefusalCode.BAD_LINES, "0"),
        ("logs amber-fox/3 many", RefusalCode.BAD_LINES, "many"),
        ("kill amber-fox/3 4", RefusalCode.EXTRA_WORD, "4"),
        ("policy max=3", RefusalCode.UNKNOWN_OPTION, "max=3"),
        ("key add", RefusalCode.MISSING_KEY, ""),
        ("key add me", RefusalCode.BAD_KEY, "me"),
        (f"key add {ED25519[:-8]}", RefusalCode.BAD_KEY, ED25519[-20:-8]),
        (f"key add ssh-rsa {ED25519.split()[1]}", RefusalCode.BAD_KEY, ED25519[-12:]),
        ("key add -----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb\n", RefusalCode.PRIVATE_KEY, ""),
        ("key remove laptop", RefusalCode.BAD_KEY_CHOICE, "laptop"),
        ("key rotate", RefusalCode.UNKNOWN_ACTION, "rotate"),
        ("secret set HF_TOKEN hf_abc", RefusalCode.SECRET_SHOWN, ""),
        ("secret set HF_TOKEN=hf_abc", RefusalCode.SECRET_SHOWN, ""),
        ("secret hf_abc", RefusalCode.UNKNOWN_ACTION, ""),
    ],
)
def test_refused(parsed: Parsed, text: str, code: RefusalCode, word: str) -> None:
    refusal = parsed(text)
    assert isinstance(refusal, Refusal), refusal
    assert (refusal.code, refusal.word) == (code, word)
    assert refusal.verb == text.split()[0]


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("relaese amber-fox", Verb.RELEASE),
        ("extnd 2h", Verb.EXTEND),
        ("terminate amber-fox", Verb.RELEASE),
        ("ls", Verb.STATUS),
        ("pause amber-fox", Verb.STOP),
    ],
)
def test_a_stray_verb_gets_the_nearest(parsed: Parsed, text: str, nearest: Verb) -> None:
    refusal = parsed(text)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.verb) == (RefusalCode.UNKNOWN_VERB, None)
    assert refusal.nearest[0] == nearest


def test_help_on_a_stray_verb(parsed: Parsed) -> None:
    refusal = parsed("help rnt")
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.verb) == (RefusalCode.UNKNOWN_VERB, Verb.HELP)
    assert Verb.RENT in refusal.nearest


def test_words_of_commands_that_differ_in_kind_are_not_equal() -> None:
    assert Release("amber-fox") != Stop("amber-fox")


def test_every_verb_has_a_parser() -> None:
    assert set(PARSERS) == set(Verb)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "rent " + "a100 " * 20_000,
        "run amber-fox -- " + "'" * 99_999,
        "run amber-fox -- " + "x" * 39_000,
        "run " + "env=A=1 " * 4_800,
        "`" * 40_000,
        "<" * 40_000,
        "–-" * 20_000,
        "run x1 -- " + "<https://" * 4_000,
        "run x1 -- " + "y --then " * 4_000,
        "run " + "a\\ " * 13_000,
        "status " + "\u200d" * 39_000,
        "key add ssh-rsa " + "A" * 39_000,
        "sync amber-fox " + '"a" ' * 9_000,
    ],
)
def test_long_texts_take_no_time(parsed: Parsed, text: str) -> None:
    began = time.process_time()
    parsed(text)
    assert time.process_time() - began < 1.0


def test_texts_longer_than_slack_sends_are_refused(parsed: Parsed) -> None:
    refusal = parsed("rent a100 4h " + "x" * 40_000)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.high) == (RefusalCode.TEXT_TOO_LONG, 40_000)
