"""Secrets in words: names and times, never a value."""

from collections.abc import Sequence

from bot.domain.kept_secret import KeptSecret
from handlers.words.figures import moment
from handlers.words.text import as_code

TITLE = "Keep a secret"
SUBMIT = "Keep it"
CLOSE = "Cancel"
HINT = "It is encrypted before it is stored, and never shown again. Blank lines around it are left out."


def what_for(name: str) -> str:
    """What becomes of it."""
    return (
        f"Jobs that you start with `env={name}` get it as the variable `{name}`. Where it stands in a command or in what a "
        f"job prints, `•••{name}•••` is stored and shown instead."
    )


def offer_form(name: str) -> str:
    """Where no form can be opened without a press."""
    return f"The value of {as_code(name)} is asked for in a form, where nobody else sees it. Do not write it here."


def not_opened(*, is_late: bool) -> str:
    """Slack did not open the form."""
    why = (
        "Slack lets me open a form within 3 s only, and they were over"
        if is_late
        else "Slack did not open the form just now"
    )
    return f"{why}. Press the button. Do not write the value here."


def open_label(name: str) -> str:
    """The button that opens the form."""
    return f"Set {name}"


def kept(name: str) -> str:
    """The answer to the form."""
    return f"{as_code(name)} is kept. `/gpu run NAME env={name} -- COMMAND` hands it to a job of yours."


def removed(name: str) -> str:
    """The answer to `secret remove`."""
    return (
        f"{as_code(name)} is forgotten. Jobs that have it already keep it until they end; revoke it where you got it if "
        "somebody else may have it."
    )


def listed_secrets(secrets: Sequence[KeptSecret]) -> str:
    """The answer to `secret list`."""
    if not secrets:
        return "You keep no secrets here. `/gpu secret set HF_TOKEN` asks for a value where nobody else sees it."
    lines = [f"{as_code(secret.name)} set {moment(secret.set_at)}" for secret in secrets]
    return "\n".join([*lines, "Values are never shown. `env=NAME`, without a value, hands one to a job."])
