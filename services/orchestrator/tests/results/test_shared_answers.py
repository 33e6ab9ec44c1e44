"""Test that requests share a response only if its computation began after they arrived."""

import asyncio
import json
from uuid import UUID

import pytest
from fastapi import Request
from pydantic import BaseModel

from llmbench.organisation import working_for
from orchestrator.results.api.shared_answers import SharedAnswers


class _Answer(BaseModel):
    number: int


class _Making:
    """Computes numbered responses. Each computation ends when the test calls `let_go`."""

    def __init__(self) -> None:
        self.begun = 0
        self.most = 0
        self._at_once = 0
        self._go = asyncio.Semaphore(0)
        self.beginning = asyncio.Condition()

    async def __call__(self) -> _Answer:
        async with self.beginning:
            self.begun += 1
            self._at_once += 1
            self.most = max(self.most, self._at_once)
            number = self.begun
            self.beginning.notify_all()
        try:
            await self._go.acquire()
        finally:
            self._at_once -= 1
        if number == 13:
            raise LookupError("no thirteenth")
        return _Answer(number=number)

    async def until_begun(self, number: int) -> None:
        async with asyncio.timeout(90), self.beginning:
            await self.beginning.wait_for(lambda: self.begun >= number)

    def let_go(self) -> None:
        self._go.release()


def _request(path: str = "/api/runs/1", query: str = "") -> Request:
    return Request({"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": []})


async def _response_number(shared: SharedAnswers, making: _Making, path: str = "/api/runs/1") -> int:
    response = await shared(_request(path), making)
    number: int = json.loads(bytes(response.body))["number"]
    return number


async def test_requests_of_different_organisations_share_no_response() -> None:
    shared, making = SharedAnswers(), _Making()
    tasks = []
    for number in range(2):
        with working_for(UUID(int=number + 1)):
            tasks.append(asyncio.create_task(_response_number(shared, making)))
    await making.until_begun(2)
    for _ in tasks:
        making.let_go()
    assert sorted(await asyncio.gather(*tasks)) == [1, 2]


async def test_requests_during_a_computation_share_the_next_response() -> None:
    shared, making = SharedAnswers(), _Making()
    first = asyncio.create_task(_response_number(shared, making))
    await making.until_begun(1)
    later = [asyncio.create_task(_response_number(shared, making)) for _ in range(50)]
    making.let_go()
    making.let_go()
    assert await first == 1
    assert await asyncio.gather(*later) == [2] * 50
    assert (making.begun, making.most) == (2, 1)
    making.let_go()
    assert await _response_number(shared, making) == 3


async def test_requests_for_another_path_do_not_wait() -> None:
    shared, making, other = SharedAnswers(), _Making(), _Making()
    first = asyncio.create_task(_response_number(shared, making))
    await making.until_begun(1)
    other.let_go()
    assert await _response_number(shared, other, "/api/runs/2") == 1
    making.let_go()
    assert await first == 1


async def test_cancelled_request_does_not_cancel_the_shared_response() -> None:
    shared, making = SharedAnswers(), _Making()
    going, staying = (asyncio.create_task(_response_number(shared, making)) for _ in range(2))
    await making.until_begun(1)
    going.cancel()
    making.let_go()
    assert await staying == 1
    with pytest.raises(asyncio.CancelledError):
        await going


async def test_all_waiting_requests_receive_an_error_and_it_is_not_cached() -> None:
    shared, making = SharedAnswers(), _Making()
    making.begun = 12
    asking = [asyncio.create_task(_response_number(shared, making)) for _ in range(2)]
    making.let_go()
    for one in asking:
        with pytest.raises(LookupError):
            await one
    making.let_go()
    assert await _response_number(shared, making) == 14
