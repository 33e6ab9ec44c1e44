"""Running a service: `serve(...)` is all a `__main__.py` needs."""

import asyncio
import contextlib
import sys
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI
from sqlalchemy.exc import SQLAlchemyError

from llmbench.db.engine import open_engine
from llmbench.db.migrate import require_head
from llmbench.errors import LlmbenchError
from llmbench.settings import DatabaseSettings, S, load
from llmbench.telemetry import configure_logging


def serve(service: str, settings_class: type[S], create_app: Callable[[S], FastAPI]) -> None:
    """Read the settings, build the application, serve it on uvloop until SIGTERM.

    A mistake of the user's (settings, schema version) is one line on stderr and exit code 1.
    """
    try:
        settings = load(settings_class)
        if isinstance(settings, DatabaseSettings):
            asyncio.run(_check_schema(settings.database_url, service))
    except LlmbenchError as error:
        sys.exit(f"llmbench {service}: {error}")
    configure_logging(service, settings.log_level)
    uvicorn.run(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        ws="websockets-sansio",
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=5,
    )


async def _check_schema(database_url: str, service: str) -> None:
    """Raises `WrongSchemaVersion`. A database that does not answer is the service's own to wait for."""
    async with open_engine(database_url, application_name=service) as engine:
        with contextlib.suppress(OSError, TimeoutError, SQLAlchemyError):
            await require_head(engine)
