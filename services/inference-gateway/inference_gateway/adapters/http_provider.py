"""Send requests to providers in bounded memory. A server's failure is a fault in the `Exchange`, never an exception."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping

import aiohttp

from inference_gateway.adapters.content_coding import UnreadableCoding, unpacked
from inference_gateway.adapters.http_client import ProviderClient
from inference_gateway.adapters.http_faults import HTTP_ERRORS, fault_of
from inference_gateway.domain.draft import BrokenOff, NotACompletion
from inference_gateway.domain.faults import Fault, FaultKind
from inference_gateway.domain.framing import ANSWER_LIMIT_BYTES, AnswerTooLarge
from inference_gateway.domain.http_call import Exchange, HttpCall
from inference_gateway.domain.reading import Reading
from inference_gateway.ports import Watch

ERROR_BODY_BYTES = 64 * 1024
LINGER_S = 0.2
"""Seconds to wait for a stream to end after its last event; some servers never close it."""


class HttpModelProvider:
    def __init__(self, client: ProviderClient, clock: Callable[[], float] = time.perf_counter) -> None:
        self._client = client
        self._clock = clock

    async def complete(self, call: HttpCall, headers: Mapping[str, str], watch: Watch | None = None) -> Exchange:
        began = self._clock()
        status: int | None = None
        try:
            body = json.dumps(call.body).encode()
            async with self._client.request(call.method, call.url, body, call.headers, headers) as response:
                status = response.status
                answered = _lower(response.headers)
                if not 200 <= status < 300:
                    error_body = await _start_of(response)
                    return Exchange(status, answered, error_body, total_s=self._clock() - began)
                reading = Reading(call.dialect, answered.get("content-type", ""))
                total_s = await self._read(response, reading, began, watch)
                return Exchange(status, answered, draft=reading.draft, total_s=total_s)
        except BrokenOff as error:
            return Exchange(status, fault=Fault(FaultKind.LOST, str(error)), total_s=self._clock() - began)
        except (NotACompletion, UnreadableCoding) as error:
            return Exchange(status, fault=Fault(FaultKind.NO_COMPLETION, str(error)), total_s=self._clock() - began)
        except AnswerTooLarge as error:
            return Exchange(status, fault=Fault(FaultKind.TOO_LARGE, str(error)), total_s=self._clock() - began)
        except HTTP_ERRORS as error:
            return Exchange(status, fault=fault_of(error), total_s=self._clock() - began)

    async def _read(
        self, response: aiohttp.ClientResponse, reading: Reading, began: float, watch: Watch | None
    ) -> float:
        """Read the body into `reading`. Return the seconds from `began` to the event that marks the answer as complete
        or, without such an event, to the end of the body."""
        last = began
        chunks = unpacked(response)
        async for chunk in chunks:
            last = self._clock()
            reading.feed(chunk, last - began)
            if watch is not None and reading.streamed:
                watch(reading.draft)
            if reading.done:
                await _let_end(chunks)
                break
        else:
            # Without a final event, the answer ended with the body.
            last = self._clock()
        reading.close(last - began)
        return last - began

    async def read(self, url: str, *headers: Mapping[str, str]) -> Exchange:
        return await self._exchange("GET", url, None, *headers)

    async def send(self, call: HttpCall, headers: Mapping[str, str]) -> Exchange:
        return await self._exchange(call.method, call.url, json.dumps(call.body).encode(), call.headers, headers)

    async def _exchange(self, method: str, url: str, body: bytes | None, *headers: Mapping[str, str]) -> Exchange:
        began = self._clock()
        status: int | None = None
        try:
            async with self._client.request(method, url, body, *headers) as response:
                status = response.status
                received = await _start_of(response, ANSWER_LIMIT_BYTES)
                return Exchange(status, _lower(response.headers), received, total_s=self._clock() - began)
        except UnreadableCoding as error:
            return Exchange(status, fault=Fault(FaultKind.NO_COMPLETION, str(error)), total_s=self._clock() - began)
        except HTTP_ERRORS as error:
            return Exchange(status, fault=fault_of(error), total_s=self._clock() - began)


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers with lower-case names. The last of duplicate names wins; invalid UTF-8 becomes question marks."""
    return {
        name.lower(): value if value.isascii() else value.encode(errors="replace").decode()
        for name, value in headers.items()
    }


async def _start_of(response: aiohttp.ClientResponse, limit: int = ERROR_BODY_BYTES) -> bytes:
    received = bytearray()
    async for chunk in unpacked(response):
        received += chunk
        if len(received) >= limit:
            break
    return bytes(received[:limit])


async def _let_end(chunks: AsyncIterator[bytes]) -> None:
    """Read the rest of the body, for at most `LINGER_S`, so that the connection can be reused. Errors are ignored."""
    try:
        async with asyncio.timeout(LINGER_S):
            async for _ in chunks:
                pass
    except (TimeoutError, UnreadableCoding, *HTTP_ERRORS):
        # The answer is already complete, so an error at the end of the body does not matter.
        return
