"""What every verb does, how it is written, and examples of it."""

from collections.abc import Iterable, Mapping

from bot.domain.commands import Verb
from handlers.words.help_verbs import HELP, VerbHelp

FIRST_STEPS: tuple[tuple[str, str], ...] = (
    (
        "key add ssh-ed25519 AAAA… you@laptop",
        "once: the one line of your `~/.ssh/id_ed25519.pub`, so that you can log in",
    ),
    ("rent cpu 1h", "a small machine for an hour; its card says when it is ready and what it costs"),
    ("try", "a small training on it, with its loss curve"),
    ("release", "ends it and its bill; what would be lost is shown and asked about first"),
)
"""What somebody new does, in this order; every line works as it stands once the key is their own."""

GROUPS: Mapping[str, tuple[Verb, ...]] = {
    "Machines": (
        Verb.RENT,
        Verb.OFFERS,
        Verb.STATUS,
        Verb.SSH,
        Verb.EXTEND,
        Verb.KEEP,
        Verb.CHECK,
        Verb.STOP,
        Verb.START,
        Verb.RELEASE,
        Verb.DISKS,
    ),
    "Jobs on them": (Verb.RUN, Verb.TRY, Verb.JOBS, Verb.LOGS, Verb.LOSS, Verb.KILL, Verb.SECRET),
    "What is on them": (Verb.SYNC, Verb.WATCH, Verb.FETCH),
    "You and the team": (Verb.KEY, Verb.COST, Verb.POLICY, Verb.AUDIT, Verb.HELP),
}
"""Every verb once, in the order in which they are listed."""

_HOW_TO_SAY_IT = (
    "`amber-fox` stands for your machine's name. `/gpu` works in every channel. In a machine's thread, where Slack has no slash commands, mention me instead and "
    "leave the name out: `@gpubot status`. In a direct message the command alone is enough. "
    "`/gpu help VERB` shows more examples of one verb, for instance `/gpu help run`."
)
_LONGEST_LISTED = 60


def help_text(verb: Verb | None) -> str:
    """Slack text, under 3000 characters: examples first, then the form; all verbs if ``verb`` is None."""
    if verb is None:
        parts = [
            _part(title, [(_shown(HELP[verb]), HELP[verb].does) for verb in verbs]) for title, verbs in GROUPS.items()
        ]
        return "\n\n".join([_part("New here? Type these, one after the other", FIRST_STEPS), *parts, _HOW_TO_SAY_IT])
    about = HELP[verb]
    lines = [_example(command, says) for command, says in about.examples]
    return "\n".join([f"*{verb}*: {about.does}", *lines, f"In general: `{about.form}`", about.note]).rstrip()


def _shown(about: VerbHelp) -> str:
    """The example for the list: the simplest that is not too long."""
    return next((command for command, _ in about.examples if len(command) <= _LONGEST_LISTED), about.form)


def _part(title: str, lines: Iterable[tuple[str, str]]) -> str:
    return "\n".join([f"*{title}*", *(_example(command, says) for command, says in lines)])


def _example(command: str, says: str) -> str:
    return f"`/gpu {command}`  {says}"


def verb_list() -> str:
    """The verbs in a row, as code."""
    return ", ".join(f"`{verb}`" for verb in HELP)
