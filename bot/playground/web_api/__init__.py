"""The methods of Slack's Web API, a file per family."""

from bot.playground.web_api import (  # noqa: F401  importing a family registers its methods
    app,
    bots,
    chat,
    conversation_actions,
    conversations,
    file_actions,
    files,
    reactions,
    users,
    views,
)
from bot.playground.web_api.call import METHODS

__all__ = ["METHODS"]
