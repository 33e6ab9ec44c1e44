"""Turn a violated constraint into a 409 problem: a name that is taken, or a resource that is in use. If two requests
use one name, the first to commit wins."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError

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

    The problem says that the `what` to be deleted still has a `user`, which is a resource that refers to it. It ends
    with the advice `remedy`.
    """
    try:
        yield
    except IntegrityError as error:
        if _violated(error) != constraint:
            raise
        raise Problem(409, "In use", f"The {what} has a {user}. {remedy}") from None


def _violated(error: IntegrityError) -> str | None:
    name = getattr(error.orig.__cause__ if error.orig else None, "constraint_name", None)
    return str(name) if name else None
