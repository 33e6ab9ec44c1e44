"""The platform's HTTP API as the demo uses it."""

from collections.abc import AsyncIterator
from typing import Any, Self

import httpx

Json = dict[str, Any]


class DemoFailed(Exception):
    """The demo cannot go on; the message says why."""


class Refused(DemoFailed):
    """The platform answered with a problem (RFC 9457)."""

    def __init__(self, what: str, status: int, problem: Json) -> None:
        reasons = [problem.get("detail") or problem.get("title") or f"HTTP {status}"]
        reasons += [f"{error['field']}: {error['message']}" for error in problem.get("errors", [])]
        super().__init__(f"{what} was refused: {'; '.join(reasons)}")
        self.status = status
        self.problem = problem


class Client:
    """Asks, and raises Refused unless the answer is a success."""

    def __init__(self, url: str) -> None:
        self._http = httpx.AsyncClient(base_url=url, timeout=60)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def get(self, path: str, **query: Any) -> Json:
        """Read one thing."""
        return await self._ask("GET", path, params=query)

    async def post(self, path: str, body: Json) -> Json:
        """Create or start something."""
        return await self._ask("POST", path, json=body)

    async def put(self, path: str, body: Json) -> Json:
        """Replace something."""
        return await self._ask("PUT", path, json=body)

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

    async def _ask(self, method: str, path: str, **arguments: Any) -> Json:
        try:
            response = await self._http.request(method, path, **arguments)
        except httpx.HTTPError as failed:
            raise DemoFailed(f"{method} {path} failed: {failed!r}") from failed
        try:
            answer: Json = response.json()
        except ValueError:
            answer = {}
        if response.is_error:
            raise Refused(f"{method} {path}", response.status_code, answer)
        return answer
