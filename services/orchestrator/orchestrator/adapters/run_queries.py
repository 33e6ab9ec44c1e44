"""What the API shows of runs: read-only, one query per need."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, Select, case, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.read_run_events import RunEventPage
from llmbench.contracts.run_event import RUN_EVENT
from llmbench.contracts.run_progressed import RunProgressed
from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunOutcome, RunPhase, RunStatus
from llmbench.db import tables as t
from orchestrator.ports.schemas import (
    CollectionRef,
    EvaluatorOut,
    GroupOut,
    JudgeOut,
    RunCounts,
    RunDetail,
    RunSummary,
    TargetOut,
    TargetResult,
)


class RunQueries:
    """See orchestrator.ports.queries.RunReader."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def unfinished(self) -> dict[UUID, RunStatus]:
        over = [RunStatus.FINISHED, RunStatus.CANCELLED]
        async with self._engine.connect() as connection:
            rows = await connection.execute(select(t.run.c.id, t.run.c.status).where(t.run.c.status.not_in(over)))
            return {row.id: RunStatus(row.status) for row in rows}

    async def runs(
        self, *, statuses: Sequence[RunStatus], after: tuple[datetime, UUID] | None, limit: int
    ) -> list[RunSummary]:
        """Newest first, from just after the run that `after` names."""
        query = select(t.run).order_by(t.run.c.created_at.desc(), t.run.c.id.desc()).limit(limit)
        if statuses:
            query = query.where(t.run.c.status.in_(statuses))
        if after is not None:
            query = query.where(tuple_(t.run.c.created_at, t.run.c.id) < after)
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).mappings().all()
            return await _summaries(connection, rows)

    async def run(self, run_id: UUID) -> RunSummary | None:
        async with self._engine.connect() as connection:
            rows = (await connection.execute(select(t.run).where(t.run.c.id == run_id))).mappings().all()
            return (await _summaries(connection, rows))[0] if rows else None

    async def detail(self, run_id: UUID) -> RunDetail | None:
        async with self._engine.connect() as connection:
            rows = (await connection.execute(select(t.run).where(t.run.c.id == run_id))).mappings().all()
            if not rows:
                return None
            summary = (await _summaries(connection, rows))[0]
            return RunDetail(
                **summary.model_dump(),
                groups=await _groups(connection, run_id),
                evaluators=await _evaluators(connection, run_id),
                results=await _results(connection, run_id),
                current=await _current(connection, run_id, summary.status),
                last_seq=rows[0]["last_seq"],
            )

    async def events(self, run_id: UUID, *, from_seq: int, limit: int) -> RunEventPage:
        async with self._engine.connect() as connection:
            last_seq = (await connection.execute(select(t.run.c.last_seq).where(t.run.c.id == run_id))).scalar()
            if last_seq is None:
                return RunEventPage(found=False, next_seq=from_seq, last_seq=0)
            query = (
                select(t.run_event.c.run_seq, t.run_event.c.body)
                .where(t.run_event.c.run_id == run_id, t.run_event.c.run_seq >= from_seq)
                .order_by(t.run_event.c.run_seq)
                .limit(limit)
            )
            rows = (await connection.execute(query)).all()
        next_seq = rows[-1].run_seq + 1 if rows else max(from_seq, last_seq + 1)
        events = tuple(RUN_EVENT.validate_python(row.body) for row in rows)
        return RunEventPage(events=events, next_seq=next_seq, last_seq=last_seq)


async def _summaries(connection: AsyncConnection, rows: Sequence[RowMapping]) -> list[RunSummary]:
    ids = [row["id"] for row in rows]
    targets: dict[UUID, list[TargetOut]] = {}
    for row in await _all(connection, select(t.target).where(t.target.c.run_id.in_(ids)).order_by(t.target.c.position)):
        targets.setdefault(row["run_id"], []).append(_target(row))
    collections: dict[UUID, list[CollectionRef]] = {}
    named = select(t.run_collection).where(t.run_collection.c.run_id.in_(ids)).order_by(t.run_collection.c.name)
    for row in await _all(connection, named):
        collections.setdefault(row["run_id"], []).append(CollectionRef(id=row["collection_id"], name=row["name"]))
    means_query = (
        select(t.item.c.run_id, func.avg(t.item.c.score_normalised).label("mean"))
        .where(t.item.c.run_id.in_(ids))
        .group_by(t.item.c.run_id)
    )
    means = {row["run_id"]: row["mean"] for row in await _all(connection, means_query)}
    return [
        RunSummary(
            id=row["id"],
            name=row["name"],
            status=RunStatus(row["status"]),
            phase=RunPhase(row["phase"]),
            outcome=RunOutcome(row["outcome"]) if row["outcome"] else None,
            status_reason=row["status_reason"],
            judge=JudgeOut(
                provider_id=row["judge_provider_id"],
                provider_name=row["judge_provider_name"],
                model=row["judge_model"],
                params=SamplingParams.model_validate(row["judge_params"]),
            ),
            targets=targets.get(row["id"], []),
            collections=collections.get(row["id"], []),
            counts=RunCounts(
                items=row["item_count"],
                answered=row["answered_count"],
                judged=row["judged_count"],
                failed=row["failed_count"],
            ),
            created_at=row["created_at"],
            started_at=row["started_at"],
            finished_at=row["finished_at"],
            mean_score=means.get(row["id"]),
        )
        for row in rows
    ]


def _target(row: RowMapping) -> TargetOut:
    return TargetOut(
        id=row["id"],
        label=row["label"],
        provider_id=row["provider_id"],
        provider_name=row["provider_name"],
        model=row["model"],
        params=SamplingParams.model_validate(row["params"]),
    )


async def _groups(connection: AsyncConnection, run_id: UUID) -> list[GroupOut]:
    query = select(t.run_group).where(t.run_group.c.run_id == run_id).order_by(t.run_group.c.position)
    return [
        GroupOut(
            id=row["id"],
            phase=RunPhase(row["phase"]),
            provider_id=row["provider_id"],
            provider_name=row["provider"]["name"],
            provider_type=row["provider"]["type"],
            model=row["model"],
            status=GroupStatus(row["status"]),
            concurrency=row["concurrency"],
            total=row["new_count"] + row["in_flight_count"] + row["done_count"] + row["failed_count"],
            done=row["done_count"],
            failed=row["failed_count"],
            backoff_until=row["backoff_until"],
            failure_reason=row["failure_reason"],
        )
        for row in await _all(connection, query)
    ]


async def _evaluators(connection: AsyncConnection, run_id: UUID) -> list[EvaluatorOut]:
    query = (
        select(t.evaluator_revision)
        .join(t.run_evaluator, t.run_evaluator.c.evaluator_revision_id == t.evaluator_revision.c.id)
        .where(t.run_evaluator.c.run_id == run_id)
        .order_by(t.run_evaluator.c.position)
    )
    return [
        EvaluatorOut(
            revision_id=row["id"],
            kind=row["kind"],
            schema_name=row["schema_name"],
            schema_version=row["schema_version"],
            scale_min=row["scale_min"],
            scale_max=row["scale_max"],
        )
        for row in await _all(connection, query)
    ]


async def _results(connection: AsyncConnection, run_id: UUID) -> list[TargetResult]:
    def count(status: ItemStatus) -> Any:
        return func.count(case((t.item.c.status == status, 1)))

    query = (
        select(
            t.target.c.id.label("target_id"),
            t.target.c.label,
            t.target.c.model,
            func.count(t.item.c.id).label("items"),
            count(ItemStatus.COMPLETED).label("completed"),
            count(ItemStatus.FAILED).label("failed"),
            func.count(t.item.c.score_normalised).label("scored"),
            func.avg(t.item.c.score_normalised).label("mean_score"),
            func.avg(case((t.item.c.passed.is_(True), 1.0), (t.item.c.passed.is_(False), 0.0))).label("pass_rate"),
            func.avg(t.item.c.time_ms).label("mean_time_ms"),
            func.avg(t.item.c.first_token_ms).label("mean_first_token_ms"),
            func.avg(t.item.c.tokens_per_second).label("mean_tokens_per_second"),
            func.coalesce(func.sum(t.item.c.completion_tokens), 0).label("completion_tokens"),
        )
        .outerjoin(t.item, t.item.c.target_id == t.target.c.id)
        .where(t.target.c.run_id == run_id)
        .group_by(t.target.c.id)
        .order_by(t.target.c.position)
    )
    return [TargetResult.model_validate(dict(row)) for row in await _all(connection, query)]


async def _current(connection: AsyncConnection, run_id: UUID, status: RunStatus) -> Any:
    if status not in (RunStatus.RUNNING, RunStatus.PAUSING):
        return None
    query = (
        select(t.run_event.c.body)
        .where(t.run_event.c.run_id == run_id, t.run_event.c.type == RunProgressed.model_fields["type"].default)
        .order_by(t.run_event.c.run_seq.desc())
        .limit(1)
    )
    body = (await connection.execute(query)).scalar()
    return RunProgressed.model_validate(body).current if body else None


async def _all(connection: AsyncConnection, query: Select[*tuple[Any, ...]]) -> Sequence[RowMapping]:
    return (await connection.execute(query)).mappings().all()
