"""Find the datasets and collections from which the tasks of suites take their cases."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.suites.schemas import SourceIn
from llmbench.contracts.dataset_words import VersionStatus
from llmbench.contracts.suite import SuiteTask
from llmbench.db.tables import collection, collection_task, dataset, dataset_version
from llmbench.errors import FieldError


@dataclass(frozen=True)
class Source:
    """An existing source of cases: a version of a dataset, or a collection. `version` is the version's number, `None`
    for a collection."""

    id: UUID
    name: str
    cases: int
    version: int | None = None


@dataclass
class Sources:
    """The sources of a suite's tasks. `found` has the source of each task, in the order of the tasks, or `None` if it
    was not found. `faults` has the errors in the sources that the tasks name."""

    found: list[Source | None] = field(default_factory=list)
    faults: list[FieldError] = field(default_factory=list)


@dataclass(frozen=True)
class _Version:
    source: Source
    status: str


async def find_sources(connection: AsyncConnection, wanted: Sequence[SourceIn], *, hold: bool = False) -> Sources:
    """Find the source of each task. With `hold`, lock the dataset versions and collections, so that none is deprecated
    or deleted before the transaction ends."""
    versions = await _versions(connection, wanted, hold=hold)
    collections = await _collections(connection, wanted, hold=hold)
    sources = Sources()
    for number, source in enumerate(wanted):
        place = f"tasks.{number}.source"
        result = _of_version(source, versions) if _is_version(source) else _of_collection(source, collections)
        if isinstance(result, str):
            sources.faults.append(FieldError(place, result))
            sources.found.append(None)
            continue
        earlier = next((index for index, each in enumerate(sources.found) if each and each.id == result.id), None)
        if earlier is not None:
            message = f"task {earlier} has the same cases: in the score of a suite, each case counts once"
            sources.faults.append(FieldError(place, message))
        sources.found.append(result)
    return sources


async def known_sources(connection: AsyncConnection, tasks: Iterable[SuiteTask]) -> dict[UUID, Source]:
    """Return the dataset versions and collections from which the tasks take their cases, by id. Deleted ones are left
    out."""
    wanted = [
        SourceIn(dataset_version_id=task.dataset_version_id)
        if task.dataset_version_id
        else SourceIn(collection_id=task.collection_id)
        for task in tasks
    ]
    versions = await _versions(connection, wanted, hold=False)
    collections = await _collections(connection, wanted, hold=False)
    return {version.source.id: version.source for version in versions} | {each.id: each for each in collections}


def _is_version(source: SourceIn) -> bool:
    return source.dataset is not None or source.dataset_version_id is not None


async def _versions(connection: AsyncConnection, wanted: Sequence[SourceIn], *, hold: bool) -> list[_Version]:
    """Return the versions whose ids are in `wanted`, and all versions of the datasets whose names are in it.

    The highest version numbers come first.
    """
    names = [source.dataset for source in wanted if source.dataset is not None]
    ids = [source.dataset_version_id for source in wanted if source.dataset_version_id is not None]
    if not names and not ids:
        return []
    query = (
        select(
            dataset_version.c.id,
            dataset_version.c.version_number,
            dataset_version.c.status,
            dataset_version.c.row_count,
            dataset.c.name,
        )
        .join(dataset, dataset.c.id == dataset_version.c.dataset_id)
        .where(or_(dataset.c.name == func.any(names), dataset_version.c.id == func.any(ids)))
        .order_by(dataset_version.c.version_number.desc(), dataset_version.c.id)
    )
    if hold:
        query = query.with_for_update(read=True, of=dataset_version)
    return [
        _Version(Source(row.id, row.name, row.row_count, row.version_number), row.status)
        for row in await connection.execute(query)
    ]


async def _collections(connection: AsyncConnection, wanted: Sequence[SourceIn], *, hold: bool) -> list[Source]:
    names = [source.collection for source in wanted if source.collection is not None]
    ids = [source.collection_id for source in wanted if source.collection_id is not None]
    if not names and not ids:
        return []
    is_wanted = or_(collection.c.name == func.any(names), collection.c.id == func.any(ids))
    if hold:
        locked = select(collection.c.id).where(is_wanted).order_by(collection.c.id)
        await connection.execute(locked.with_for_update(read=True, key_share=True))
    query = (
        select(collection.c.id, collection.c.name, func.count(collection_task.c.task_id).label("cases"))
        .outerjoin(collection_task, collection_task.c.collection_id == collection.c.id)
        .where(is_wanted)
        .group_by(collection.c.id)
    )
    return [Source(row.id, row.name, row.cases) for row in await connection.execute(query)]


def _of_version(source: SourceIn, versions: Sequence[_Version]) -> Source | str:
    """Return the version that the source names, or a message about the error in the source."""
    if source.dataset_version_id is not None:
        of_id = [version for version in versions if version.source.id == source.dataset_version_id]
        if not of_id:
            return f"there is no version {source.dataset_version_id}; see GET /v1/datasets"
        return _published(of_id[0])
    of_name = [version for version in versions if version.source.name == source.dataset]
    if not of_name:
        return f"there is no dataset '{source.dataset}' with a version; see GET /v1/datasets"
    if source.version is None:
        published = [version for version in of_name if version.status == VersionStatus.PUBLISHED]
        return published[0].source if published else f"'{source.dataset}' has no published version: publish one first"
    numbered = [version for version in of_name if version.source.version == source.version]
    if not numbered:
        return f"'{source.dataset}' has no version {source.version}; the newest is {of_name[0].source.version}"
    return _published(numbered[0])


def _published(version: _Version) -> Source | str:
    if version.status == VersionStatus.PUBLISHED:
        return version.source
    named = f"version {version.source.version} of '{version.source.name}'"
    return f"{named} is {version.status}: only PUBLISHED ones run"


def _of_collection(source: SourceIn, collections: Sequence[Source]) -> Source | str:
    named = [each for each in collections if each.id == source.collection_id or each.name == source.collection]
    if not named:
        return f"there is no collection {source.collection or source.collection_id}; see GET /api/collections"
    if not named[0].cases:
        return f"the collection '{named[0].name}' is empty: assign tasks to it first"
    return named[0]
