"""Test that the response with a shared report is cut off if its reader is too slow. Only a few reports are sent at the
same time, so slow readers would keep others out."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from starlette.types import Message

from llmbench.ids import DEFAULT_ORG_ID
from llmbench.organisation import bound_organisation
from orchestrator.sharing.api.bounded_response import BoundedResponse, Patience, ReportFailed

NONE = 0.0
ENDLESS = 3600.0
DONE = {"type": "http.response.body", "body": b"", "more_body": False}
# Servers of both versions of the interface: the older ones also listen for a disconnect.
VERSIONS = ("2.3", "2.4")


async def written() -> AsyncIterator[bytes]:
    yield b"<p>one</p>"
    yield f"<p>{bound_organisation()}</p>".encode()


def response(places: asyncio.Semaphore, patience: Patience | None = None) -> BoundedResponse:
    return BoundedResponse(written(), organisation=DEFAULT_ORG_ID, places=places, headers={}, patience=patience)


async def failing() -> AsyncIterator[bytes]:
    yield b"<p>one</p>"
    raise TimeoutError("the database did not answer")


class Reader:
    """A client that receives all messages. With `takes`, it stops after this number of messages."""

    def __init__(self, takes: int | None = None) -> None:
        self.messages: list[Message] = []
        self._takes = takes

    async def read(self, report: BoundedResponse, version: str) -> None:
        scope = {"type": "http", "asgi": {"version": "3.0", "spec_version": version}}
        await report(scope, self._connected, self._take)

    async def _take(self, message: Message) -> None:
        if self._takes is not None and len(self.messages) >= self._takes:
            await asyncio.Event().wait()
        self.messages.append(message)

    async def _connected(self) -> Message:
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize("version", VERSIONS)
async def test_report_arrives_whole_and_is_written_for_its_organisation(version: str) -> None:
    reader, places = Reader(), asyncio.Semaphore(1)
    await reader.read(response(places), version)
    bodies = [message["body"] for message in reader.messages[1:]]
    assert bodies == [b"<p>one</p>", f"<p>{DEFAULT_ORG_ID}</p>".encode(), b""]
    assert not places.locked()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("patience", [Patience(chunk_s=NONE, all_s=ENDLESS), Patience(chunk_s=ENDLESS, all_s=NONE)])
async def test_reader_who_stops_reading_loses_the_place(version: str, patience: Patience) -> None:
    slow, places = Reader(takes=1), asyncio.Semaphore(1)
    await slow.read(response(places, patience), version)
    assert DONE not in slow.messages, "a report that was cut off must not look complete"
    next_one = Reader()
    await next_one.read(response(places), version)
    assert next_one.messages[-1] == DONE


@pytest.mark.parametrize("version", VERSIONS)
async def test_failing_database_is_not_taken_for_a_slow_reader(version: str) -> None:
    places = asyncio.Semaphore(1)
    report = BoundedResponse(failing(), organisation=DEFAULT_ORG_ID, places=places, headers={})
    with pytest.raises(ReportFailed):
        await Reader().read(report, version)
    assert not places.locked()
