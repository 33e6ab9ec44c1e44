"""One answer for all who wait for the same: many look at the run that goes on, and whoever leads it shares the process.

Who asks while an answer is being made waits for the next one, which is begun after the question: what somebody has
changed he will see. So a question costs twice its work at most, however many ask it at once.
"""

import asyncio
from collections.abc import Awaitable, Callable

from fastapi import Request, Response
from pydantic import BaseModel

Make = Callable[[], Awaitable[BaseModel]]


class SharedAnswers:
    def __init__(self) -> None:
        self._next: dict[str, asyncio.Task[bytes]] = {}
        self._making: dict[str, asyncio.Task[bytes]] = {}

    async def __call__(self, request: Request, make: Make) -> Response:
        """What `make` gives, as JSON, for all requests of the same path and query. Raises what it raises."""
        asked = f"{request.url.path}?{request.url.query}"
        if asked not in self._next:
            self._next[asked] = task = asyncio.create_task(self._make(asked, make))
            # Of an error that nobody waits for any more nobody is told.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        # One who goes away leaves the others their answer.
        body = await asyncio.shield(self._next[asked])
        return Response(body, media_type="application/json")

    async def _make(self, asked: str, make: Make) -> bytes:
        if (before := self._making.get(asked)) is not None:
            await asyncio.wait({before})
        task = self._next.pop(asked)
        self._making[asked] = task
        try:
            return (await make()).model_dump_json(by_alias=True).encode()
        finally:
            if self._making[asked] is task:
                del self._making[asked]
