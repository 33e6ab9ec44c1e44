"""One request under way, and what is known about how it ends."""

import asyncio
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from aiohttp import web

from benchmarks.mock_provider.ledger import Entry
from benchmarks.mock_provider.vendors import ANY, Vendor

R = TypeVar("R", bound=web.StreamResponse)


@dataclass
class Exchange:
    request: web.Request
    body: dict[str, Any]
    model: str
    prompt: str
    streams: bool
    entry: Entry
    vendor: Vendor = ANY
    said: str | None = None
    """What a script has the model say."""
    status: int | None = None
    answered: bool = False

    def finished(self, response: R, *, answered: bool = False) -> R:
        """Note how it ends; returns the response for the caller's `return`."""
        self.status, self.answered = response.status, answered
        return response

    async def hang(self) -> NoReturn:
        await asyncio.Event().wait()
        raise AssertionError("unreachable")

    def break_connection(self) -> None:
        """As a server that dies: the connection ends without a word."""
        if self.request.transport is not None:
            self.request.transport.abort()
