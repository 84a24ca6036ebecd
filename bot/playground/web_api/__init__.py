"""The methods of Slack's Web API, a file per family."""

from bot.playground.web_api import (  # noqa: F401  importing a family registers its methods
    app,
    chat,
    conversation_actions,
    conversations,
    files,
    reactions,
    users,
    views,
)
from bot.playground.web_api.call import METHODS

__all__ = ["METHODS"]
