"""Why something about jobs, their curves and their secrets is refused, and what to do instead."""

from typing import Final

from handlers.words.refusal_facts import Catalogue, Facts, guess, many, there_is
from handlers.words.text import as_code, listed, plain


def _jobs_meant(facts: Facts) -> str:
    titled = zip(many(facts.get("near")), many(facts.get("numbers")), strict=True)
    meant = [f"{_job(facts, number)} ({as_code(str(title))})" for title, number in titled]
    return f" Did you mean {listed(meant, 'or')}?" if meant else ""


def _job(facts: Facts, number: object) -> str:
    return as_code(f"{facts.get('name')}/{number}")


REFUSALS: Final[Catalogue] = {
    "cannot-run-now": lambda f: (
        f"{as_code(str(f.get('name')))} is *{str(f.get('state')).replace('_', ' ')}* now; jobs run on machines that are ready. "
        "Its card says what can be done."
    ),
    "too-many-jobs": lambda f: (
        f"{as_code(str(f.get('name')))} runs {f.get('most')} jobs already, the most that I look after on one machine."
    ),
    "no-job": lambda _: "That job is not known here.",
    "no-such-job": lambda f: (
        f"{as_code(str(f.get('name')))} has no job {f.get('number')}. "
        + (f"The latest is {_job(f, f.get('latest'))}; " if f.get("latest") else "")
        + f"`/gpu jobs {f.get('name')}` lists them."
    ),
    "no-job-called": lambda f: (
        f"{as_code(str(f.get('name')))} has no job called {as_code(str(f.get('title')))}."
        + _jobs_meant(f)
        + f" `/gpu jobs {f.get('name')}` lists them."
    ),
    "no-such-metric": lambda f: (
        f"`{plain(str(f.get('name')))}/{f.get('number')}` has no metric {as_code(str(f.get('metric')))}."
        + (there_is(f, str(f.get("metric"))) or " It has none that I know yet.")
    ),
    "no-curve-yet": lambda f: (
        f"`{plain(str(f.get('name')))}/{f.get('number')}` has nothing to draw in that: no metrics that I know, or none so late."
    ),
    "no-job-yet": lambda f: (
        f"{as_code(str(f.get('name')))} has had no jobs yet. `/gpu run {f.get('name')} -- COMMAND` starts one."
    ),
    "no-live-job": lambda f: f"No job runs on {as_code(str(f.get('name')))}.",
    "which-job": lambda f: (
        f"Several jobs run: {listed([_job(f, number) for number in many(f.get('numbers'))])}. "
        f"Say which one, as in `/gpu kill {f.get('name')}/{many(f.get('numbers'))[0]}`."
    ),
    "job-over": lambda f: f"{_job(f, f.get('number'))} has ended already.",
    "job-fits": lambda f: f"{_job(f, f.get('number'))} fits its lease by now, or has ended; nothing was extended.",
    "after-failed": lambda f: (
        f"{_job(f, f.get('number'))} did not end well, so nothing begins after it. Leave `after=` out, or start that one again."
    ),
    "no-such-secret": lambda f: (
        f"You keep no secret {listed([as_code(str(name)) for name in many(f.get('names'))])}.{guess(f)} "
        f"`/gpu secret set {next(iter(many(f.get('names'))), 'NAME')}` asks for its value where nobody else sees it; "
        "`/gpu secret list` names those that you keep."
    ),
    "bad-secret": lambda f: (
        f"A secret has {f.get('least')} characters at least, or it could not be kept out of what jobs print, and "
        f"{f.get('most'):,} at most."
    ),
    "too-many-secrets": lambda f: f"{f.get('most')} secrets are the most that I keep for a person. Remove one first.",
    "bad-git": lambda f: (
        f"{as_code(str(f.get('url')))} is no address of a repository. It is written `git=https://github.com/you/code@main`."
    ),
}
