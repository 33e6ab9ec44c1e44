"""Store the units and observations of experiments that are run outside llmbench, in PostgreSQL."""

from collections.abc import AsyncIterator, Mapping, Sequence, Set
from contextlib import asynccontextmanager
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.db import tables as t
from orchestrator.experiments.adapters.experiment_store import read_experiment
from orchestrator.experiments.adapters.round_store import add_totals
from orchestrator.experiments.domain.records import Experiment
from orchestrator.experiments.ports.outside import Observation


class PostgresUnitStore:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def assigned(self, experiment_id: UUID, unit_ids: Sequence[str]) -> Mapping[str, UUID]:
        async with self._engine.connect() as connection:
            return await _assigned(connection, experiment_id, unit_ids)

    @asynccontextmanager
    async def lock(self, experiment_id: UUID) -> AsyncIterator["PostgresUnitTransaction | None"]:
        async with self._engine.begin() as connection:
            experiment = await read_experiment(connection, experiment_id, lock=True)
            yield None if experiment is None else PostgresUnitTransaction(connection, experiment)


class PostgresUnitTransaction:
    """Implement the port `UnitTransaction` in PostgreSQL."""

    def __init__(self, connection: AsyncConnection, experiment: Experiment) -> None:
        self._connection = connection
        self.experiment = experiment

    async def assigned(self, unit_ids: Sequence[str]) -> Mapping[str, UUID]:
        return await _assigned(self._connection, self.experiment.id, unit_ids)

    async def observed(self, unit_ids: Sequence[str]) -> Set[str]:
        seen = t.observation.c
        query = select(seen.unit_id).where(seen.experiment_id == self.experiment.id, seen.unit_id.in_(unit_ids))
        return set((await self._connection.execute(query)).scalars())

    async def known(self, ids: Sequence[UUID]) -> Set[UUID]:
        query = select(t.observation.c.id).where(t.observation.c.id.in_(ids))
        return set((await self._connection.execute(query)).scalars())

    async def assign(self, variants: Mapping[str, UUID], now: datetime) -> None:
        rows = [
            {
                "experiment_id": self.experiment.id,
                "unit_id": unit_id,
                "variant_id": variant_id,
                "assigned_at": now,
            }
            for unit_id, variant_id in variants.items()
        ]
        if rows:
            await self._connection.execute(upsert(t.assignment).on_conflict_do_nothing(), rows)

    async def observe(self, observations: Sequence[Observation], now: datetime) -> None:
        if not observations:
            return
        of_experiment = t.observation.c.experiment_id == self.experiment.id
        last = (await self._connection.execute(select(func.max(t.observation.c.place)).where(of_experiment))).scalar()
        first = 0 if last is None else last + 1
        rows = [
            {
                "id": each.id,
                "experiment_id": self.experiment.id,
                "variant_id": each.variant_id,
                "unit_id": each.unit_id,
                "cluster": each.cluster,
                "place": place,
                "value": each.value,
                "guardrails": dict(each.guardrails),
                "observed_at": now,
            }
            for place, each in enumerate(observations, start=first)
        ]
        await self._connection.execute(insert(t.observation), rows)
        await add_totals(self._connection, [(each.variant_id, each.value) for each in observations])
        due = update(t.experiment).where(t.experiment.c.id == self.experiment.id)
        await self._connection.execute(due.values(look_due=True))


async def _assigned(connection: AsyncConnection, experiment_id: UUID, unit_ids: Sequence[str]) -> dict[str, UUID]:
    given = t.assignment.c
    query = select(given.unit_id, given.variant_id).where(
        given.experiment_id == experiment_id, given.unit_id.in_(unit_ids)
    )
    return {row.unit_id: row.variant_id for row in await connection.execute(query)}
