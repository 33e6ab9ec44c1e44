"""Declare the error responses of the identity service's endpoints, and raise the common ones."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from llmbench.errors import FieldError, Problem
from llmbench.http.openapi import answers

TAKEN = answers(409, "The name is taken; `errors` names the field.")
LAST_OWNER = answers(409, "The organisation would have no owner.")
ENABLED = answers(409, "A second factor is set up already, or a proxy signs people in.")
NO_FACTOR = answers(409, "There is no second factor, or a proxy signs people in.")
ELSEWHERE = answers(409, "It is yourself, or the person belongs to other organisations, too.")
OWN_FACTOR = answers(409, "The name is taken, or you have no second factor yourself.")
GONE = answers(410, "The link was used, has expired, or never existed.")
LIMITED = answers(429, "Too many attempts; `Retry-After` says when to try again.")


def missing(what: str, id_: UUID) -> Problem:
    return Problem(404, "Not found", f"There is no {what} {id_}.")


def gone() -> Problem:
    return Problem(410, "Link cannot be used", "This link was used, has expired, or never existed. Ask for a new one.")


@contextmanager
def unique(constraint: str, *, field: str) -> Iterator[None]:
    """Turn a violation of the constraint in the `with` block into a 409 problem that names the field."""
    try:
        yield
    except IntegrityError as error:
        cause = error.orig.__cause__ if error.orig else None
        if getattr(cause, "constraint_name", None) != constraint:
            raise
        raise Problem(
            409, "Already exists", f"This {field} is taken.", errors=[FieldError(field, "is taken")]
        ) from None
