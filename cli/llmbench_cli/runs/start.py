"""Start paid work only once: every attempt carries the same idempotency key."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from llmbench_cli.client import Client, Json
from llmbench_cli.errors import Refused, Unreachable

_PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0)


async def start(
    client: Client, path: str, body: Json, *, notify: Callable[[str], None], file: Path | None = None
) -> Json:
    """Send the request that starts paid work, such as a run, and return the response. If the platform does not respond
    or is not available, send the request again, at most five times.

    All attempts use one idempotency key, so the platform starts the work once. `notify` gets a message before each
    retry. Raises `Refused` at once for an error that a retry cannot change. Raises `Unreachable` at once if nothing
    listens at the address, or something other than llmbench, and llmbench has not responded to this command before.
    After the last attempt it raises that attempt's error.
    """
    key = str(uuid4())
    for pause_s in _PAUSES_S:
        try:
            return await client.post(path, body, key=key, file=file)
        except (Refused, Unreachable) as failed:
            if not failed.may_pass:
                raise
            why = str(failed)
        notify(f"{why}; sending the same request again in {pause_s:g} s")
        await asyncio.sleep(pause_s)
    return await client.post(path, body, key=key, file=file)
