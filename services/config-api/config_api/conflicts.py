"""Raise 409 problems: for a violated constraint, such as a name that is taken, and for a resource that is in use.

If two requests use one name at the same time, the first to commit gets it, and the second gets the problem.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import ColumnElement, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.suite import SuiteStatus
from llmbench.db.tables import suite
from llmbench.errors import FieldError, Problem


@contextmanager
def unique(constraint: str, *, what: str, field: str, value: str) -> Iterator[None]:
    """Turn a violation of `constraint` in the `with` block into a 409 problem.

    The problem says that a resource of the kind `what` already has this `value` in its `field`.
    """
    try:
        yield
    except IntegrityError as error:
        if _violated(error) != constraint:
            raise
        fault = FieldError(field, "is taken")
        raise Problem(
            409, "Already exists", f"There is already a {what} with the {field} {value!r}.", errors=[fault]
        ) from None


@contextmanager
def unused(constraint: str, *, what: str, user: str, remedy: str) -> Iterator[None]:
    """Turn a violation of the foreign key `constraint` in the `with` block into a 409 problem.

    The problem says that a resource of the kind `what` cannot be deleted while one of the kind `user` refers to it. It
    ends with the advice `remedy`.
    """
    try:
        yield
    except IntegrityError as error:
        if _violated(error) != constraint:
            raise
        raise Problem(409, "In use", f"The {what} has a {user}. {remedy}") from None


async def refuse_in_suites(connection: AsyncConnection, uses: ColumnElement[bool]) -> None:
    """Raise a 409 problem if a published suite fulfils `uses`, a condition on the table `suite`.

    The caller has locked the dataset or collection that it is about to delete or to change. A suite that is being
    published at this time is either found here, or waits for the lock.
    """
    query = select(suite.c.id, suite.c.name, suite.c.version_number).where(suite.c.status == SuiteStatus.PUBLISHED)
    query = query.where(uses).order_by(suite.c.name, suite.c.version_number).limit(50)
    found = (await connection.execute(query)).all()
    if found:
        named = ", ".join(f"'{row.name} v{row.version_number}'" for row in found[:5])
        raise Problem(
            409,
            "In use",
            f"Published suites use it: {named}. Delete these versions of the suites first.",
            extra={"suite_ids": [str(row.id) for row in found]},
        )


def _violated(error: IntegrityError) -> str | None:
    name = getattr(error.orig.__cause__ if error.orig else None, "constraint_name", None)
    return str(name) if name else None
