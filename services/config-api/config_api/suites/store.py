"""Read and write the table `suite`: one function per query, in the caller's transaction."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, delete, exists, func, insert, select, update
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.paging import After
from config_api.suites.converting import suite_of
from config_api.suites.schemas import SuiteOut
from config_api.suites.sources import known_sources
from llmbench.contracts.suite import SuiteDefinition, SuiteStatus
from llmbench.db.tables import suite, suite_family
from llmbench.ids import new_id

UNIQUE_VERSION = "suite_org_id_name_version_number_key"
ONE_DRAFT = "suite_one_draft"
UNIQUE_FAMILY = "suite_family_org_id_name_key"
BASELINE_OF_FAMILY = "baseline_suite_family_id_fkey"


async def insert_family(connection: AsyncConnection, name: str) -> UUID:
    id_ = new_id()
    await connection.execute(insert(suite_family).values(id=id_, name=name))
    return id_


async def rename_family(connection: AsyncConnection, id_: UUID, name: str) -> None:
    await connection.execute(update(suite_family).where(suite_family.c.id == id_).values(name=name))


async def delete_empty_family(connection: AsyncConnection, id_: UUID) -> None:
    """Delete the family, which joins all versions of a suite, unless it still has a version."""
    unused = ~exists().where(suite.c.family_id == id_)
    await connection.execute(delete(suite_family).where(suite_family.c.id == id_, unused))


async def insert_suite(connection: AsyncConnection, values: Mapping[str, Any]) -> UUID:
    id_ = new_id()
    await connection.execute(insert(suite).values(id=id_, status=SuiteStatus.DRAFT, **values))
    return id_


async def find_suite(connection: AsyncConnection, id_: UUID, *, lock: bool = False) -> SuiteOut | None:
    query = select(suite).where(suite.c.id == id_)
    row = (await connection.execute(query.with_for_update() if lock else query)).one_or_none()
    return (await _out(connection, [row]))[0] if row else None


async def stored_values(connection: AsyncConnection, id_: UUID) -> Mapping[str, Any]:
    """Return the row of an existing version of a suite, by column name."""
    return dict((await connection.execute(select(suite).where(suite.c.id == id_))).mappings().one())


async def newest_of_name(connection: AsyncConnection, name: str) -> SuiteOut | None:
    """Lock and return the newest version of the suite with this name, or `None` if there is none."""
    query = select(suite).where(suite.c.name == name).order_by(suite.c.version_number.desc()).limit(1)
    row = (await connection.execute(query.with_for_update())).one_or_none()
    return (await _out(connection, [row]))[0] if row else None


async def versions_of_name(connection: AsyncConnection, name: str) -> list[SuiteOut]:
    query = select(suite).where(suite.c.name == name).order_by(suite.c.version_number.desc())
    return await _out(connection, list(await connection.execute(query)))


async def update_suite(connection: AsyncConnection, id_: UUID, values: Mapping[str, Any]) -> None:
    changes = {**values, "version": suite.c.version + 1, "updated_at": func.now()}
    await connection.execute(update(suite).where(suite.c.id == id_).values(changes))


async def delete_suite(connection: AsyncConnection, id_: UUID) -> UUID | None:
    """Delete a version of a suite. Return the id of the family, which joins all versions of the suite.

    Return `None` if there was no such version.
    """
    deleting = delete(suite).where(suite.c.id == id_).returning(suite.c.family_id)
    return (await connection.execute(deleting)).scalar_one_or_none()


async def list_suites(
    connection: AsyncConnection, *, q: str | None, status: SuiteStatus | None, after: After | None, limit: int
) -> list[SuiteOut]:
    """Return the newest version of each suite, sorted by name. With `status`, it is the newest version in this
    state."""
    query = _newest(status)
    if q:
        query = query.where(suite.c.name.icontains(q, autoescape=True))
    if after is not None:
        query = query.where(suite.c.name > after.key)
    return await _out(connection, list(await connection.execute(query.limit(limit))))


def _newest(status: SuiteStatus | None) -> Select[Any]:
    query = select(suite).ext(distinct_on(suite.c.name)).order_by(suite.c.name, suite.c.version_number.desc())
    return query if status is None else query.where(suite.c.status == status)


async def _out(connection: AsyncConnection, rows: Sequence[Row[Any]]) -> list[SuiteOut]:
    tasks = [task for row in rows for task in SuiteDefinition.model_validate(row.definition).tasks]
    sources = await known_sources(connection, tasks)
    return [suite_of(row, sources) for row in rows]
