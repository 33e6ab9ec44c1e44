"""HTTP to providers: everything bounded in memory, nothing ever raised for what a server does."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from functools import lru_cache

import httpx

from inference_gateway.adapters.content_coding import UnreadableCoding, unpacked
from inference_gateway.adapters.http_client import ProviderClient
from inference_gateway.adapters.http_faults import HTTP_ERRORS, fault_of
from inference_gateway.domain.draft import NotACompletion
from inference_gateway.domain.faults import Fault, FaultKind
from inference_gateway.domain.framing import ANSWER_LIMIT_BYTES, AnswerTooLarge
from inference_gateway.domain.http_call import Exchange, HttpCall
from inference_gateway.domain.reading import Reading

ERROR_BODY_BYTES = 64 * 1024
LINGER_S = 0.2
"""After its last event a stream should end; a server that forgets to is not waited for."""


class HttpModelProvider:
    def __init__(self, client: ProviderClient, clock: Callable[[], float] = time.perf_counter) -> None:
        self._client = client
        self._clock = clock

    async def complete(self, call: HttpCall, headers: Mapping[str, str]) -> Exchange:
        began = self._clock()
        status: int | None = None
        try:
            async with self._open(call.method, call.url, json.dumps(call.body), call.headers, headers) as response:
                status = response.status_code
                answered = _lower(response.headers)
                if not response.is_success:
                    body = await _start_of(response)
                    return Exchange(status, answered, body, total_s=self._clock() - began)
                reading = Reading(call.dialect, answered.get("content-type", ""))
                total_s = await self._read(response, reading, began)
                return Exchange(status, answered, draft=reading.draft, total_s=total_s)
        except (NotACompletion, UnreadableCoding) as error:
            return Exchange(status, fault=Fault(FaultKind.NO_COMPLETION, str(error)), total_s=self._clock() - began)
        except AnswerTooLarge as error:
            return Exchange(status, fault=Fault(FaultKind.TOO_LARGE, str(error)), total_s=self._clock() - began)
        except HTTP_ERRORS as error:
            return Exchange(status, fault=fault_of(error), total_s=self._clock() - began)

    def _open(
        self, method: str, url: str, body: str | None, *headers: Mapping[str, str]
    ) -> AbstractAsyncContextManager[httpx.Response]:
        where, auth = _where(url)
        self._client.check(where)
        return self._client.stream(method, where, content=body, headers=_merged(*headers), auth=auth)

    async def _read(self, response: httpx.Response, reading: Reading, began: float) -> float:
        """Returns the seconds to the last event, or to the body's end where there are no events."""
        last = began
        chunks = unpacked(response)
        async for chunk in chunks:
            last = self._clock()
            reading.feed(chunk, last - began)
            if reading.done:
                await _let_end(chunks)
                break
        else:
            # Without a last word, the answer took until the connection said that it was over.
            last = self._clock()
        reading.close(last - began)
        return last - began

    async def read(self, url: str, headers: Mapping[str, str]) -> Exchange:
        return await self._whole("GET", url, None, headers)

    async def send(self, call: HttpCall, headers: Mapping[str, str]) -> Exchange:
        return await self._whole(call.method, call.url, json.dumps(call.body), headers)

    async def _whole(self, method: str, url: str, body: str | None, headers: Mapping[str, str]) -> Exchange:
        began = self._clock()
        status: int | None = None
        try:
            async with self._open(method, url, body, headers) as response:
                status = response.status_code
                received = await _start_of(response, ANSWER_LIMIT_BYTES)
                return Exchange(status, _lower(response.headers), received, total_s=self._clock() - began)
        except UnreadableCoding as error:
            return Exchange(status, fault=Fault(FaultKind.NO_COMPLETION, str(error)), total_s=self._clock() - began)
        except HTTP_ERRORS as error:
            return Exchange(status, fault=fault_of(error), total_s=self._clock() - began)


@lru_cache(maxsize=1024)
def _where(url: str) -> tuple[httpx.URL, httpx.BasicAuth | None]:
    """aiohttp refuses a URL with credentials beside the header that httpx makes of them."""
    where = httpx.URL(url)
    auth = httpx.BasicAuth(where.username, where.password) if where.userinfo else None
    return where.copy_with(userinfo=b""), auth


def _merged(*headers: Mapping[str, str]) -> httpx.Headers:
    """Later ones win, and the provider's over ours, whatever their case. Latin-1 is what HTTP can carry."""
    merged = httpx.Headers({"Content-Type": "application/json"}, "latin-1")
    for each in headers:
        merged.update(httpx.Headers(each, "latin-1"))
    return merged


def _lower(headers: httpx.Headers) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


async def _start_of(response: httpx.Response, limit: int = ERROR_BODY_BYTES) -> bytes:
    received = bytearray()
    async for chunk in unpacked(response):
        received += chunk
        if len(received) >= limit:
            break
    return bytes(received[:limit])


async def _let_end(chunks: AsyncIterator[bytes]) -> None:
    """Read on to the body's end, so that the connection can be used again."""
    try:
        async with asyncio.timeout(LINGER_S):
            async for _ in chunks:
                pass
    except (TimeoutError, *HTTP_ERRORS):
        # The answer is complete: how its connection ends is no matter.
        return
