"""Convert errors of an outage to responses: 503 when PostgreSQL is unreachable or has another schema version, 507 when
a disk is full.
"""

import logging

import asyncpg
from fastapi import FastAPI, Request
from fastapi.responses import Response
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from llmbench.errors import Problem, WrongSchemaVersion
from llmbench.http.problems import problem
from llmbench.room import FREE_SOME, is_disk_full

_log = logging.getLogger(__name__)


def answer_database_outages(app: FastAPI) -> None:
    # asyncpg reports a refused connection as a plain OSError, and a connection that breaks between two steps of a query
    # as an internal error. SQLAlchemy passes both through.
    for outage in (OSError, DBAPIError, PoolTimeoutError, asyncpg.InternalClientError):
        app.add_exception_handler(outage, _answer_outage)
    app.add_exception_handler(WrongSchemaVersion, _answer_wrong_schema)


async def _answer_outage(request: Request, error: Exception) -> Response:
    if is_disk_full(error):
        _log.warning("%s %s: a disk is full: %s", request.method, request.url.path, error)
        whose = "PostgreSQL's disk" if isinstance(error, DBAPIError) else "The disk of the uploaded files"
        return problem(Problem(507, "The disk is full", f"{whose} has no room left. {FREE_SOME}"))
    if isinstance(error, DBAPIError) and not _lost_connection(error):
        raise error
    _log.warning("%s %s: the database does not answer: %s", request.method, request.url.path, error)
    return problem(Problem(503, "Database unavailable", "PostgreSQL does not answer; try again in a moment."))


def _lost_connection(error: DBAPIError) -> bool:
    # An error without a statement is a failed connection attempt, whatever reason PostgreSQL gave.
    return (
        error.connection_invalidated or error.statement is None or isinstance(error, OperationalError | InterfaceError)
    )


async def _answer_wrong_schema(_: Request, error: Exception) -> Response:
    return problem(Problem(503, "Wrong schema version", str(error)))
