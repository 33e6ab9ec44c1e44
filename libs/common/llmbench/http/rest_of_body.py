"""Read the rest of a request's body before an error response is sent.

A client that is still uploading when the connection closes gets a reset instead of the response (RFC 9112, section
9.6). So the rest is read and dropped, within bounds of size and time.
"""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from llmbench.http.door import header_values

MOST_BYTES = 32 * 1024 * 1024
MOST_S = 10.0
_TOO_LARGE = 413


class RestOfBody:
    """Middleware that reads the rest of a request's body before it sends an error response, up to 32 MiB and 10 s. A
    413 is sent without reading."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _has_body(scope):
            await self._app(scope, receive, send)
            return
        complete = False

        async def noting() -> Message:
            nonlocal complete
            message = await receive()
            complete = complete or message["type"] != "http.request" or not message.get("more_body")
            return message

        async def after_the_body(message: Message) -> None:
            refused = message["type"] == "http.response.start" and message["status"] >= 400
            if refused and message["status"] != _TOO_LARGE:
                dropped = 0
                try:
                    async with asyncio.timeout(MOST_S):
                        while not complete and dropped < MOST_BYTES:
                            dropped += len((await noting()).get("body", b""))
                except TimeoutError:
                    pass
            await send(message)

        await self._app(scope, noting, after_the_body)


def _has_body(scope: Scope) -> bool:
    """Return whether the client is sending a body. A client that expects the response `100 Continue` sends none before
    it."""
    if header_values(scope, b"expect"):
        return False
    return header_values(scope, b"content-length") not in ([], ["0"]) or bool(
        header_values(scope, b"transfer-encoding")
    )
