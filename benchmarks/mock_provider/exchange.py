"""Define the state of a request to the mock provider that is in progress."""

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
    scripted_answer: str | None = None
    """The answer that the model's script prescribes; None if the answer is derived from the prompt."""
    status: int | None = None
    answered: bool = False

    def finished(self, response: R, *, answered: bool = False) -> R:
        """Record the status of the response, and whether a completion was sent in full (`answered`). Return the
        response."""
        self.status, self.answered = response.status, answered
        return response

    async def hang(self) -> NoReturn:
        await asyncio.Event().wait()
        raise AssertionError("unreachable")

    def break_connection(self) -> None:
        """Close the connection without an answer, as a crashing server does."""
        if self.request.transport is not None:
            self.request.transport.abort()
