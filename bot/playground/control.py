"""The control API: people's acts. What stands beside them is in ``control_state``."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.playground.acts import Acts
from bot.playground.model import Json
from bot.playground.playground import Playground
from bot.playground.refusals import ImpossibleError, RefusedError
from bot.playground.view_acts import ViewActs

Act = Callable[[Playground, Json], Awaitable[Json]]


async def command(playground: Playground, body: Json) -> Json:
    """``user``, ``channel``, ``text`` as typed, perhaps ``thread_ts``."""
    acts = Acts(playground)
    return await acts.command(body["user"], body["channel"], body["text"], body.get("thread_ts"))


async def message(playground: Playground, body: Json) -> Json:
    """``user``, ``channel`` (``dm``: with the bot), ``text``, perhaps ``thread_ts``, ``raw``."""
    acts, raw = Acts(playground), bool(body.get("raw"))
    said = acts.say(body["user"], body["channel"], body["text"], body.get("thread_ts"), raw=raw)
    return {"channel": said.channel, "ts": said.ts}


async def click(playground: Playground, body: Json) -> Json:
    """``user``, ``action_id``, and ``channel`` and ``ts``, or ``view_id``; perhaps ``chosen`` and ``values``."""
    if body.get("view_id"):
        views = ViewActs(playground)
        return await views.click(
            body["user"], body["view_id"], body["action_id"], body.get("chosen"), body.get("values") or {}
        )
    return await Acts(playground).click(
        body["user"],
        body["channel"],
        body["ts"],
        body["action_id"],
        body.get("block_id"),
        body.get("chosen"),
    )


async def submit(playground: Playground, body: Json) -> Json:
    """``user``, ``view_id``, ``values`` by action id."""
    return await ViewActs(playground).submit(body["user"], body["view_id"], body.get("values") or {})


async def close(playground: Playground, body: Json) -> Json:
    """``user``, ``view_id``; ``all`` closes the views under it too."""
    await ViewActs(playground).close(body["user"], body["view_id"], whole_stack=bool(body.get("all")))
    return {}


async def read(playground: Playground, body: Json) -> Json:
    """``user``, ``channel``, ``ts`` of the last message that they have read, perhaps ``thread_ts``."""
    Acts(playground).read(body["user"], body["channel"], body["ts"], body.get("thread_ts"))
    return {}


async def react(playground: Playground, body: Json) -> Json:
    """``user``, ``channel``, ``ts``, ``name``; ``add`` false takes it back."""
    add = bool(body.get("add", True))
    Acts(playground).react(body["user"], body["channel"], body["ts"], body["name"], add=add)
    return {}


async def edit(playground: Playground, body: Json) -> Json:
    """``user``, ``channel``, ``ts``, ``text``."""
    Acts(playground).edit(body["user"], body["channel"], body["ts"], body["text"])
    return {}


async def delete(playground: Playground, body: Json) -> Json:
    """``user``, ``channel``, ``ts``."""
    Acts(playground).delete(body["user"], body["channel"], body["ts"])
    return {}


async def join(playground: Playground, body: Json) -> Json:
    """``user`` (or the bot), ``channel``, perhaps ``inviter``."""
    Acts(playground).join(body["user"], body["channel"], body.get("inviter"))
    return {}


async def home(playground: Playground, body: Json) -> Json:
    """``user``, perhaps ``tab``."""
    Acts(playground).open_home(body["user"], body.get("tab", "home"))
    return {}


async def reload(playground: Playground, body: Json) -> Json:
    """``user``."""
    Acts(playground).reload(body["user"])
    return {}


ACTS: dict[str, Act] = {
    "command": command,
    "message": message,
    "click": click,
    "submit": submit,
    "close": close,
    "read": read,
    "react": react,
    "edit": edit,
    "delete": delete,
    "join": join,
    "home": home,
    "reload": reload,
}


def act_routes(playground: Playground) -> list[Route]:
    """One address for each act."""
    return [route(playground, f"/control/act/{name}", act, "POST") for name, act in ACTS.items()]


def route(playground: Playground, path: str, act: Act, verb: str) -> Route:
    """An address whose handler takes the query and the JSON body, and gives JSON back.

    What a client would not allow is 409; what the control API does not understand is 400.
    """
    endpoint = functools.partial(_serve, playground, act)
    return Route(path, endpoint, methods=[verb])


async def _serve(playground: Playground, act: Act, request: Request) -> Response:
    try:
        raw = await request.body()
        body = dict(request.query_params) | dict(request.path_params) | (json.loads(raw) if raw else {})
        return JSONResponse(await act(playground, body))
    except ImpossibleError as impossible:
        return JSONResponse({"error": str(impossible)}, 409)
    except RefusedError as refused:
        return JSONResponse({"error": refused.error}, 409)
    except KeyError as missing:
        return JSONResponse({"error": f"unknown or missing: {missing}"}, 400)
    except (TypeError, ValueError) as wrong:
        return JSONResponse({"error": str(wrong)}, 400)
