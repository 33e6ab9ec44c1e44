"""A streamed response, of which only a few are sent at the same time, and each only for a limited time."""

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
    """The seconds within which a reader must receive each chunk of a response (`chunk_s`) and all of it (`all_s`)."""

    chunk_s: float = 30
    all_s: float = 600


class ReportFailed(Exception):
    """Raised if a report could not be written to its end."""


async def _read(content: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the chunks of a report. An `OSError`, such as a timeout of the database, becomes `ReportFailed`. Otherwise
    Starlette would conclude that the reader has left."""
    try:
        async for chunk in content:
            yield chunk
    except OSError as error:
        raise ReportFailed("a report could not be read") from error


class BoundedResponse(StreamingResponse):
    """An HTML page that is written while it is sent. `organisation` is the organisation whose data it reads.

    The semaphore `places` limits how many such pages are sent at once; the others wait. A reader who takes longer than
    `patience` loses the connection. Otherwise, a few slow readers could keep all others waiting.
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
        super().__init__(_read(content), media_type="text/html; charset=utf-8", headers=headers)
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
