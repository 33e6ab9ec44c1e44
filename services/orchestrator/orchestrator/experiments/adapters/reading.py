"""Implement the port `ExperimentReader` in PostgreSQL.

It reads looks (stored analyses), cases, the variances that earlier experiments found, and paces: the mean time and cost
of a model's answer.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, Text, Uuid, bindparam, func, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db import tables as t
from orchestrator.experiments.adapters.paces import read_paces
from orchestrator.experiments.adapters.round_store import read_order
from orchestrator.experiments.domain.order import OrderedCase
from orchestrator.experiments.domain.words import Design
from orchestrator.experiments.ports.reading import CaseOrder, CaseQuery, Model, Pace
from orchestrator.experiments.ports.result_schemas import ExperimentCase, LookOut, LookResults

LEAST_PAIRS: Final = 20
"""The fewest differences from which a variance is estimated."""
_BOTH: Final = """
    FROM observation AS here JOIN observation AS there
         ON there.experiment_id = here.experiment_id AND there.unit_id = here.unit_id
    LEFT JOIN item ON item.id = here.item_id
    WHERE here.experiment_id = :experiment_id AND here.variant_id = :variant_id AND there.variant_id = :baseline_id
          AND here.value IS NOT NULL AND there.value IS NOT NULL
"""
_ORDERS: Final[Mapping[CaseOrder, str]] = {
    "difference": "difference, position",
    "-difference": "difference DESC, position",
    "size": "abs(here.value - there.value) DESC, position",
    "position": "position",
}
_CASES: Final = f"""
    SELECT here.unit_id AS "case", here.place AS position, here.round, here.value, there.value AS baseline_value,
           here.value - there.value AS difference, item.run_id, item.id AS item_id, there.item_id AS baseline_item_id
    {_BOTH} ORDER BY {{order}} LIMIT :limit OFFSET :offset
"""  # made of constants
_COUNT: Final = f"SELECT count(*) {_BOTH}"
_IDS: Final = tuple(bindparam(name, type_=Uuid) for name in ("experiment_id", "variant_id", "baseline_id"))
_PAIRED_VARIANCE: Final = text(
    """
    SELECT var_samp(here.value - there.value) AS variance, count(*) AS pairs, experiment.name
    FROM experiment
    JOIN variant AS control ON control.experiment_id = experiment.id AND control.is_control
    JOIN observation AS there ON there.variant_id = control.id AND there.value IS NOT NULL
    JOIN observation AS here ON here.experiment_id = experiment.id AND here.variant_id <> control.id
         AND here.unit_id = there.unit_id AND here.value IS NOT NULL
    WHERE experiment.id = (
        SELECT id FROM experiment WHERE primary_metric = :metric AND config ->> 'design' = 'paired'
               AND stopped_at IS NOT NULL ORDER BY stopped_at DESC LIMIT 1
    ) GROUP BY experiment.name
    """
).bindparams(bindparam("metric", type_=Text))
_SPLIT_VARIANCE: Final = text(
    """
    SELECT var_samp(observation.value) AS variance, count(*) AS pairs, experiment.name
    FROM experiment JOIN observation ON observation.experiment_id = experiment.id
    WHERE observation.value IS NOT NULL AND experiment.id = (
        SELECT id FROM experiment WHERE primary_metric = :metric AND config ->> 'design' = 'split'
               AND stopped_at IS NOT NULL ORDER BY stopped_at DESC LIMIT 1
    ) GROUP BY experiment.name
    """
).bindparams(bindparam("metric", type_=Text))


class ExperimentQueries:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def last_look(self, experiment_id: UUID) -> LookOut | None:
        query = select(t.look).where(t.look.c.experiment_id == experiment_id)
        async with self._engine.connect() as connection:
            row = (await connection.execute(query.order_by(t.look.c.number.desc()).limit(1))).mappings().one_or_none()
        return None if row is None else _look(row)

    async def looks(self, experiment_id: UUID, *, limit: int, offset: int) -> tuple[Sequence[LookOut], int]:
        of_experiment = t.look.c.experiment_id == experiment_id
        query = select(t.look).where(of_experiment).order_by(t.look.c.number).limit(limit).offset(offset)
        counting = select(func.count()).select_from(t.look).where(of_experiment)
        async with self._engine.connect() as connection:
            total: int = (await connection.execute(counting)).scalar_one()
            return [_look(row) for row in (await connection.execute(query)).mappings()], total

    async def cases(self, experiment_id: UUID, query: CaseQuery) -> tuple[Sequence[ExperimentCase], int]:
        given: dict[str, Any] = {
            "experiment_id": experiment_id,
            "variant_id": query.variant_id,
            "baseline_id": query.baseline_id,
        }
        paging = given | {"limit": query.limit, "offset": query.offset}
        listing = text(_CASES.format(order=_ORDERS[query.order])).bindparams(*_IDS)
        async with self._engine.connect() as connection:
            total: int = (await connection.execute(text(_COUNT).bindparams(*_IDS), given)).scalar_one()
            rows = (await connection.execute(listing, paging)).mappings()
            return [ExperimentCase.model_validate(dict(row)) for row in rows], total

    async def look_due(self, experiment_id: UUID) -> bool:
        query = select(t.experiment.c.look_due).where(t.experiment.c.id == experiment_id)
        async with self._engine.connect() as connection:
            return bool((await connection.execute(query)).scalar())

    async def earlier_variance(self, metric: str, design: Design) -> tuple[float, str] | None:
        query = _PAIRED_VARIANCE if design is Design.PAIRED else _SPLIT_VARIANCE
        async with self._engine.connect() as connection:
            row = (await connection.execute(query, {"metric": metric})).one_or_none()
        return None if row is None or row.pairs < LEAST_PAIRS or not row.variance else (row.variance, row.name)

    async def paces(self, models: Sequence[Model], *, judging: bool) -> Mapping[Model, Pace]:
        async with self._engine.connect() as connection:
            return await read_paces(connection, models, judging=judging)

    async def order(self, sources: Mapping[str, Any], cluster_by: str | None) -> Sequence[OrderedCase]:
        async with self._engine.connect() as connection:
            return await read_order(connection, sources, cluster_by, 0)


def _look(row: RowMapping) -> LookOut:
    results = LookResults.model_validate(row["results"])
    return LookOut(**dict(results), look_id=row["id"], number=row["number"], round=row["round"], made_at=row["made_at"])
