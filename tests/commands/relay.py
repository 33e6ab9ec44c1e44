"""Relay TCP connections and lose one response: the server handles the request, but the client gets no answer."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit


@contextlib.asynccontextmanager
async def losing_relay(url: str, *, request: bytes) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Yield the URL of a relay to `url`, and the list of relayed requests that begin with `request`.

    The response to the first of these requests is lost.
    """
    port = urlsplit(url).port
    seen: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", port)
        losing = False

        async def forth() -> None:
            nonlocal losing
            while chunk := await reader.read(65536):
                if chunk.startswith(request):
                    losing = not seen
                    seen.append(chunk)
                upstream_writer.write(chunk)
                await upstream_writer.drain()

        async def back() -> None:
            while chunk := await upstream_reader.read(65536):
                if losing:
                    return
                writer.write(chunk)
                await writer.drain()

        tasks = {asyncio.create_task(forth()), asyncio.create_task(back())}
        _, left = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        upstream_writer.close()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", seen
    finally:
        server.close()
