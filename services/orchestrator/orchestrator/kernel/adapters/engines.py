"""Open the database engines of the orchestrator."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db.engine import open_engine
from llmbench.db.everybody import everybody_url


@dataclass(frozen=True)
class Engines:
    """The database engines, each with its own connection pool for one kind of work. A long export, for instance,
    therefore takes no connection from the transactions that change runs."""

    leading: AsyncEngine
    reading: AsyncEngine
    reading_long: AsyncEngine
    removing: AsyncEngine
    everybody: AsyncEngine
    """Looks for the work of all organisations (`llmbench.db.everybody`)."""


@asynccontextmanager
async def opened_engines(url: str, service: str, *, removal_timeout_s: float) -> AsyncIterator[Engines]:
    async with (
        open_engine(url, application_name=service, pool_size=5) as leading,
        open_engine(url, application_name=f"{service} reading", pool_size=4) as reading,
        open_engine(url, application_name=f"{service} reading long", pool_size=4) as reading_long,
        open_engine(
            url, application_name=f"{service} removing", pool_size=2, command_timeout_s=removal_timeout_s
        ) as removing,
        open_engine(
            everybody_url(url), application_name=f"{service} everybody", pool_size=3, everybody=True
        ) as everybody,
    ):
        yield Engines(leading, reading, reading_long, removing, everybody)
