"""The organisation on whose behalf the current task works.

`working_for` binds the organisation, such as for a request or a message. Transactions of the connection pool send it to
the database (`llmbench.db.connection`), and messages carry it as a header (`llmbench.messaging.publish`). While none is
bound, the database shows no rows, except to work that serves all organisations (`llmbench.db.everybody`).
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
    """Bind the current task to an organisation until the end of the block; `None` binds it to none. Tasks that are
    created in the block inherit the organisation."""
    token = _bound.set(org_id)
    try:
        yield
    finally:
        _bound.reset(token)
