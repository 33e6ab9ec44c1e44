"""Keep the uploaded files of an organisation within the storage of its plan."""

from typing import Final

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db.limits import read_limits
from llmbench.db.tables import dataset_version, document
from llmbench.limits import plan_problem
from llmbench.organisation import bound_organisation

_LOCK: Final = text("SELECT pg_advisory_xact_lock(hashtextextended('storage ' || :org, 0))")


async def require_storage(connection: AsyncConnection, more_bytes: int) -> None:
    """Raise a 403 `Problem` if a further file of `more_bytes` bytes would exceed the storage of the plan.

    Other uploads of the organisation wait until the transaction ends, so that two uploads cannot use the same free
    space.
    """
    limits = await read_limits(connection)
    if limits.storage_bytes is None:
        return
    await connection.execute(_LOCK, {"org": str(bound_organisation())})
    used = 0
    for table in (dataset_version, document):
        query = select(func.coalesce(func.sum(table.c.file_bytes), 0))
        used += int((await connection.execute(query)).scalar_one())
    if used + more_bytes > limits.storage_bytes:
        detail = (
            f"The plan {limits.plan} stores {limits.storage_bytes:,} bytes; {used:,} are used, and this file has "
            f"{more_bytes:,}. Delete datasets or documents that are no longer needed."
        )
        raise plan_problem(limits, detail, field="file")
