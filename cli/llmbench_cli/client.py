"""A client of the platform's HTTP API for commands."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any, Self, TypeVar

import httpx

from llmbench_cli.errors import Refused, Unreachable
from llmbench_cli.running import platform_url
from llmbench_cli.sign_in import sign_in_headers

Json = dict[str, Any]
T = TypeVar("T")
_CONNECT_S = 60
# A large import is a single request: the platform sends nothing until it is done.
_ANSWER_S = 600
_SIGN_IN = (
    "Commands sign in with LLMBENCH_API_KEY: make a key in the web application (Settings, API keys), or ask an admin."
)


def with_client(url: str | None, body: "Callable[[Client], Awaitable[T]]") -> T:
    """Call `body` with a client of the platform, and return its result.

    The platform's address is `url`, else that of the settings, else that of the running stack. Raises `StartError` if
    there is no address, and `CommandFailed` if a request fails.
    """

    async def run() -> T:
        async with Client(platform_url(url), timeout_s=_ANSWER_S) as client:
            return await body(client)

    return asyncio.run(run())


class Client:
    """An HTTP client of the platform at `url`. It raises `Refused` for an error status, and `Unreachable` if llmbench
    does not respond at this address."""

    def __init__(
        self,
        url: str,
        *,
        timeout_s: float | None = 60,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Create the client, which signs in with LLMBENCH_API_KEY if it is set.

        `timeout_s` limits each wait for data; None sets no limit. Connecting may take 60 s in any case. `transport`
        replaces the network in tests.
        """
        self.url = url.rstrip("/")
        self._has_answered = False
        timeout = httpx.Timeout(timeout_s, connect=_CONNECT_S)
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport, headers=sign_in_headers())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def get(self, path: str, **query: Any) -> Json:
        """Send a GET with `query` as query parameters, and return the JSON object of the response."""
        return await self._ask("GET", path, params=query)

    async def post(
        self, path: str, body: Json | None = None, *, key: str | None = None, file: Path | None = None, **query: Any
    ) -> Json:
        """Send a POST and return the JSON object of the response. With a `file`, send a form: the field `file` has the
        file's content, read into memory, and the field `request` has `body` as JSON.

        If requests have the same `key`, the platform does the work only once.
        """
        headers = {"Idempotency-Key": key} if key else {}
        if file is None:
            return await self._ask("POST", path, json=body, params=query, headers=headers)
        content = await asyncio.to_thread(file.read_bytes)
        form: Json = {"files": {"file": (file.name, content)}, "data": {"request": json.dumps(body)}}
        return await self._ask("POST", path, params=query, headers=headers, **form)

    async def upload(self, path: str, file: IO[bytes], *, name: str, fields: Json | None = None, **query: Any) -> Json:
        """Send a file as a form with further fields, without reading all of it into memory. Empty fields are left out.
        Return the JSON object of the response."""
        data = {field: value for field, value in (fields or {}).items() if value}
        return await self._ask("POST", path, files={"file": (name, file)}, data=data, params=query)

    async def send(self, path: str, content: bytes, **query: Any) -> Json:
        """Send a POST whose request body is `content`, not a form. Return the JSON object of the response."""
        return await self._ask("POST", path, content=content, params=query)

    async def put(self, path: str, body: Json) -> Json:
        """Send a PUT and return the JSON object of the response."""
        return await self._ask("PUT", path, json=body)

    async def patch(self, path: str, body: Json) -> Json:
        """Send a PATCH and return the JSON object of the response."""
        return await self._ask("PATCH", path, json=body)

    async def delete(self, path: str) -> None:
        """Send a DELETE."""
        await self._ask("DELETE", path)

    async def every(self, path: str, **query: Any) -> AsyncIterator[Json]:
        """Yield every entry of a list that the API returns page by page. `query` are further query parameters."""
        cursor: str | None = None
        while True:
            page = await self.get(path, **query, limit=200, **({"cursor": cursor} if cursor else {}))
            if "items" not in page:
                raise Unreachable(f"what answers at {self.url} is not llmbench: {path} brought no list")
            for item in page["items"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return

    @asynccontextmanager
    async def stream(self, path: str, **query: Any) -> AsyncIterator[AsyncIterator[bytes]]:
        """Send a GET with `query` as query parameters, and yield an iterator over the chunks of the response as they
        arrive."""
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
            self._has_answered = True
            return {}
        try:
            answer = response.json()
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise Unreachable(
                f"what answers at {self.url} is not llmbench: {method} {path} brought no JSON object",
                may_pass=self._has_answered,
            )
        self._has_answered = True
        return answer

    def _unreachable(self, failed: Exception) -> Unreachable:
        if isinstance(failed, httpx.ConnectError):
            return Unreachable(
                f"nothing answers at {self.url}: start the platform with `llmbench up`, or name its --url",
                may_pass=self._has_answered,
            )
        return Unreachable(f"no answer from {self.url}: {failed or type(failed).__name__}")


async def lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield each line of a stream without its newline. A last line without a newline is included."""
    rest = b""
    async for chunk in chunks:
        *ended, rest = (rest + chunk).split(b"\n")
        for line in ended:
            yield line
    if rest:
        yield rest


def _refused(method: str, path: str, response: httpx.Response) -> Refused:
    what = f"{method} {path}"
    try:
        problem = response.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict) or "title" not in problem:
        # A proxy answered instead of the platform.
        title = f"{what} was answered with HTTP {response.status_code}"
        problem = {"title": title, "detail": title, "errors": []}
    if response.status_code == httpx.codes.UNAUTHORIZED:
        return Refused(what, response.status_code, {**problem, "detail": f"{problem.get('detail')} {_SIGN_IN}"})
    return Refused(what, response.status_code, problem)
