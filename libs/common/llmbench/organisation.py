"""The organisation, and the person, on whose behalf the current task works.

`working_for` and `asked_by` bind them, such as for a request or a message. Transactions of the connection pool send
them to the database (`llmbench.db.connection`), and messages carry them as headers (`llmbench.messaging.publish`).
While no organisation is bound, the database shows no rows, except to work that serves all organisations
(`llmbench.db.everybody`). Without sign-in no person is bound.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import UUID

_bound: ContextVar[UUID | None] = ContextVar("organisation", default=None)
_actor: ContextVar[UUID | None] = ContextVar("actor", default=None)


def bound_organisation() -> UUID | None:
    """Return the id of the organisation that the current task works for; `None` if none is bound."""
    return _bound.get()


@contextmanager
def working_for(org_id: UUID | None) -> Iterator[None]:
    """Bind the current task to an organisation until the end of the block; `None` binds it to none. Tasks that are
    created in the block inherit the organisation."""
    token = _bound.set(org_id)
    try:
        yield
    finally:
        _bound.reset(token)


def bound_actor() -> UUID | None:
    """Return the id of the person on whose behalf the current task works; `None` without sign-in."""
    return _actor.get()


@contextmanager
def asked_by(person_id: UUID | None) -> Iterator[None]:
    """Bind the current task to the person on whose behalf it works, until the end of the block. Tasks that are created
    in the block inherit the person."""
    token = _actor.set(person_id)
    try:
        yield
    finally:
        _actor.reset(token)
