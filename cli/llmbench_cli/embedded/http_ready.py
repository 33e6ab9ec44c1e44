"""Make short HTTP requests, to check whether a process is ready and to read a metric.

The protocol is implemented here: an HTTP client library would double the memory of the supervisor, which lives as long
as the stack.
"""

import asyncio

from llmbench_cli.embedded.ports import LOOPBACK

_PAUSE_S = 0.05
_ANSWER_S = 5.0
_METRICS_BYTES = 1024 * 1024


async def answers(port: int, path: str) -> None:
    """Return once GET `path` on the loopback port answers 200. This may take for ever."""
    while True:
        if _status(await _get(port, path)) == 200:
            return
        await asyncio.sleep(_PAUSE_S)


async def gauge(port: int, name: str) -> int | None:
    """Return the value of the metric `name` of the process on the port, rounded toward zero. Only metrics without
    labels are found. Return `None` if the process does not respond, or if the metric is not found."""
    lines = await _get(port, "/metrics", most_bytes=_METRICS_BYTES)
    prefix = f"{name} ".encode()
    values = [line.removeprefix(prefix) for line in lines.splitlines() if line.startswith(prefix)]
    try:
        return int(float(values[0])) if values else None
    except (ValueError, OverflowError):
        return None


def _status(answer: bytes) -> int | None:
    words = answer.partition(b"\r\n")[0].split()
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else None


async def _get(port: int, path: str, *, most_bytes: int = 4096) -> bytes:
    """Return the start of the raw response, including headers; empty if the process does not respond."""
    answer = bytearray()
    try:
        async with asyncio.timeout(_ANSWER_S):
            reader, writer = await asyncio.open_connection(LOOPBACK, port)
            try:
                writer.write(f"GET {path} HTTP/1.1\r\nHost: {LOOPBACK}:{port}\r\nConnection: close\r\n\r\n".encode())
                while len(answer) < most_bytes and (piece := await reader.read(most_bytes - len(answer))):
                    answer += piece
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return b""
    return bytes(answer)
