"""Read suites, providers and the speed of models from PostgreSQL."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ARRAY, Row, Text, Uuid, bindparam, func, select, text
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.suite import SuiteDefinition, SuiteStatus, SuiteTask
from llmbench.db import tables as t
from orchestrator.kernel.adapters.recent_groups import RECENT_ANSWERING_GROUPS
from orchestrator.runs.adapters.evaluators import read_providers
from orchestrator.runs.domain.schedule import Model
from orchestrator.suites.adapters.suite_results import suite_of_run
from orchestrator.suites.ports.schemas import SuiteOfRun
from orchestrator.suites.ports.suites import Measured, StoredSuite

_MEASURED: Final = text(
    f"""
    SELECT lane.provider_id, lane.model,
           sum(extract(epoch FROM closed_at - opened_at))::float8 / sum(asked)::float8 AS seconds,
           sum(cost_usd)::float8 / nullif(sum(priced), 0)::float8 AS cost_usd
    FROM unnest(:providers, :models) AS lane (provider_id, model)
    CROSS JOIN LATERAL {RECENT_ANSWERING_GROUPS} AS recent
    GROUP BY lane.provider_id, lane.model
    """  # noqa: S608  # made of constants
).bindparams(bindparam("providers", type_=ARRAY(Uuid)), bindparam("models", type_=ARRAY(Text)))


class SuiteQueries:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def suite(self, suite_id: UUID) -> StoredSuite | None:
        async with self._engine.connect() as connection:
            row = (await connection.execute(select(t.suite).where(t.suite.c.id == suite_id))).one_or_none()
        return None if row is None else _stored(row)

    async def newest(self, suite_id: UUID) -> UUID | None:
        family = select(t.suite.c.family_id).where(t.suite.c.id == suite_id).scalar_subquery()
        published = select(t.suite.c.id).where(t.suite.c.family_id == family, t.suite.c.status == SuiteStatus.PUBLISHED)
        query = published.order_by(t.suite.c.version_number.desc()).limit(1)
        async with self._engine.connect() as connection:
            found: UUID | None = (await connection.execute(query)).scalar_one_or_none()
        return found

    async def providers(self) -> Sequence[ProviderSnapshot]:
        async with self._engine.connect() as connection:
            return list((await read_providers(connection, select(t.provider).order_by(t.provider.c.name))).values())

    async def published(self, *, limit: int, offset: int) -> tuple[Sequence[StoredSuite], int]:
        is_published = t.suite.c.status == SuiteStatus.PUBLISHED
        counting = select(func.count(t.suite.c.name.distinct())).where(is_published)
        newest = select(t.suite).ext(distinct_on(t.suite.c.name)).where(is_published)
        newest = newest.order_by(t.suite.c.name, t.suite.c.version_number.desc()).limit(limit).offset(offset)
        async with self._engine.connect() as connection:
            total: int = (await connection.execute(counting)).scalar_one()
            return [_stored(row) for row in await connection.execute(newest)], total

    async def case_counts(self, tasks: Sequence[SuiteTask]) -> Mapping[UUID, int]:
        async with self._engine.connect() as connection:
            return await _counts(connection, tasks)

    async def measured(self, models: Sequence[Model]) -> Mapping[Model, Measured]:
        values = {"providers": [provider_id for provider_id, _ in models], "models": [model for _, model in models]}
        async with self._engine.connect() as connection:
            return {
                (row.provider_id, row.model): Measured(row.seconds, row.cost_usd)
                for row in await connection.execute(_MEASURED, values)
            }

    async def of_run(self, run_id: UUID) -> SuiteOfRun | None:
        async with self._engine.connect() as connection:
            return await suite_of_run(connection, run_id)


def _stored(row: Row[Any]) -> StoredSuite:
    definition = SuiteDefinition.model_validate(row.definition)
    return StoredSuite(row.id, row.family_id, row.name, row.version_number, SuiteStatus(row.status), definition)


async def _counts(connection: AsyncConnection, tasks: Sequence[SuiteTask]) -> dict[UUID, int]:
    version_ids = [task.dataset_version_id for task in tasks if task.dataset_version_id]
    collection_ids = [task.collection_id for task in tasks if task.collection_id]
    of_versions = select(t.dataset_version.c.id, t.dataset_version.c.row_count).where(
        t.dataset_version.c.id.in_(version_ids)
    )
    of_collections = (
        select(t.collection.c.id, func.count(t.collection_task.c.task_id))
        .outerjoin(t.collection_task, t.collection_task.c.collection_id == t.collection.c.id)
        .where(t.collection.c.id.in_(collection_ids))
        .group_by(t.collection.c.id)
    )
    counts: dict[UUID, int] = {}
    for query in (of_versions, of_collections):
        counts |= {row[0]: row[1] for row in await connection.execute(query)}
    return counts
