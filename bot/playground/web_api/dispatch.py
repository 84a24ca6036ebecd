"""From an HTTP request to a method and back: token, arguments, troubles, the record, the answer."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bot.playground.model import Json
from bot.playground.playground import Playground
from bot.playground.refusals import RateLimitedError, RefusedError
from bot.playground.settings import APP_TOKEN, BOT_TOKEN
from bot.playground.web_api import METHODS
from bot.playground.web_api.call import Call


async def serve_method(playground: Playground, request: Request) -> Response:
    """Answer one API request."""
    name = request.path_params["method"]
    try:
        args = await read_arguments(request)
    except ValueError:
        # docs: reference/methods/<any>#errors.
        return JSONResponse({"ok": False, "error": "invalid_json"})
    token = read_token(request, args)
    record = playground.journal.call_received(name, args)
    response, error = await _answer(playground, name, args, token)
    playground.journal.call_answered(record, response.status_code, error)
    if playground.troubles.take("lose_reply", name, args, playground.now()) is not None:
        await cut(request)
    return response


async def cut(request: Request) -> None:
    """Cut the connection under a request, so that its answer never arrives."""
    request.scope["playground.transport"].abort()
    # One turn of the loop lets the server notice, so that the answer is dropped and not sent.
    await asyncio.sleep(0)


async def _answer(playground: Playground, name: str, args: Json, token: str | None) -> tuple[Response, str | None]:
    struck = await suffer(playground, name, args)
    if struck is not None:
        return struck
    try:
        told = {"ok": True} | await _run(playground, name, args, token)
    except RefusedError as refused:
        return _headed(JSONResponse(refused.as_slack()), playground, name), refused.error
    except RateLimitedError as limited:
        return too_many(limited.retry_after_s), "ratelimited"
    return _headed(JSONResponse(told), playground, name), None


async def suffer(playground: Playground, name: str, args: Json) -> tuple[Response, str] | None:
    """Whatever trouble was asked for this call: waits it out, or gives the answer that it gets instead."""
    now, troubles = playground.now(), playground.troubles
    slow = troubles.take("slow", name, args, now)
    if slow is not None:
        await asyncio.sleep(slow.seconds)
    if (limit := troubles.take("rate_limit", name, args, now)) is not None:
        return too_many(limit.retry_after_s), "ratelimited"
    if (broken := troubles.take("http_error", name, args, now)) is not None:
        return Response("Internal Server Error", broken.status), f"http_{broken.status}"
    if (refuse := troubles.take("refuse", name, args, now)) is not None:
        return JSONResponse({"ok": False, "error": refuse.error}), refuse.error
    return None


def too_many(retry_after_s: int) -> Response:
    """docs: apis/web-api/rate-limits#responding-to-rate-limiting-conditions."""
    headers = {"Retry-After": str(retry_after_s)}
    return JSONResponse({"ok": False, "error": "ratelimited"}, status_code=429, headers=headers)


async def _run(playground: Playground, name: str, args: Json, token: str | None) -> Json:
    known = METHODS.get(name)
    if known is None:
        # docs: reference/methods/<any>#errors, unknown_method.
        raise RefusedError("unknown_method", req_method=name)
    call = Call(playground, name, args, _token_kind(token))
    if known.caller != "none":
        _check_token(token, known.caller, call.caller)
        if known.scopes:
            call.need_scope(*known.scopes)
    playground.limits.spend_call(name, playground.now())
    return await known.handler(call)


def _token_kind(token: str | None) -> str:
    return {BOT_TOKEN: "bot", APP_TOKEN: "app"}.get(token or "", "unknown")


def _check_token(token: str | None, wanted: str, kind: str) -> None:
    # docs: reference/methods/<any>#errors: not_authed, invalid_auth, not_allowed_token_type.
    if not token:
        raise RefusedError("not_authed")
    if kind == "unknown":
        raise RefusedError("invalid_auth")
    if wanted not in ("any", kind):
        raise RefusedError("not_allowed_token_type")


def _headed(response: Response, playground: Playground, name: str) -> Response:
    """Granted and accepted scopes are told in headers (docs: authentication/installing-with-oauth)."""
    response.headers["x-oauth-scopes"] = ",".join(playground.settings.scopes)
    if name in METHODS:
        response.headers["x-accepted-oauth-scopes"] = ",".join(METHODS[name].scopes)
    return response


def read_token(request: Request, args: Json) -> str | None:
    """The token from the Authorization header, or from the arguments of a form."""
    in_arguments = args.pop("token", None)
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    return str(in_arguments) if in_arguments else None


async def read_arguments(request: Request) -> Json:
    """The arguments of a query, a form or a JSON body (docs: apis/web-api#basics).

    Raises:
        ValueError: the body says it is JSON and is not a JSON object.
    """
    args: dict[str, Any] = dict(request.query_params)
    body = await request.body()
    if "application/json" in request.headers.get("content-type", ""):
        told = json.loads(body or b"{}")
        if not isinstance(told, dict):
            raise ValueError("not an object")
        return args | told
    return args | dict((await request.form()).items())
