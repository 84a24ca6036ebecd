"""``run``: what a client made of a command, and the command that was meant."""

from collections.abc import Callable

import pytest

from bot.domain.commands import Command, Continuation, JobRef, Refusal, RefusalCode, Run, RunOptions

Parsed = Callable[[str], Command | Refusal]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("-- python train.py", "python train.py"),
        ("— python train.py —lr 3e-4", "python train.py --lr 3e-4"),
        ("–- python train.py –-lr 3e-4", "python train.py --lr 3e-4"),
        ("– python train.py –lr –5", "python train.py --lr -5"),
        ("-- python x.py --note “don’t stop”", 'python x.py --note "don\'t stop"'),
        ("-- echo ‘a  b’", "echo 'a  b'"),
        ("-- a &amp;&amp; b &gt; c &lt; d", "a && b > c < d"),
        ("-- echo &amp;lt;", "echo &lt;"),
        ("-- python <http://train.py|train.py>", "python train.py"),
        ("-- curl <https://example.com/a?b=1&amp;c=2>", "curl https://example.com/a?b=1&c=2"),
        ("-- curl <https://example.com/|example.com>", "curl example.com"),
        ("-- open <https://example.com/x|my page>", "open https://example.com/x"),
        ("-- scp <mailto:ada@host.example|ada@host.example>:x .", "scp ada@host.example:x ."),
        ("-- echo <@U123|ada> <@U123> <#C1|gpus> <!here>", "echo @ada @U123 #gpus @here"),
        ("-- sort <input.txt >out.txt", "sort <input.txt >out.txt"),
        ("--\u00a0python\u00a0train.py\u200b", "python train.py"),
        ("-- python a.py\npython b.py", "python a.py\npython b.py"),
        ("-- grep -- -x f", "grep -- -x f"),
        ("-- ls a–b c—d e…", "ls a-b c--d e..."),
        ("-- `echo ‘a’ —b “c” …`", "echo ‘a’ —b “c” …"),
        ("-- `echo don't`", "echo don't"),
        ("-- `a &amp;&amp; b &lt;x&gt;`", "a && b <x>"),
        ("-- `curl <https://example.com|example.com>`", "curl <https://example.com|example.com>"),
        ("--`nvidia-smi`", "nvidia-smi"),
        ("-- ```\ncd out\nfor i in 1 2; do\n  echo “$i”\ndone\n```", "cd out\nfor i in 1 2; do\n  echo “$i”\ndone"),
        ("--\n```python a.py &amp;&amp;\npython b.py```\n", "python a.py &&\npython b.py"),
        ("--```python a.py```", "python a.py"),
        ("-- echo `a–b` “c”", 'echo a–b "c"'),
        ("-- `cat <<EOF`", "cat <<EOF"),
        ("-- `python x --then release`", "python x --then release"),
        ("-- python x --then wait", "python x --then wait"),
    ],
)
def test_the_command_is_what_was_meant(parsed: Parsed, text: str, command: str) -> None:
    assert parsed(f"run amber-fox {text}") == Run("amber-fox", RunOptions(), command)


def test_a_whole_command_line_in_code_is_literal(parsed: Parsed) -> None:
    assert parsed("`run amber-fox -- echo “x” —y`") == Run("amber-fox", RunOptions(), "echo “x” —y")


def test_the_name_may_be_left_out(parsed: Parsed) -> None:
    assert parsed("run -- python x.py") == Run(None, RunOptions(), "python x.py")
    assert parsed("run max=2h -- python x.py") == Run(None, RunOptions(max_duration_s=7200), "python x.py")


def test_options(parsed: Parsed) -> None:
    text = (
        "run amber-fox name=sweep-1 dir=/data/x env=A=1 --env “B=two words” env=C= git=<https://git.example/r.git> "
        "max=6h every=30m after=amber-fox/2 —then release -- make"
    )
    assert parsed(text) == Run(
        "amber-fox",
        RunOptions(
            name="sweep-1",
            directory="/data/x",
            env=(("A", "1"), ("B", "two words"), ("C", "")),
            git="https://git.example/r.git",
            max_duration_s=6 * 3600,
            every_s=1800,
            after=JobRef("amber-fox", 2),
            then=Continuation.RELEASE,
        ),
        "make",
    )


@pytest.mark.parametrize(
    ("word", "job"),
    [
        ("3", JobRef(None, 3)),
        ("a", JobRef(None, None, "a")),
        ("Second.Pass", JobRef(None, None, "second.pass")),
        ("baseline", JobRef("baseline", None)),
        ("amber-fox/baseline", JobRef("amber-fox", None, "baseline")),
    ],
)
def test_the_job_to_wait_for(parsed: Parsed, word: str, job: JobRef) -> None:
    assert parsed(f"run amber-fox after={word} -- x") == Run("amber-fox", RunOptions(after=job), "x")


@pytest.mark.parametrize(
    ("text", "code", "suggestion"),
    [
        ("run", RefusalCode.MISSING_COMMAND, "run -- python train.py"),
        ("run amber-fox", RefusalCode.MISSING_COMMAND, "run amber-fox -- python train.py"),
        ("run amber-fox --", RefusalCode.MISSING_COMMAND, "run amber-fox -- python train.py"),
        ("run amber-fox -- ``` ```", RefusalCode.MISSING_COMMAND, "run amber-fox -- python train.py"),
        ("run python train.py", RefusalCode.MISSING_SEPARATOR, "run -- python train.py"),
        ("run ./train.sh", RefusalCode.MISSING_SEPARATOR, "run -- ./train.sh"),
        ("run amber-fox python x.py", RefusalCode.MISSING_SEPARATOR, "run amber-fox -- python x.py"),
        ("run amber-fox max=2h python x.py", RefusalCode.MISSING_SEPARATOR, "run amber-fox max=2h -- python x.py"),
        ("run amber-fox python x -- --y", RefusalCode.MISSING_SEPARATOR, "run amber-fox -- python x -- --y"),
        ("run amber-fox `python x.py`", RefusalCode.MISSING_SEPARATOR, "run amber-fox -- python x.py"),
        (
            "run amber-fox -- python x.py —then release",
            RefusalCode.MISPLACED_OPTION,
            "run amber-fox then=release -- python x.py",
        ),
        ("run amber-fox -- echo don’t", RefusalCode.UNBALANCED_QUOTES, ""),
        ("run amber-fox then=explode -- x", RefusalCode.BAD_OPTION, ""),
        ("run amber-fox env=9=x -- x", RefusalCode.BAD_OPTION, ""),
        ("run amber-fox name=a/b -- x", RefusalCode.BAD_OPTION, ""),
        ("run amber-fox env=A=1 env=A=2 -- x", RefusalCode.DUPLICATE_OPTION, ""),
        ("run amber-fox max=1h max=2h -- x", RefusalCode.DUPLICATE_OPTION, ""),
        ("run amber-fox max=2 -- x", RefusalCode.DURATION_NO_UNIT, "2h"),
        ("run amber-fox after=a/b/c -- x", RefusalCode.BAD_JOB, ""),
        ("run amber-fox --lr 3 -- x", RefusalCode.UNKNOWN_OPTION, ""),
        ("run Ämber -- x", RefusalCode.BAD_LEASE, ""),
    ],
)
def test_refused(parsed: Parsed, text: str, code: RefusalCode, suggestion: str) -> None:
    refusal = parsed(text)
    assert isinstance(refusal, Refusal), refusal
    assert (refusal.code, refusal.suggestion) == (code, suggestion)


def test_a_variable_without_env_gets_it(parsed: Parsed) -> None:
    refusal = parsed("run amber-fox CUDA_VISIBLE_DEVICES=0 -- python x.py")
    assert isinstance(refusal, Refusal)
    assert refusal.nearest == ("env=CUDA_VISIBLE_DEVICES=0",)


@pytest.mark.parametrize(
    "text",
    [
        "run python train.py",
        "run amber-fox python x.py",
        "run amber-fox -- python x —then release",
        "run amber-fox",
        "run",
    ],
)
def test_what_is_suggested_is_accepted(parsed: Parsed, text: str) -> None:
    refusal = parsed(text)
    assert isinstance(refusal, Refusal)
    assert isinstance(parsed(refusal.suggestion), Run)
