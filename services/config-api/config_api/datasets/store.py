"""Read and write the table `dataset`: one function per query, in the caller's transaction."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, Uuid, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.datasets.schemas import DatasetIn, DatasetOut
from llmbench.contracts.dataset_words import DatasetType, VersionStatus
from llmbench.contracts.run_words import RunStatus
from llmbench.db.tables import dataset, dataset_version, run, run_dataset_version, suite
from llmbench.ids import new_id

UNIQUE_NAME = "dataset_org_id_name_key"


@dataclass(frozen=True)
class DatasetFilter:
    q: str | None = None
    name: str | None = None
    type: DatasetType | None = None
    tags: tuple[str, ...] = ()
    status: VersionStatus | None = None
    metadata: Mapping[str, Any] | None = None


def _of_versions(what: Any, *conditions: Any) -> Any:
    return select(what).where(dataset_version.c.dataset_id == dataset.c.id, *conditions).scalar_subquery()


_newest = _of_versions(func.max(dataset_version.c.version_number))
_columns = (
    dataset,
    dataset.c.id.label("dataset_id"),
    _of_versions(func.count()).label("version_count"),
    _newest.label("latest_version"),
    _of_versions(func.max(dataset_version.c.version_number), dataset_version.c.status == VersionStatus.PUBLISHED).label(
        "published_version"
    ),
    select(dataset_version.c.row_count)
    .where(dataset_version.c.dataset_id == dataset.c.id)
    .order_by(dataset_version.c.version_number.desc())
    .limit(1)
    .scalar_subquery()
    .label("row_count"),
)


def _out(row: Row[Any]) -> DatasetOut:
    return DatasetOut.model_validate(dict(row._mapping))


async def insert_dataset(connection: AsyncConnection, body: DatasetIn) -> UUID:
    id_ = new_id()
    await connection.execute(insert(dataset).values({"id": id_, **body.model_dump()}))
    return id_


async def find_dataset(connection: AsyncConnection, id_: UUID) -> DatasetOut | None:
    query = select(*_columns).where(dataset.c.id == id_)
    row = (await connection.execute(query)).one_or_none()
    return _out(row) if row else None


async def id_of_name(connection: AsyncConnection, name: str) -> UUID | None:
    query = select(dataset.c.id).where(dataset.c.name == name)
    value: UUID | None = (await connection.execute(query)).scalar_one_or_none()
    return value


async def lock_dataset(connection: AsyncConnection, id_: UUID) -> DatasetOut | None:
    """Lock the dataset against changes and new versions until the transaction ends. Return it, or `None` if it does not
    exist."""
    await connection.execute(select(dataset.c.id).where(dataset.c.id == id_).with_for_update())
    return await find_dataset(connection, id_)


async def update_dataset(connection: AsyncConnection, id_: UUID, values: Mapping[str, object]) -> None:
    changes = {**values, "version": dataset.c.version + 1, "updated_at": func.now()}
    await connection.execute(update(dataset).where(dataset.c.id == id_).values(changes))


async def delete_dataset(connection: AsyncConnection, id_: UUID) -> list[str]:
    """Delete the dataset with all versions. Return the URIs of their files."""
    uris = await connection.execute(select(dataset_version.c.file_uri).where(dataset_version.c.dataset_id == id_))
    file_uris = list(uris.scalars())
    await connection.execute(delete(dataset).where(dataset.c.id == id_))
    return file_uris


async def list_datasets(
    connection: AsyncConnection, wanted: DatasetFilter, *, limit: int, offset: int
) -> tuple[list[DatasetOut], int]:
    """Return a page of datasets, newest first, and the total number."""
    total = (await connection.execute(_filtered(select(func.count()).select_from(dataset), wanted))).scalar_one()
    query = _filtered(select(*_columns), wanted).order_by(dataset.c.created_at.desc(), dataset.c.id.desc())
    rows = await connection.execute(query.limit(limit).offset(offset))
    return [_out(row) for row in rows], total


def _filtered(query: Select[Any], dataset_filter: DatasetFilter) -> Select[Any]:
    if dataset_filter.q:
        query = query.where(dataset.c.name.icontains(dataset_filter.q, autoescape=True))
    if dataset_filter.name is not None:
        query = query.where(dataset.c.name == dataset_filter.name)
    if dataset_filter.type is not None:
        query = query.where(dataset.c.type == dataset_filter.type)
    if dataset_filter.tags:
        query = query.where(dataset.c.tags.contains(list(dataset_filter.tags)))
    if dataset_filter.status is not None:
        there = select(dataset_version.c.id).where(dataset_version.c.dataset_id == dataset.c.id)
        query = query.where(there.where(dataset_version.c.status == dataset_filter.status).exists())
    if dataset_filter.metadata:
        query = query.where(dataset.c.metadata.contains(dataset_filter.metadata))
    return query


async def unfinished_runs(connection: AsyncConnection, dataset_id: UUID) -> list[tuple[UUID, str]]:
    """Return id and name of at most 50 unfinished runs that use a version of the dataset.

    The versions are locked first: a run that is being created is either included, or waits for the lock.
    """
    held = select(dataset_version.c.id).where(dataset_version.c.dataset_id == dataset_id)
    await connection.execute(held.order_by(dataset_version.c.id).with_for_update())
    query = (
        select(run.c.id, run.c.name)
        .where(run.c.id == run_dataset_version.c.run_id, run_dataset_version.c.dataset_id == dataset_id)
        .where(run.c.status.not_in([RunStatus.FINISHED, RunStatus.CANCELLED]))
        .distinct()
        .order_by(run.c.id)
        .limit(50)
    )
    return [(row.id, row.name) for row in await connection.execute(query)]


def in_suites(dataset_id: UUID) -> ColumnElement[bool]:
    """Return the SQL condition, on a row of the table `suite`, that the suite uses a version of the dataset."""
    of_dataset = select(dataset_version.c.id).where(dataset_version.c.dataset_id == dataset_id)
    versions = func.array(of_dataset.scalar_subquery(), type_=ARRAY(Uuid))
    uses: ColumnElement[bool] = suite.c.dataset_version_ids.overlap(versions)
    return uses
