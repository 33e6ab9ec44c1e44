"""Give endpoints the connections and stores that the service opens once and every resource uses.

The lifespan in `config_api.main` opens them.
"""

from collections.abc import Callable

from fastapi import Request
from nats.aio.client import Client
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.checks import CheckService
from config_api.files.store import FileStore


def engine(request: Request) -> AsyncEngine:
    opened: AsyncEngine = request.app.state.engine
    return opened


def labelling_engine(request: Request) -> AsyncEngine:
    """Return the pool of database connections for annotators' requests. Its sessions have settings for the fast SQL
    statements of `annotation.lease_store`."""
    opened: AsyncEngine = request.app.state.labelling_engine
    return opened


def checks(request: Request) -> CheckService:
    service: CheckService = request.app.state.checks
    return service


def files(request: Request) -> FileStore:
    store: FileStore = request.app.state.files
    return store


def nats(request: Request) -> Callable[[], Client | None]:
    """Return a function that returns the current NATS connection, or `None` while there is none."""
    connection: Callable[[], Client | None] = request.app.state.nats
    return connection
