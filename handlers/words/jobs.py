"""A job's message in words, and what people are told about jobs."""

import re
from collections.abc import Sequence

from bot.domain.jobs.causes import cause_of
from bot.domain.jobs.job import Continuation, Job, JobState
from bot.domain.jobs.run_file import NotWhole
from bot.domain.jobs.view import JobView
from bot.domain.lease import Lease
from bot.domain.metrics import Progress, XKind
from bot.domain.offers import quote_microusd
from bot.errors import ReaderMissing
from bot.services.read_jobs import Tail
from handlers.words.curve import curve_words, short_curve_words
from handlers.words.endings import advice, ending_icon, ending_words
from handlers.words.figures import dollars, moment, span
from handlers.words.paths import size_words
from handlers.words.problems import why
from handlers.words.text import as_code, escaped, fenced, listed, plain

_S = JobState
_TITLES = {
    _S.REQUESTED: (":hourglass_flowing_sand:", "waiting for its machine"),
    _S.STARTING: (":hourglass_flowing_sand:", "starting"),
    _S.RUNNING: (":large_green_circle:", "running"),
    _S.FINISHING: (":hourglass_flowing_sand:", "finishing"),
    _S.UNKNOWN: (":grey_question:", "not seen"),
}
MOST_ECHO = 1200
MOST_LOG = 8000
MOST_PATH = 40
MOST_LEFT_OUT = 2
_HOME = re.compile(r"^(?:.*/home/[^/]+|/root)(?=/|$)")


def job_name(job: Job, lease: Lease) -> str:
    """``amber-fox/3``."""
    return f"{lease.name}/{job.number}"


def given_name(name: object) -> str:
    """`` (`baseline`)``, to stand behind a job's number; nothing where it was given none."""
    return f" ({as_code(str(name), MOST_PATH)})" if name else ""


def command_words(job: Job, longest: int = 160) -> str:
    """The command on one line."""
    if job.script:
        return f"the built-in training {as_code(job.script)}"
    return as_code(job.command, longest)


def job_text(view: JobView) -> str:
    """The message in one line, for notifications and screen readers."""
    said = f" {curve_words(view.curve)}." if view.curve else ""
    return f"{job_name(view.job, view.lease)}: {_state(view)}.{said}"


def job_lines(view: JobView) -> list[str]:
    """The message's lines: what, state, numbers, when it will be done or what it cost."""
    job = view.job
    title = f" · {plain(job.name)}" if job.name else ""
    lines = [f"*{job_name(job, view.lease)}*{title} · {command_words(job)}", f"{_icon(job)} {_state_line(view)}"]
    if view.curve is not None:
        lines.append(curve_words(view.curve) + _from_file(view))
    lines += [_not_whole(file) for file in view.not_whole[:MOST_LEFT_OUT]]
    if job.kill_wanted_by is not None and job.is_live:
        lines.append(f"<@{job.kill_wanted_by}> wants it ended; it gets a few seconds to save its work.")
    if job.problem is not None:
        lines.append(_problem(view))
    lines += _outlook(view) if job.is_live else _outcome(view)
    return lines


def small_print(view: JobView) -> str:
    """Whose it is, where it runs, and what to type."""
    job = view.job
    parts = [f"<@{job.owner}> {moment(job.requested_at)}"]
    if job.cwd:
        parts.append(f"in {_place(job.cwd)}")
    if job.git is not None:
        parts.append(f"from {as_code(job.git.shown, 80)}" + (f" at {as_code(job.commit[:12])}" if job.commit else ""))
    parts += _plan_words(job)
    parts.append(f"`/gpu logs {job_name(job, view.lease)}`")
    return " · ".join(parts)


def last_words(view: JobView) -> str:
    """The last lines of its output."""
    return fenced(view.lines, 1800)


def started(job: Job, lease: Lease) -> str:
    """The answer to `run`: the command as it was understood."""
    echo = command_words(job) if job.script or "\n" not in job.command else fenced(job.command.split("\n"), MOST_ECHO)
    options = [f"in {as_code(job.directory)}"] if job.directory else []
    options += [f"from {as_code(job.git.shown)}"] if job.git else []
    options += _plan_words(job)
    extra = f" ({', '.join(options)})" if options else ""
    name = job_name(job, lease)
    called = f"*{name}*{given_name(job.name)}"
    waits = f"{called} begins after a good end of {as_code(job.after_name)}" if job.after_name is not None else ""
    return f"{waits or f'Starting {called}'}{extra}: {echo}\nIts message in *{lease.name}*'s thread shows how it goes; `/gpu kill {name}` ends it."


_THEN = {
    Continuation.SYNC: "then what is on the machine is copied",
    Continuation.STOP: "then the machine is stopped",
    Continuation.RELEASE: "then the machine's release is asked for",
}


def _plan_words(job: Job) -> list[str]:
    """The options that stay of interest while it runs."""
    parts = [f"at most {span(job.max_s)}"] if job.max_s is not None else []
    parts += [f"with {listed([as_code(name) for name in job.env_names])} set"] if job.env_names else []
    parts += [f"copied every {span(job.every_s)}"] if job.every_s is not None else []
    parts += [_THEN[job.then]] if job.then is not None and job.is_live else []
    return parts


def killing(job: Job, lease: Lease) -> str:
    """The answer to `kill`."""
    return f"Ending *{job_name(job, lease)}*: it is told to, and gets a few seconds to save its work."


def jobs_list(views: Sequence[JobView], lease: Lease) -> str:
    """The answer to `jobs`."""
    if not views:
        return f"*{lease.name}* has had no jobs yet. `run {lease.name} -- COMMAND` starts one; `try {lease.name}` a small training."
    return "\n".join(f"{_icon(view.job)} {job_line(view)} · {command_words(view.job, 60)}" for view in views)


def log_tail(tail: Tail, grep: str | None) -> str:
    """The answer to `logs`."""
    name = job_name(tail.job, tail.lease)
    holding = f" with {as_code(grep)}" if grep else ""
    if not tail.lines:
        if not tail.job.is_live:
            return f"*{name}* printed no lines{holding}; it has ended."
        return f"*{name}*: no lines{holding} yet, as of {_read(tail.job)}."
    kept = " Only the end of the output is kept here; all of it is on the machine." if tail.is_cut else ""
    return f"*{name}*: the last lines{holding}, as of {_read(tail.job)}.{kept}\n{fenced(tail.lines, MOST_LOG)}"


def loss(view: JobView) -> str:
    """The answer to `loss`."""
    name = job_name(view.job, view.lease)
    if view.curve is None:
        return (
            f"*{name}* has printed no metrics that I know. Lines like `Epoch 1/3, Loss: 0.2120` or `step=10 loss=0.5` "
            "are read by themselves."
        )
    return f"*{name}*: {_state(view)}. {curve_words(view.curve)}{_from_file(view)}. The picture is in its message."


def _from_file(view: JobView) -> str:
    """Where the curve comes from, if not from what the job prints."""
    return f" (from {as_code(view.source, MOST_PATH)})" if view.source else ""


def _not_whole(file: NotWhole) -> str:
    """What was not read of a trainer's file."""
    name = as_code(file.source, MOST_PATH)
    if file.trouble == ReaderMissing.code:
        return f"{name} is not read: the bot lacks the reader of such files (`pip install 'gpubot[tensorboard]'`)."
    if file.trouble:
        return f"{name} ({size_words(file.size_bytes)}) is not read: it is too big, and its end alone says nothing."
    kept = size_words(file.size_bytes - file.skipped_bytes)
    whole = size_words(file.size_bytes)
    return f"{name} is {whole} by now, too much to be read whole: each time its last {kept} are, and what was read before stays."


def job_line(view: JobView) -> str:
    """One job on a card or in a list: ``amber-fox/3 (baseline) · epoch 2/3 · loss 0.21``."""
    parts = [f"`{job_name(view.job, view.lease)}`{given_name(view.job.name)}"]
    if view.job.is_live:
        parts += progress_words(view.pace.progress) or [_state(view)]
    else:
        parts.append(_state(view))
    if view.curve is not None:
        parts.append(short_curve_words(view.curve))
    return " · ".join(parts)


def jobs_that_end(jobs: Sequence[Job], lease: Lease) -> str:
    """Which jobs a stop ends; empty where there are none."""
    if not jobs:
        return ""
    named = listed([f"`{job_name(job, lease)}` ({command_words(job, 60)})" for job in jobs[:5]])
    more = f" and {len(jobs) - 5} more" if len(jobs) > 5 else ""
    return f"{'This job runs' if len(jobs) == 1 else 'These jobs run'} and will be gone with it: {named}{more}."


def progress_words(progress: Progress) -> list[str]:
    """``epoch 2/3``, ``step 100/500``."""
    counted = (("epoch", progress.epoch, progress.epochs), ("step", progress.step, progress.steps))
    return [f"{word} {_count(at)}{f'/{_count(of)}' if of else ''}" for word, at, of in counted if at is not None]


def _icon(job: Job) -> str:
    return ending_icon(job.ending) if job.ending is not None else _TITLES[job.state][0]


def _state(view: JobView) -> str:
    job = view.job
    if job.ending is not None:
        return ending_words(job.ending)
    if job.state is _S.REQUESTED and job.after_name is not None:
        return f"waiting for {plain(job.after_name)}"
    return _TITLES[job.state][1]


def _state_line(view: JobView) -> str:
    if not view.job.is_live:
        return f"*{_state(view)}*" if "`" not in _state(view) else _state(view)
    parts = [f"*{_state(view)}*"]
    if view.ran_s is not None:
        parts[0] += f" for {span(view.ran_s)}"
    parts += progress_words(view.pace.progress)
    if view.pace.per_s is not None and view.pace.kind is not None:
        parts.append(_speed(view.pace.per_s, view.pace.kind))
    return " · ".join(parts)


def _speed(per_s: float, kind: XKind) -> str:
    """So many a second, minute or hour: whichever gives a number that can be read."""
    for seconds, unit in ((1, "second"), (60, "minute"), (3600, "hour")):
        if per_s * seconds >= 1 or seconds == 3600:
            return f"{per_s * seconds:,.3g} {kind.value}s {'an' if unit == 'hour' else 'a'} {unit}"
    raise AssertionError


def _outlook(view: JobView) -> list[str]:
    """When it will be done, against the lease's end: by its pace with a reserve, as soon as there is enough to go by."""
    expected, done_at, lease = view.forecast, view.pace.done_at, view.lease
    if expected is not None and not expected.fits:
        minutes = expected.missing_s // 60
        return [
            f":warning: Done about {moment(expected.done_at)}, with a reserve; the lease ends {moment(expected.ends_at)}. It "
            f"needs {span(expected.missing_s)} more: `extend {lease.name} {minutes}m` costs "
            f"{dollars(quote_microusd(lease.offer, expected.missing_s))}."
        ]
    if expected is not None:
        return [
            f"Done about {moment(expected.done_at)}, with a reserve: it fits, the lease ends {moment(expected.ends_at)}."
        ]
    if done_at is None:
        return []
    ends = f"; the lease ends {moment(lease.ends_at)}" if lease.ends_at else ""
    return [f"Done about {moment(done_at)}{ends}."]


def _outcome(view: JobView) -> list[str]:
    """What it took, and what helps."""
    ending = view.job.ending
    if ending is None:
        return []
    lines = []
    if view.ran_s is not None:
        cost = f"; its machine cost {dollars(view.cost_microusd)} in that time" if view.cost_microusd else ""
        lines.append(f"It ran {span(view.ran_s)}{cost}.")
    if help_words := advice(ending, cause_of(ending, view.lines)):
        lines.append(help_words)
    if ending.is_success and view.job.cwd:
        lines.append(f"What it wrote is in {_place(view.job.cwd)} on the machine, and nowhere else until it is synced.")
    return lines


def _problem(view: JobView) -> str:
    problem = view.job.problem
    facts = problem.facts if problem else {}
    since = facts.get("since")
    seen = f" since <!date^{since}^{{time}}|a while ago>" if isinstance(since, int) else ""
    return f"Its machine was not seen{seen}: {why(str(facts.get('code')))}. The job goes on for all I know; I keep looking."


def _place(path: str) -> str:
    """A directory from the home, as people write it; a long one by its end, which tells more than its beginning."""
    path = _HOME.sub("~", path)
    return as_code(path if len(path) <= MOST_PATH else f"…{path[-MOST_PATH:]}", MOST_PATH + 1)


def _read(job: Job) -> str:
    return moment(job.seen_at) if job.seen_at else "now"


def _count(value: float) -> str:
    return escaped(f"{value:,.0f}" if value == int(value) else f"{value:.2f}") if abs(value) < 1e15 else "?"
