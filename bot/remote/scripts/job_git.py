"""A checkout for a job. What is there already is never changed: it is used as it is, or a new one is made."""
# ruff: noqa: UP006, UP035, FURB188

import re
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Tuple

_MOST_CHECKOUTS = 1000
GIT_ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    # A fresh machine knows no host; a question would hang for ever. A host that has changed is still refused.
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oStrictHostKeyChecking=accept-new",
}

Git = Callable[[List[str]], Tuple[int, str]]
"""Runs git with arguments: exit status, and what it printed on stdout."""


class Checkout(NamedTuple):
    """Where it is, at which commit, and whether an earlier job has made it."""

    directory: Path
    commit: str
    was_there: bool


class GitFailed(Exception):
    """git did not do it; its own words are in the job's output. ``step``: clone, checkout or no-room."""

    def __init__(self, step: str) -> None:
        super().__init__(step)
        self.step = step


def check_out(git: Git, work: Path, url: str, ref: str) -> Checkout:
    """``ref`` (branch, tag or commit; empty: the default branch) of ``url`` in a directory below ``work``.

    A directory of an earlier job serves again only where its origin and its commit are the same and no tracked
    file differs: then nothing in it has to be touched. Otherwise the next free name is taken.

    Raises:
        GitFailed: what was begun is left for a person to look at.
    """
    wanted = _wanted_commit(git, url, ref)
    name = _directory_name(url)
    for number in range(1, _MOST_CHECKOUTS):
        directory = work / (name if number == 1 else f"{name}-{number}")
        try:
            directory.mkdir(mode=0o755)
        except FileExistsError:
            if wanted and _is_at(git, directory, url, wanted):
                return Checkout(directory, _line(git, directory, "rev-parse", "HEAD"), True)
            continue
        return Checkout(directory, _clone(git, directory, url, ref), False)
    raise GitFailed("no-room")


def _directory_name(url: str) -> str:
    last = re.split(r"[/:]", url.rstrip("/"))[-1]
    last = last[:-4] if last.endswith(".git") else last
    return re.sub(r"[^A-Za-z0-9._-]", "-", last).lstrip(".-") or "repository"


def _wanted_commit(git: Git, url: str, ref: str) -> str:
    """The commit as far as it is known before cloning; empty where it is not."""
    if re.fullmatch(r"[0-9a-f]{7,64}", ref):
        return ref
    status, text = git(["ls-remote", "--", url, *([ref, ref + "^{}"] if ref else ["HEAD"])])
    named: Dict[str, str] = {}
    for line in text.splitlines() if status == 0 else ():
        commit, _, name = line.partition("\t")
        named[name] = commit
    for name in ("refs/heads/" + ref, "refs/tags/" + ref + "^{}", "refs/tags/" + ref, ref or "HEAD"):
        if name in named:
            return named[name]
    return ""


def _is_at(git: Git, directory: Path, url: str, wanted: str) -> bool:
    status, changed = git(["-C", str(directory), "status", "--porcelain", "--untracked-files=no"])
    return (
        status == 0
        and not changed.strip()
        and (directory / ".git").exists()
        and _line(git, directory, "config", "--get", "remote.origin.url") == url
        and _line(git, directory, "rev-parse", "HEAD").startswith(wanted)
    )


def _clone(git: Git, directory: Path, url: str, ref: str) -> str:
    if git(["clone", "--", url, str(directory)])[0] != 0:
        raise GitFailed("clone")
    here = ["-C", str(directory)]
    branch = "refs/remotes/origin/" + ref
    if ref and git([*here, "rev-parse", "--verify", "--quiet", branch])[0] == 0:
        done = git([*here, "checkout", "-B", ref, "--track", "origin/" + ref])[0] == 0
    elif ref and git([*here, "rev-parse", "--verify", "--quiet", ref + "^{commit}"])[0] == 0:
        done = git([*here, "checkout", "--detach", ref])[0] == 0
    elif ref:
        # A pull request's commit, say: of no branch, and given out to those who ask for it.
        done = (
            git([*here, "fetch", "origin", ref])[0] == 0 and git([*here, "checkout", "--detach", "FETCH_HEAD"])[0] == 0
        )
    else:
        done = True
    if done and (directory / ".gitmodules").exists():
        done = git([*here, "submodule", "update", "--init", "--recursive"])[0] == 0
    if not done:
        raise GitFailed("checkout")
    return _line(git, directory, "rev-parse", "HEAD")


def _line(git: Git, directory: Path, *arguments: str) -> str:
    status, text = git(["-C", str(directory), *arguments])
    return text.strip() if status == 0 else ""
