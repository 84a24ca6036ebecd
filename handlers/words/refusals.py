"""What is said to a person whose text is no command: what was wrong, and the right form with an example."""

from collections.abc import Mapping

from bot.domain.commands import Refusal, RefusalCode
from bot.domain.gpus import MODELS
from handlers.words.help import verb_list
from handlers.words.help_verbs import HELP
from handlers.words.text import as_code

_LONGEST_SUGGESTION = 280

# {word}, {option}, {low} to {high}, {shortest}, {longest} are filled in from the refusal, ready for Slack.
_WRONG: Mapping[RefusalCode, str] = {
    RefusalCode.UNKNOWN_VERB: "I do not know {word}.",
    RefusalCode.UNKNOWN_ACTION: "That is not something I can do with a {verb}.",
    RefusalCode.TEXT_TOO_LONG: "That is longer than {high} characters; I read no further.",
    RefusalCode.UNBALANCED_QUOTES: (
        "A quote is opened and never closed, or a backslash stands at the end. "
        "Text in a code block is taken exactly as it stands."
    ),
    RefusalCode.EXTRA_WORD: "I do not know what to do with {word} there.",
    RefusalCode.UNKNOWN_OPTION: "There is no option {option}.",
    RefusalCode.DUPLICATE_OPTION: "{option} is given twice; once is enough.",
    RefusalCode.EMPTY_OPTION: "{option} has no value; write it as `key=value`, without spaces around the `=`.",
    RefusalCode.MISSING_NAME: "which secret? The text names none.",
    RefusalCode.BAD_NAME: "that cannot be a secret's name: letters, digits and underscores, as in `HF_TOKEN`.",
    RefusalCode.BAD_OPTION: "{word} cannot be the value of {option}.",
    RefusalCode.MISSING_GPU: "Which GPU? The text names none.",
    RefusalCode.UNKNOWN_GPU: "I know no GPU called {word}.",
    RefusalCode.GPU_COUNT: "One machine can have {bounds} {nearest}, not {word}.",
    RefusalCode.MISSING_DURATION: "For how long? The text names no duration.",
    RefusalCode.BAD_DURATION: "{word} is not a duration.",
    RefusalCode.DURATION_NO_UNIT: "{word} has no unit: `m`, `h` or `d`.",
    RefusalCode.DECIMAL_COMMA: "{word} has a decimal comma; write a point.",
    RefusalCode.DURATION_TOO_SHORT: "{word} is shorter than {shortest}, the least there is.",
    RefusalCode.DURATION_TOO_LONG: "{word} is longer than {longest}, the most there is.",
    RefusalCode.BAD_TIME: "{word} is not a time of day; `until` takes `18:00`, `6pm` or `tomorrow 9:00`.",
    RefusalCode.TIME_PAST: "{word} is already past on your clock.",
    RefusalCode.TIME_SKIPPED: "Your clock is put forward over {word}: it never shows that time. Take an hour later.",
    RefusalCode.BAD_DISK: "{word} is not a size of disk: whole GiB, {low} to {high}.",
    RefusalCode.BAD_LEASE: "{word} cannot be a lease's name: small letters, digits and dashes, as in `amber-fox`.",
    RefusalCode.BAD_JOB: "{word} is not a job: a lease's name and the job's number or name, as in `amber-fox/3`.",
    RefusalCode.BAD_LINES: "{word} is not a number of lines from {low} to {high}.",
    RefusalCode.UNKNOWN_PERSON: (
        "I cannot tell who {word} is. Pick the person from the list that Slack shows while you type the name."
    ),
    RefusalCode.MISSING_SEPARATOR: "A lone `--` has to stand before the command.",
    RefusalCode.MISSING_COMMAND: "There is no command to run.",
    RefusalCode.MISPLACED_OPTION: (
        "{word} stands after the `--`, where it would be handed to the command. Put it before the `--`; "
        "if the command is meant to get it, put the command in a code block."
    ),
    RefusalCode.MISSING_DISK: "Which disk? The text names none; `disks` lists them.",
    RefusalCode.MISSING_PATH: "Which path? The text names none.",
    RefusalCode.MISSING_KEY: "There is no key in the text.",
    RefusalCode.BAD_KEY: (
        "That is not a whole public key (at {word}): one line, as in `~/.ssh/id_ed25519.pub`, "
        "of type ed25519, rsa or ecdsa."
    ),
    RefusalCode.PRIVATE_KEY: (
        "That is a *private* key. I did not keep it, but Slack may have: delete the message, make a new pair "
        "with `ssh-keygen -t ed25519`, and take the old one off every machine. Send me the `.pub` file's line."
    ),
    RefusalCode.BAD_KEY_CHOICE: "{word} is neither a number in `key list` nor a fingerprint (`SHA256:…`).",
    RefusalCode.SECRET_SHOWN: (
        "A secret's value does not belong in a message. If you sent one, replace it where it came from. "
        "Name the secret only; I ask for its value where nobody else sees it."
    ),
}
# Here the facts stand in the sentence itself.
_NO_GUESSES = frozenset({RefusalCode.GPU_COUNT})
# The suggestion takes the place of the word here, of the whole command elsewhere.
_WORD_SUGGESTED = frozenset(
    {RefusalCode.DURATION_NO_UNIT, RefusalCode.DECIMAL_COMMA, RefusalCode.BAD_TIME, RefusalCode.BAD_DURATION}
)


def sentence(refusal: Refusal) -> str:
    """Slack text: what was wrong, what was perhaps meant, the right form and an example. Safe to post."""
    said = [what_is_wrong(refusal)]
    if refusal.verb is None or refusal.code is RefusalCode.UNKNOWN_VERB:
        said.append(f"I understand {verb_list()}. For example `rent a100 4h`, or `help rent`.")
    else:
        about = HELP[refusal.verb]
        said.append(f"It is written `{about.form}`, for example `{about.examples[0][0]}`.")
    return " ".join(said)


def what_is_wrong(refusal: Refusal) -> str:
    """The first half of `sentence`: what was wrong, and what was perhaps meant."""
    wrong = _WRONG[refusal.code].format_map(_facts(refusal))
    guess = _guess(refusal)
    return wrong[:1].upper() + wrong[1:] + (f" {guess}" if guess else "")


def _facts(refusal: Refusal) -> dict[str, str]:
    low, high = refusal.low or 0, refusal.high or 0
    return {
        "word": as_code(refusal.word),
        "verb": refusal.verb or "",
        "option": as_code(refusal.option),
        "nearest": _either(refusal.nearest),
        "low": f"{low:,}",
        "high": f"{high:,}",
        "bounds": f"{low}" if low == high else f"{low} to {high}",
        "shortest": _span(low),
        "longest": _span(high),
    }


def _guess(refusal: Refusal) -> str:
    if refusal.suggestion:
        meant = as_code(refusal.suggestion, _LONGEST_SUGGESTION)
        return f"Perhaps {meant}?" if refusal.code in _WORD_SUGGESTED else f"Write {meant}."
    if refusal.nearest and refusal.code not in _NO_GUESSES:
        return f"Did you mean {_either(refusal.nearest)}?"
    if refusal.code is RefusalCode.UNKNOWN_GPU:
        return f"There are {', '.join(f'`{key}`' for key in MODELS)}."
    return ""


def _either(words: tuple[str, ...]) -> str:
    shown = [as_code(word) for word in words]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}" if shown else ""


def _span(seconds: int) -> str:
    if seconds >= 86400:
        return f"{seconds // 86400} days"
    return f"{seconds // 3600} hours" if seconds >= 7200 else f"{seconds // 60} minutes"
