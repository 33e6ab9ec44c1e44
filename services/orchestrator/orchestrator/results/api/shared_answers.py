"""Share one response among identical requests, because many clients watch the active run.

A request that arrives while a response is being made waits for the next response, so it sees every earlier change. For
any number of clients that wait for the same response, at most two are in progress: the present one and the next.
"""

import asyncio
from collections.abc import Awaitable, Callable

from fastapi import Request, Response
from pydantic import BaseModel

from llmbench.organisation import bound_organisation

Make = Callable[[], Awaitable[BaseModel]]


class SharedAnswers:
    def __init__(self) -> None:
        self._next: dict[str, asyncio.Task[bytes]] = {}
        self._making: dict[str, asyncio.Task[bytes]] = {}

    async def __call__(self, request: Request, make: Make) -> Response:
        """Return the result of `make` as JSON. Requests of one organisation with the same path and query share one call
        of `make`.

        An exception of `make` is raised to every caller.
        """
        key = f"{bound_organisation()} {request.url.path}?{request.url.query}"
        if key not in self._next:
            self._next[key] = task = asyncio.create_task(self._make(key, make))
            # Retrieve the exception, so that asyncio does not log it when every client has disconnected.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        # A client that disconnects must not cancel the response for the others.
        body = await asyncio.shield(self._next[key])
        return Response(body, media_type="application/json")

    async def _make(self, key: str, make: Make) -> bytes:
        if (before := self._making.get(key)) is not None:
            await asyncio.wait({before})
        task = self._next.pop(key)
        self._making[key] = task
        try:
            return (await make()).model_dump_json(by_alias=True).encode()
        finally:
            if self._making[key] is task:
                del self._making[key]
