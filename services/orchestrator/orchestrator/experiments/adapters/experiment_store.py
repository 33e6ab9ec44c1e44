"""Store experiments with their variants and rounds in PostgreSQL."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Select, bindparam, delete, func, insert, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.types import Uuid

from llmbench.contracts.experiment_words import ExperimentStatus, RoundStatus
from llmbench.db import tables as t
from llmbench.ids import new_id
from orchestrator.experiments.adapters.rows import columns_of, experiment_of, round_of, variant_of
from orchestrator.experiments.domain.records import Counts, Experiment, Round, Variant
from orchestrator.experiments.domain.requested import NewExperiment
from orchestrator.experiments.ports.store import ExperimentFilter, NameTaken

_COUNTS: Final = text(
    f"""
    SELECT experiment.id,
           (SELECT count(DISTINCT number) FROM experiment_round
            WHERE experiment_id = experiment.id AND status <> '{RoundStatus.FAILED}') AS rounds,
           (SELECT count(*) FROM look WHERE experiment_id = experiment.id) AS looks,
           (SELECT sum(sample_count + missing_count) FROM variant WHERE experiment_id = experiment.id) AS values,
           (SELECT max(sample_count + missing_count) FROM variant WHERE experiment_id = experiment.id) AS most,
           (SELECT count(DISTINCT experiment_case.cluster) FROM experiment_round
            CROSS JOIN LATERAL unnest(positions) AS position
            JOIN experiment_case USING (experiment_id, position)
            WHERE experiment_id = experiment.id AND status = '{RoundStatus.OVER}') AS clusters
    FROM experiment WHERE id = ANY (:ids)
    """  # noqa: S608  # made of constants
).bindparams(bindparam("ids", type_=ARRAY(Uuid)))


class PostgresExperimentStore:
    """Implement the port `ExperimentStore` in PostgreSQL."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def create(self, new: NewExperiment, now: datetime) -> UUID:
        experiment_id = new_id()
        values = {**columns_of(new), "id": experiment_id, "status": ExperimentStatus.DRAFT}
        async with self._engine.begin() as connection:
            with _unique_name():
                await connection.execute(insert(t.experiment).values(**values, created_at=now, updated_at=now))
            await connection.execute(insert(t.variant), _variants(experiment_id, new, now))
        return experiment_id

    async def replace(self, experiment_id: UUID, new: NewExperiment, *, version: int, now: datetime) -> bool:
        draft = _at(experiment_id, version) & (t.experiment.c.status == ExperimentStatus.DRAFT)
        changing = update(t.experiment).where(draft).values(**columns_of(new), version=version + 1, updated_at=now)
        async with self._engine.begin() as connection:
            with _unique_name():
                if not (await connection.execute(changing)).rowcount:
                    return False
            await connection.execute(delete(t.variant).where(t.variant.c.experiment_id == experiment_id))
            await connection.execute(insert(t.variant), _variants(experiment_id, new, now))
        return True

    async def rename(
        self,
        experiment_id: UUID,
        *,
        name: str,
        hypothesis: str | None,
        notes: str | None,
        version: int,
        now: datetime,
    ) -> bool:
        values = {"name": name, "hypothesis": hypothesis, "notes": notes, "version": version + 1, "updated_at": now}
        changing = update(t.experiment).where(_at(experiment_id, version)).values(values)
        async with self._engine.begin() as connection:
            with _unique_name():
                return (await connection.execute(changing)).rowcount > 0

    async def delete(self, experiment_id: UUID) -> bool:
        is_draft = (t.experiment.c.id == experiment_id) & (t.experiment.c.status == ExperimentStatus.DRAFT)
        async with self._engine.begin() as connection:
            return (await connection.execute(delete(t.experiment).where(is_draft))).rowcount > 0

    async def get(self, experiment_id: UUID) -> Experiment | None:
        async with self._engine.connect() as connection:
            return await read_experiment(connection, experiment_id)

    async def page(
        self, chosen: ExperimentFilter, *, limit: int, offset: int
    ) -> tuple[Sequence[tuple[Experiment, Counts]], int]:
        conditions = list(_conditions(chosen))
        query = select(t.experiment).where(*conditions)
        newest = query.order_by(t.experiment.c.created_at.desc(), t.experiment.c.id.desc())
        async with self._engine.connect() as connection:
            total = (
                await connection.execute(select(func.count()).select_from(t.experiment).where(*conditions))
            ).scalar_one()
            found = await _experiments(connection, newest.limit(limit).offset(offset))
            counts = await _counts(connection, [experiment.id for experiment in found])
        return [(experiment, counts[experiment.id]) for experiment in found], total

    async def counts(self, experiment_id: UUID) -> Counts:
        async with self._engine.connect() as connection:
            counts = await _counts(connection, [experiment_id])
        return counts.get(experiment_id, Counts(0, 0, 0, 0))

    async def rounds(self, experiment_id: UUID) -> Sequence[Round]:
        async with self._engine.connect() as connection:
            return await read_rounds(connection, experiment_id)


async def read_experiment(connection: AsyncConnection, experiment_id: UUID, *, lock: bool = False) -> Experiment | None:
    query = select(t.experiment).where(t.experiment.c.id == experiment_id)
    found = await _experiments(connection, query.with_for_update() if lock else query)
    return found[0] if found else None


async def read_rounds(connection: AsyncConnection, experiment_id: UUID) -> list[Round]:
    query = (
        select(
            t.experiment_round,
            t.run.c.status.label("run_status"),
            t.run.c.outcome.label("run_outcome"),
            t.run.c.status_reason.label("run_reason"),
            t.run.c.cost_usd.label("run_cost_usd"),
            t.run.c.item_count.label("items"),
            (t.run.c.judged_count + t.run.c.failed_count + t.run.c.skipped_count).label("items_done"),
        )
        .outerjoin(t.run, t.run.c.id == t.experiment_round.c.run_id)
        .where(t.experiment_round.c.experiment_id == experiment_id)
        .order_by(t.experiment_round.c.number, t.experiment_round.c.id)
    )
    return [round_of(row) for row in (await connection.execute(query)).mappings()]


async def _experiments(connection: AsyncConnection, query: Select[Any]) -> list[Experiment]:
    rows = (await connection.execute(query)).mappings().all()
    variants: dict[UUID, list[Variant]] = {row["id"]: [] for row in rows}
    of_these = select(t.variant).where(t.variant.c.experiment_id.in_(list(variants))).order_by(t.variant.c.position)
    for row in (await connection.execute(of_these)).mappings():
        variants[row["experiment_id"]].append(variant_of(row))
    return [experiment_of(row, variants[row["id"]]) for row in rows]


async def _counts(connection: AsyncConnection, ids: Sequence[UUID]) -> dict[UUID, Counts]:
    rows = await connection.execute(_COUNTS, {"ids": list(ids)})
    return {
        row.id: Counts(
            rounds=row.rounds, looks=row.looks, values=row.values or 0, clusters_done=row.clusters or row.most
        )
        for row in rows
    }


def _at(experiment_id: UUID, version: int) -> ColumnElement[bool]:
    return (t.experiment.c.id == experiment_id) & (t.experiment.c.version == version)


def _conditions(chosen: ExperimentFilter) -> Iterator[ColumnElement[bool]]:
    if chosen.status is not None:
        yield t.experiment.c.status == chosen.status
    if chosen.type is not None:
        yield t.experiment.c.type == chosen.type
    if chosen.search:
        yield t.experiment.c.name.icontains(chosen.search, autoescape=True) | t.experiment.c.hypothesis.icontains(
            chosen.search, autoescape=True
        )


def _variants(experiment_id: UUID, new: NewExperiment, now: datetime) -> list[dict[str, Any]]:
    return [
        {
            "id": new_id(),
            "experiment_id": experiment_id,
            "position": position,
            "name": variant.name,
            "is_control": variant.is_control,
            "config": dict(variant.config),
            "traffic_allocation": variant.traffic_allocation,
            "created_at": now,
        }
        for position, variant in enumerate(new.variants)
    ]


@contextmanager
def _unique_name() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        if "experiment_org_id_name_key" in str(error.orig):
            raise NameTaken from error
        raise
