"""Two writers, one name: the database decides, and the loser is told which field."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError

from llmbench.errors import FieldError, Problem


@contextmanager
def unique(constraint: str, *, what: str, field: str, value: str) -> Iterator[None]:
    """Turns a violation of `constraint` within the block into a 409 problem naming `field`."""
    try:
        yield
    except IntegrityError as error:
        if _violated(error) != constraint:
            raise
        fault = FieldError(field, "is taken")
        raise Problem(
            409, "Already exists", f"There is already a {what} with the {field} {value!r}.", errors=[fault]
        ) from None


def _violated(error: IntegrityError) -> str | None:
    name = getattr(error.orig.__cause__ if error.orig else None, "constraint_name", None)
    return str(name) if name else None
