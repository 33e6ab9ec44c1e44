"""The organisation on whose behalf the current task works.

A request, a message or a step of a loop binds it with `working_for`. Every transaction sends it to the
database (`llmbench.db.connection.BoundConnection`), and every message carries it as a header
(`llmbench.messaging.publish`).
While none is bound, the database shows no rows.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import UUID

_bound: ContextVar[UUID | None] = ContextVar("organisation", default=None)


def bound_organisation() -> UUID | None:
    """Return the id of the organisation that the current task works for; `None` if none is bound."""
    return _bound.get()


@contextmanager
def working_for(org_id: UUID | None) -> Iterator[None]:
    """Bind the organisation until the block is left. Tasks that are created inside inherit it."""
    token = _bound.set(org_id)
    try:
        yield
    finally:
        _bound.reset(token)
