"""A streamed response that holds a place only as long as its reader takes it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send

from llmbench.organisation import working_for

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class Patience:
    """The time in seconds for which a response waits for its reader: for each chunk, and for everything."""

    chunk_s: float = 30
    all_s: float = 600


class BoundedResponse(StreamingResponse):
    """An HTML page that is written on behalf of an organisation while it is read, in one of a few places.

    It waits for a place, and gives it back when all is sent. A reader who takes longer than `patience` loses the
    connection: otherwise, a few slow readers could hold all places.
    """

    def __init__(
        self,
        content: AsyncIterator[bytes],
        *,
        organisation: UUID,
        places: asyncio.Semaphore,
        headers: Mapping[str, str],
        patience: Patience | None = None,
    ) -> None:
        super().__init__(content, media_type="text/html; charset=utf-8", headers=headers)
        self._organisation = organisation
        self._places = places
        self._patience = patience or Patience()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_in_time(message: Message) -> None:
            async with asyncio.timeout(self._patience.chunk_s):
                await send(message)

        async with self._places:
            try:
                with working_for(self._organisation):
                    async with asyncio.timeout(self._patience.all_s):
                        await super().__call__(scope, receive, send_in_time)
            except (TimeoutError, ClientDisconnect):
                # The server closes the connection of a response that is not complete.
                _log.info("a reader of a shared report was too slow, or left")
