"""The connections and stores that the service opens once and every resource uses.

The lifespan in `config_api.main` sets them.
"""

from collections.abc import Callable

from fastapi import Request
from nats.aio.client import Client
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.checks import CheckService
from config_api.files.store import FileStore


def engine(request: Request) -> AsyncEngine:
    found: AsyncEngine = request.app.state.engine
    return found


def checks(request: Request) -> CheckService:
    found: CheckService = request.app.state.checks
    return found


def files(request: Request) -> FileStore:
    found: FileStore = request.app.state.files
    return found


def nats(request: Request) -> Callable[[], Client | None]:
    """Return a function that returns the current connection, or `None` while there is none."""
    found: Callable[[], Client | None] = request.app.state.nats
    return found
