"""Read and write the table `dataset_version`: one function per query, in the caller's transaction."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.datasets.schemas import VersionOut
from llmbench.db.tables import dataset_version


def shown(fault: Mapping[str, Any]) -> str:
    """Return a stored validation error as text: row (or "header"), column if known, and message."""
    if fault["line"] is None:
        return f"header, {fault['field']}: {fault['message']}"
    place = f"row {fault['line']}" + (f", column {fault['field']}" if fault["field"] else "")
    return f"{place}: {fault['message']}"


def _out(row: Row[Any]) -> VersionOut:
    return VersionOut.model_validate(
        {
            **row._mapping,
            "version_id": row.id,
            "schema": {"columns": row.schema_columns},
            "validation_errors": [shown(fault) for fault in row.validation_errors],
        }
    )


async def next_number(connection: AsyncConnection, dataset_id: UUID) -> int:
    """Return the number of the dataset's next version. The caller holds the dataset's lock, so numbers stay unique."""
    query = select(func.coalesce(func.max(dataset_version.c.version_number), 0) + 1)
    number: int = (await connection.execute(query.where(dataset_version.c.dataset_id == dataset_id))).scalar_one()
    return number


async def insert_version(connection: AsyncConnection, values: Mapping[str, object]) -> None:
    await connection.execute(insert(dataset_version).values(dict(values)))


async def update_version(connection: AsyncConnection, id_: UUID, values: Mapping[str, object]) -> None:
    await connection.execute(update(dataset_version).where(dataset_version.c.id == id_).values(dict(values)))


async def delete_version(connection: AsyncConnection, id_: UUID) -> None:
    await connection.execute(delete(dataset_version).where(dataset_version.c.id == id_))


async def find_version(
    connection: AsyncConnection, dataset_id: UUID, number: int, *, lock: bool = False
) -> VersionOut | None:
    query = select(dataset_version).where(
        dataset_version.c.dataset_id == dataset_id, dataset_version.c.version_number == number
    )
    row = (await connection.execute(query.with_for_update() if lock else query)).one_or_none()
    return _out(row) if row else None


async def header_of(connection: AsyncConnection, id_: UUID) -> dict[str, Any]:
    """Return what the file of an existing version says about itself (`formats.base.Header`); empty if the file has no
    header."""
    query = select(dataset_version.c.header).where(dataset_version.c.id == id_)
    header: dict[str, Any] = (await connection.execute(query)).scalar_one()
    return header


async def list_versions(
    connection: AsyncConnection, dataset_id: UUID, *, limit: int, offset: int
) -> tuple[Sequence[VersionOut], int]:
    """Return a page of versions, newest first, and the total number."""
    of_it = dataset_version.c.dataset_id == dataset_id
    total = (await connection.execute(select(func.count()).select_from(dataset_version).where(of_it))).scalar_one()
    query = select(dataset_version).where(of_it).order_by(dataset_version.c.version_number.desc())
    return [_out(row) for row in await connection.execute(query.limit(limit).offset(offset))], total
