"""The platform's HTTP API as commands use it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import httpx

from llmbench_cli.errors import Refused, Unreachable

Json = dict[str, Any]


class Client:
    """Asks, and raises `Refused` unless the answer is a success, `Unreachable` when there is none."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._http = httpx.AsyncClient(timeout=60)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def get(self, path: str, **query: Any) -> Json:
        """Read one thing."""
        return await self._ask("GET", path, params=query)

    async def post(
        self, path: str, body: Json | None = None, *, key: str | None = None, file: Path | None = None, **query: Any
    ) -> Json:
        """Create or start something, perhaps with a file: the body is the form's field `request` then. Under one
        `key` it is done once, however often it is asked for."""
        headers = {"Idempotency-Key": key} if key else {}
        if file is None:
            return await self._ask("POST", path, json=body, params=query, headers=headers)
        content = await asyncio.to_thread(file.read_bytes)
        form: Json = {"files": {"file": (file.name, content)}, "data": {"request": json.dumps(body)}}
        return await self._ask("POST", path, params=query, headers=headers, **form)

    async def put(self, path: str, body: Json) -> Json:
        """Replace something."""
        return await self._ask("PUT", path, json=body)

    async def delete(self, path: str) -> None:
        """Delete something."""
        await self._ask("DELETE", path)

    async def every(self, path: str, **query: Any) -> AsyncIterator[Json]:
        """Go through a paged list."""
        cursor: str | None = None
        while True:
            page = await self.get(path, **query, limit=200, **({"cursor": cursor} if cursor else {}))
            for item in page["items"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return

    @asynccontextmanager
    async def stream(self, path: str, **query: Any) -> AsyncIterator[AsyncIterator[bytes]]:
        """Read something large, in chunks as they come."""
        try:
            async with self._http.stream("GET", self.url + path, params=query) as response:
                if response.is_error:
                    await response.aread()
                    raise _refused("GET", path, response)
                yield response.aiter_bytes()
        except (httpx.HTTPError, httpx.InvalidURL) as failed:
            raise self._unreachable(failed) from failed

    async def _ask(self, method: str, path: str, **arguments: Any) -> Json:
        try:
            response = await self._http.request(method, self.url + path, **arguments)
        except (httpx.HTTPError, httpx.InvalidURL) as failed:
            raise self._unreachable(failed) from failed
        if response.is_error:
            raise _refused(method, path, response)
        if response.status_code == httpx.codes.NO_CONTENT:
            return {}
        try:
            answer = response.json()
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise Unreachable(f"what answers at {self.url} is not llmbench: {method} {path} brought no JSON object")
        return answer

    def _unreachable(self, failed: Exception) -> Unreachable:
        if isinstance(failed, httpx.ConnectError):
            return Unreachable(
                f"nothing answers at {self.url}: start the platform with `llmbench up`, or name its --url"
            )
        return Unreachable(f"no answer from {self.url}: {failed or type(failed).__name__}")


def _refused(method: str, path: str, response: httpx.Response) -> Refused:
    try:
        problem = response.json()
    except ValueError:
        problem = None
    return Refused(f"{method} {path}", response.status_code, problem if isinstance(problem, dict) else {})
