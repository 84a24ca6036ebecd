"""Why something is not done, and what to do instead: the one catalogue of refusals and errors."""

from collections.abc import Mapping

from bot.errors import GpubotError, Refused
from handlers.words.refused import refusal_words


def error_words(error: GpubotError) -> str:
    """The sentence for an error that we know."""
    if isinstance(error, Refused):
        return refusal_words(error)
    return _ERRORS.get(error.code, f"That did not work (`{error.code}`). Please try again.")


def unknown_error_words(error_id: str) -> str:
    """The sentence for an error that nobody foresaw; the id is in the log as well."""
    return f"Something went wrong on my side; nothing was half done. If it stays, tell an admin this id: `{error_id}`."


_A_KEY = "Send the one line of your `.pub` file, as in `/gpu key add ssh-ed25519 AAAA… you@laptop`."
_ERRORS: Mapping[str, str] = {
    "not-a-key": f"That is not a public key. {_A_KEY}",
    "key-options": f"That line has options in front of the key; I take the key alone. {_A_KEY}",
    "more-than-one-key": f"That is more than one key; send one at a time. {_A_KEY}",
    "too-short-rsa": "That RSA key is shorter than 2048 bits. Make a new one: `ssh-keygen -t ed25519`.",
    "unsupported-key-type": "Keys of that type are not accepted. Make a new one: `ssh-keygen -t ed25519`.",
    "store-unavailable": "The database cannot be reached just now. Nothing was done; please try again in a minute.",
    "slack-busy": "Slack is busy just now. Nothing was done; please try again in a minute.",
    "vault-locked": (
        "What is kept sealed cannot be opened: the key in use is not the one that it was sealed with. Whoever runs gpubot "
        "looks at `SECRET_KEY`. A secret that is set anew can be used at once."
    ),
    "nobody": "I could not look up who you are just now, so I did nothing. Please try again in a minute.",
    "private-key": (
        "That is a *private* key. I did not keep it, but Slack may have: delete the message, make a new pair with "
        "`ssh-keygen -t ed25519`, and take the old one off every machine."
    ),
}
