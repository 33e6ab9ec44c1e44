"""Find out which machine a local provider uses, and whether a run of another organisation uses the same one."""

import asyncio
from collections.abc import Collection
from urllib.parse import urlsplit
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.http.listeners import LOOK_UP_TIMEOUT_S, look_up
from orchestrator.runs.domain.local_host import UNKNOWN_HOST, local_host


async def host_of(base_url: str, *, hosted: Collection[str] = ()) -> str | None:
    """Return the name of the machine behind a provider's URL; `None` if the provider is hosted, that is, not local.

    Return `UNKNOWN_HOST` if the host's address cannot be looked up in time. `hosted` are host names and addresses of
    providers that do not count as local, although they may be private.
    """
    parts = urlsplit(base_url)
    if not parts.hostname or parts.hostname.lower() in hosted:
        return None
    try:
        async with asyncio.timeout(LOOK_UP_TIMEOUT_S):
            addresses = await look_up(parts.hostname, parts.port or 0)
    except (OSError, TimeoutError, UnicodeError):
        return UNKNOWN_HOST
    return local_host([address.partition("%")[0] for address in addresses])


async def is_host_busy(connection: AsyncConnection, host: str, run_id: UUID) -> bool:
    """Return whether an active run of another organisation uses the machine.

    A lock on the machine is held until the transaction ends. If two runs check at once, only one therefore finds the
    machine free. The database shows an organisation nothing else about other organisations (migration 0025).
    """
    busy: bool = (await connection.execute(select(func.local_host_is_busy(host, run_id)))).scalar_one()
    return busy
