"""While PostgreSQL is away or on another schema: a 503 that says so, instead of a 500."""

import logging

import asyncpg
from fastapi import FastAPI, Request
from fastapi.responses import Response
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from llmbench.errors import Problem, WrongSchemaVersion
from llmbench.web import problem

_log = logging.getLogger(__name__)


def answer_database_outages(app: FastAPI) -> None:
    # asyncpg reports a refused connection as a plain OSError, one that breaks between two steps of a query
    # as its own fault; SQLAlchemy passes both through.
    for outage in (OSError, DBAPIError, PoolTimeoutError, asyncpg.InternalClientError):
        app.add_exception_handler(outage, _answer_outage)
    app.add_exception_handler(WrongSchemaVersion, _answer_wrong_schema)


async def _answer_outage(request: Request, error: Exception) -> Response:
    if isinstance(error, DBAPIError) and not _lost_connection(error):
        raise error
    _log.warning("%s %s: the database does not answer: %s", request.method, request.url.path, error)
    return problem(Problem(503, "Database unavailable", "PostgreSQL does not answer; try again in a moment."))


def _lost_connection(error: DBAPIError) -> bool:
    # Without a statement it was connecting that failed, for whatever reason PostgreSQL gave.
    return (
        error.connection_invalidated or error.statement is None or isinstance(error, OperationalError | InterfaceError)
    )


async def _answer_wrong_schema(_: Request, error: Exception) -> Response:
    return problem(Problem(503, "Wrong schema version", str(error)))
