"""Advance experiments in PostgreSQL transactions, each of which locks one experiment."""

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid5

from sqlalchemy import insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.base import Message
from llmbench.contracts.experiment_words import ExperimentStatus, RoundStatus
from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from llmbench.ids import new_id
from llmbench.messaging.outbox import put
from orchestrator.experiments.adapters.experiment_store import read_experiment, read_rounds
from orchestrator.experiments.adapters.round_values import read_values, values_of_round
from orchestrator.experiments.domain.data import CaseValue, Values
from orchestrator.experiments.domain.order import OrderedCase, shuffled
from orchestrator.experiments.domain.records import Experiment, Round, Stop
from orchestrator.experiments.ports.rounds import DueExperiment, NewRound
from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.runs.adapters.clusters import cases_of_sources, require_key
from orchestrator.runs.adapters.prompts import require_rendering_of_sources
from orchestrator.runs.adapters.sampled_cases import read_cases

_OVER = (RunStatus.FINISHED, RunStatus.CANCELLED)
_OPEN: Final = f"('{RoundStatus.STARTING}', '{RoundStatus.STARTED}')"

# A running experiment is due if no round is open, or if the run of an open round is missing, over or paused. Any other
# experiment is due while the run of an open round goes on: a kill may have prevented its pause or its end. A running
# experiment is also due when observations have arrived, or when its maximum duration is over.
_DUE: Final = text(
    f"""
    SELECT experiment.id, experiment.org_id FROM experiment
    WHERE status = '{ExperimentStatus.RUNNING}' AND setup ->> 'sources' IS DISTINCT FROM 'none' AND NOT EXISTS (
        SELECT FROM experiment_round AS each WHERE each.experiment_id = experiment.id AND each.status IN {_OPEN}
    )
    UNION
    SELECT experiment.id, experiment.org_id FROM experiment
    JOIN experiment_round AS each ON each.experiment_id = experiment.id AND each.status IN {_OPEN}
    LEFT JOIN run ON run.id = each.run_id
    WHERE CASE experiment.status WHEN '{ExperimentStatus.RUNNING}'
          THEN run.id IS NULL OR run.status IN ('{RunStatus.FINISHED}', '{RunStatus.CANCELLED}', '{RunStatus.PAUSED}')
          ELSE run.status IS DISTINCT FROM '{RunStatus.PAUSED}' OR experiment.status <> '{ExperimentStatus.PAUSED}' END
    UNION
    SELECT id, org_id FROM experiment
    WHERE status = '{ExperimentStatus.RUNNING}' AND (look_due OR :now > started_at
          + make_interval(secs => 86400 * CAST(config ->> 'maximum_duration_days' AS float8)))
    LIMIT :most
    """  # noqa: S608  # made of constants
)


class PostgresRoundStore:
    """Implement the port `RoundStore` in PostgreSQL. Due experiments are found in all organisations, by the engine
    `everybody`. One is then locked and changed in its own organisation, by the engine `engine`."""

    def __init__(self, engine: AsyncEngine, everybody: AsyncEngine) -> None:
        self._engine = engine
        self._everybody = everybody

    @asynccontextmanager
    async def lead(self, experiment_id: UUID) -> AsyncIterator["PostgresExperimentTransaction | None"]:
        async with self._engine.begin() as connection:
            experiment = await read_experiment(connection, experiment_id, lock=True)
            if experiment is None:
                yield None
                return
            rounds = await read_rounds(connection, experiment_id)
            yield PostgresExperimentTransaction(connection, experiment, rounds)

    async def case_ids(self, experiment_id: UUID, positions: Sequence[int]) -> Sequence[UUID]:
        case = t.experiment_case.c
        query = select(case.case_id).where(case.experiment_id == experiment_id, case.position.in_(positions))
        async with self._engine.connect() as connection:
            return list((await connection.execute(query.order_by(case.position))).scalars())

    async def started(self, round_id: UUID, run_id: UUID) -> bool:
        starting = (t.experiment_round.c.id == round_id) & (t.experiment_round.c.status == RoundStatus.STARTING)
        values = {"status": RoundStatus.STARTED, "run_id": run_id}
        async with self._engine.begin() as connection:
            return (await connection.execute(update(t.experiment_round).where(starting).values(values))).rowcount > 0

    async def due(self, now: datetime, *, most: int) -> Sequence[DueExperiment]:
        async with self._everybody.connect() as connection:
            rows = await connection.execute(_DUE, {"now": now, "most": most})
            return [DueExperiment(row.id, row.org_id) for row in rows]


class PostgresExperimentTransaction:
    """Implement the port `ExperimentTransaction` in PostgreSQL."""

    def __init__(self, connection: AsyncConnection, experiment: Experiment, rounds: Sequence[Round]) -> None:
        self._connection = connection
        self.experiment = experiment
        self.rounds = rounds

    async def set_status(self, status: ExperimentStatus, *, reason: str | None, now: datetime) -> None:
        values: dict[str, Any] = {"status": status, "status_reason": reason}
        if self.experiment.status is ExperimentStatus.DRAFT:
            values["started_at"] = now
        if status is ExperimentStatus.CONCLUDED:
            values["concluded_at"] = now
        await self._change(**values, version=self.experiment.version + 1, updated_at=now)

    async def start(self, order: Sequence[OrderedCase], planned: int | None) -> None:
        await self._change(
            case_count=len(order),
            cluster_count=order[-1].cluster + 1 if order else 0,
            largest_cluster=max(Counter(case.cluster for case in order).values(), default=1),
            planned_sample=planned,
        )
        if order:
            rows = [{"experiment_id": self.experiment.id, **asdict(case)} for case in order]
            await self._connection.execute(insert(t.experiment_case), rows)

    async def cases(self) -> Sequence[OrderedCase]:
        experiment = self.experiment
        sources, cluster_by = experiment.setup["sources"], experiment.config.cluster_by
        return await read_order(self._connection, sources, cluster_by, experiment.seed)

    async def require_prompts(self, new: NewRun) -> None:
        await require_rendering_of_sources(self._connection, new)

    async def next_cases(self, *, after_cluster: int, clusters: int) -> Sequence[OrderedCase]:
        case = t.experiment_case.c
        query = select(case.position, case.case_id, case.name, case.cluster).where(
            case.experiment_id == self.experiment.id,
            case.cluster > after_cluster,
            case.cluster <= after_cluster + clusters,
        )
        rows = (await self._connection.execute(query.order_by(case.position))).mappings()
        return [OrderedCase(**row) for row in rows]

    async def values_of(self, round_: Round) -> Sequence[CaseValue]:
        return await values_of_round(self._connection, self.experiment, round_)

    async def add_values(self, round_: Round, values: Sequence[CaseValue], now: datetime) -> None:
        rows = [
            {
                "id": uuid5(round_.id, f"{value.variant_id} {value.position}"),
                "experiment_id": self.experiment.id,
                "variant_id": value.variant_id,
                "unit_id": value.name,
                "cluster": str(value.cluster),
                "round": round_.number,
                "place": value.position,
                "value": value.value,
                "guardrails": dict(value.guardrails),
                "propensity": value.propensity,
                "item_id": value.item_id,
                "observed_at": now,
            }
            for value in values
        ]
        if rows:
            await self._connection.execute(insert(t.observation), rows)
        await add_totals(self._connection, [(value.variant_id, value.value) for value in values])
        await self._spend(round_)
        ending = update(t.experiment_round).where(t.experiment_round.c.id == round_.id)
        await self._connection.execute(ending.values(status=RoundStatus.OVER, ended_at=now))

    async def end_round(self, round_: Round, status: str, *, reason: str, now: datetime) -> None:
        ending = update(t.experiment_round).where(t.experiment_round.c.id == round_.id)
        await self._connection.execute(ending.values(status=status, reason=reason, ended_at=now))
        await self._spend(round_)

    async def values(self) -> Values:
        return await read_values(self._connection, self.experiment.id)

    async def add_look(self, round_number: int | None, results: Mapping[str, Any], now: datetime) -> int:
        of_experiment = t.look.c.experiment_id == self.experiment.id
        last = select(t.look.c.number).where(of_experiment).order_by(t.look.c.number.desc()).limit(1)
        number: int = ((await self._connection.execute(last)).scalar() or 0) + 1
        values = {"id": new_id(), "experiment_id": self.experiment.id, "number": number, "round": round_number}
        await self._connection.execute(insert(t.look).values(**values, results=dict(results), made_at=now))
        await self._change(look_due=False)
        return number

    async def drop(self, reasons: Mapping[UUID, str], now: datetime) -> None:
        for variant_id, reason in reasons.items():
            dropping = update(t.variant).where(t.variant.c.id == variant_id, t.variant.c.out_at.is_(None))
            await self._connection.execute(dropping.values(out_reason=reason, out_at=now))

    async def begin(self, rounds: Sequence[NewRound], now: datetime) -> None:
        rows = [
            {
                "id": new_id(),
                "experiment_id": self.experiment.id,
                "number": each.number,
                "attempt": each.attempt,
                "variant_ids": list(each.variant_ids),
                "positions": list(each.positions),
                "allocation": each.allocation,
                "status": RoundStatus.STARTING,
                "created_at": now,
            }
            for each in rounds
        ]
        await self._connection.execute(insert(t.experiment_round), rows)

    async def stop(self, stop: Stop) -> None:
        await self._change(stop_rule=stop.rule, stop_sentence=stop.sentence, stopped_at=stop.at)

    async def conclude(self, conclusion: Mapping[str, Any]) -> None:
        await self._change(conclusion=dict(conclusion))

    async def publish(self, messages: Sequence[Message]) -> None:
        await put(self._connection, t.run_outbox, messages)

    async def _spend(self, round_: Round) -> None:
        self.experiment = replace(self.experiment, cost_usd=self.experiment.cost_usd + round_.run_cost_usd)
        await self._change(cost_usd=self.experiment.cost_usd)

    async def _change(self, **values: Any) -> None:
        await self._connection.execute(
            update(t.experiment).where(t.experiment.c.id == self.experiment.id).values(values)
        )


async def read_order(
    connection: AsyncConnection, sources: Mapping[str, Any], cluster_by: str | None, seed: int
) -> list[OrderedCase]:
    """Return all cases of the sources, shuffled by the seed. `cluster_by` is the metadata key by which cases are
    clustered. Raises a 422 `Problem` if a case lacks this key."""
    ids = [[UUID(str(id_)) for id_ in sources[name]] for name in ("collection_ids", "dataset_version_ids")]
    cases = cases_of_sources(*ids)
    if cluster_by is not None:
        await require_key(connection, cases, cluster_by)
    return shuffled(await read_cases(connection, cases, cluster_by), seed)


async def add_totals(connection: AsyncConnection, values: Sequence[tuple[UUID, float | None]]) -> None:
    """Add values of the primary metric to the totals of their variants. Each entry of `values` is a variant's id and
    one value; `None` counts as a missing value."""
    totals: dict[UUID, list[float]] = {}
    missing: dict[UUID, int] = {}
    for variant_id, value in values:
        known = totals.setdefault(variant_id, [])
        if value is None:
            missing[variant_id] = missing.get(variant_id, 0) + 1
        else:
            known.append(value)
    # In a fixed order, so that two transactions do not wait for each other.
    for variant_id in sorted(totals):
        known = totals[variant_id]
        adding = update(t.variant).where(t.variant.c.id == variant_id)
        await connection.execute(
            adding.values(
                sample_count=t.variant.c.sample_count + len(known),
                metric_sum=t.variant.c.metric_sum + sum(known),
                metric_sum_squares=t.variant.c.metric_sum_squares + sum(value * value for value in known),
                missing_count=t.variant.c.missing_count + missing.get(variant_id, 0),
            )
        )
