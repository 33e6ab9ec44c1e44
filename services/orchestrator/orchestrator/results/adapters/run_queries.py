"""Read runs for the API, such as pages of runs, a run in detail, its log and its events."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, RowMapping, Select, exists, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.read_run_events import RunEventPage
from llmbench.contracts.run_event import RUN_EVENT
from llmbench.contracts.run_logged import RunLogged
from llmbench.contracts.run_progressed import CurrentWork, RunProgressed
from llmbench.contracts.run_words import ClusterLevel, GroupStatus, RunOutcome, RunPhase, RunStatus, RunType
from llmbench.db import tables as t
from orchestrator.kernel.adapters.queue import ORDER
from orchestrator.kernel.domain.queue import Turn
from orchestrator.kernel.domain.records import BY_PROGRAM
from orchestrator.results.adapters import distribution, failures, figures
from orchestrator.results.adapters.blocks import freshen
from orchestrator.results.adapters.evaluator_figures import by_evaluator, evaluator_refs
from orchestrator.results.adapters.gate_verdicts import decided_gates, gates_of, subjects_of
from orchestrator.results.adapters.judge_agreements import agreements_of
from orchestrator.results.adapters.queue_turns import turns_of
from orchestrator.results.adapters.ranking import ranking_of
from orchestrator.results.adapters.run_order import groups_of, page_query
from orchestrator.results.adapters.tag_figures import by_tag
from orchestrator.results.domain.cut_answers import cut_warning
from orchestrator.results.domain.judge_agreement import JudgeAgreement
from orchestrator.results.ports.distribution_schemas import RunDistribution
from orchestrator.results.ports.failure_schemas import RunFailures
from orchestrator.results.ports.figure_schemas import TargetResult
from orchestrator.results.ports.queries import RunFilter
from orchestrator.results.ports.run_lists import Grouping, RunGroup, RunOrder, RunPlace, RunSlice
from orchestrator.results.ports.schedule_schemas import ExperimentRef, ScheduleRef
from orchestrator.results.ports.schemas import (
    GroupOut,
    JudgeOut,
    QueuePlace,
    RunCounts,
    RunDetail,
    RunLimits,
    RunLog,
    RunSummary,
    RunWarning,
    TargetOut,
)
from orchestrator.results.ports.source_schemas import CollectionRef, DatasetVersionRef, PromptRef, SuiteRef

_OVER = (RunStatus.FINISHED, RunStatus.CANCELLED)


class RunQueries:
    """Implement the port `RunReader` in SQL: read runs for the API."""

    def __init__(self, engine: AsyncEngine, *, no_room: Callable[[], str | None] = lambda: None) -> None:
        """Create the reader. While the disk is full, `no_room` returns a reason, which every unfinished run then shows
        as a warning; otherwise it returns `None`."""
        self._engine = engine
        self._no_room = no_room

    async def runs(self, chosen: RunFilter, *, order: RunOrder, after: RunPlace | None, limit: int) -> RunSlice:
        query = page_query([*_conditions(chosen)], order, after, limit + 1)
        async with self._engine.connect() as connection:
            found = (await connection.execute(query)).mappings().all()
        rows = found[:limit]
        last = RunPlace(rows[-1]["sort_value"], rows[-1]["id"]) if len(found) > limit else None
        await freshen(self._engine, [row["id"] for row in rows])
        async with self._engine.connect() as connection:
            return RunSlice(await self._summaries(connection, rows), last)

    async def groups(
        self, chosen: RunFilter, grouping: Grouping, *, after: str | None, limit: int
    ) -> Sequence[RunGroup]:
        return await groups_of(self._engine, [*_conditions(chosen)], grouping, after=after, limit=limit)

    async def queue(self, limit: int) -> list[RunSummary]:
        query = select(t.run).where(t.run.c.status == RunStatus.QUEUED).order_by(*ORDER).limit(limit)
        async with self._engine.connect() as connection:
            return await self._summaries(connection, (await connection.execute(query)).mappings().all())

    async def exists(self, run_id: UUID) -> bool:
        async with self._engine.connect() as connection:
            return (await connection.execute(select(t.run.c.id).where(t.run.c.id == run_id))).one_or_none() is not None

    async def judges(self, run_id: UUID) -> list[JudgeAgreement]:
        async with self._engine.connect() as connection:
            return await agreements_of(connection, run_id)

    async def run(self, run_id: UUID) -> RunSummary | None:
        rows = await self._fresh(run_id)
        async with self._engine.connect() as connection:
            return (await self._summaries(connection, rows))[0] if rows else None

    async def detail(self, run_id: UUID, *, tasks: bool, case_tags: bool = False) -> RunDetail | None:
        while True:
            counted = await self._fresh(run_id)
            if not counted:
                return None
            ranking = await ranking_of(self._engine, run_id)
            async with self._engine.connect() as connection:
                # All statements see one moment: the counts, the groups, and the number of the last event.
                await connection.execution_options(isolation_level="REPEATABLE READ")
                rows = (await connection.execute(select(t.run).where(t.run.c.id == run_id))).mappings().all()
                if not rows:
                    return None
                if rows[0]["status"] != counted[0]["status"]:
                    # Its figures may be older than its status: those of a finished run would lack its last answers.
                    continue
                summary = (await self._summaries(connection, rows))[0]
                working = await _working(connection, run_id, summary.status)
                results = await figures.by_target(connection, run_id, ranking)
                evaluators = await by_evaluator(connection, run_id, ranking)
                totals = await figures.totals(connection, run_id, ranking.speed)
                return RunDetail(
                    **summary.model_dump(exclude={"evaluators", "warnings"}),
                    warnings=[*summary.warnings, *_cut_warnings(summary, results)],
                    limits=RunLimits.model_validate(dict(rows[0])),
                    gates=await decided_gates(connection, rows[0]),
                    groups=await _groups(connection, run_id),
                    evaluators=evaluators,
                    totals=totals,
                    cost_parts=figures.cost_parts(summary, totals, evaluators),
                    results=results,
                    categories=await figures.by_category(connection, run_id, ranking.speed),
                    tasks=await figures.by_task(connection, run_id) if tasks else None,
                    case_tags=await by_tag(connection, run_id) if case_tags else None,
                    current=next(iter(working), None),
                    others=working[1:],
                    last_seq=rows[0]["last_seq"],
                )

    async def _fresh(self, run_id: UUID) -> Sequence[RowMapping]:
        """Bring the run's statistics up to date. Return the run's row in a list, which is empty if there is no such
        run."""
        async with self._engine.connect() as connection:
            rows = (await connection.execute(select(t.run).where(t.run.c.id == run_id))).mappings().all()
        if rows:
            await freshen(self._engine, [run_id])
        return rows

    async def _summaries(self, connection: AsyncConnection, rows: Sequence[RowMapping]) -> list[RunSummary]:
        summaries = await _summaries(connection, rows)
        if (trouble := self._no_room()) is not None:
            for run in summaries:
                if run.status not in _OVER:
                    run.warnings.append(RunWarning(kind="no_room", message=f"The run waits: {trouble}"))
        return summaries

    async def distribution(self, run_id: UUID) -> RunDistribution:
        ranking = await ranking_of(self._engine, run_id)
        async with self._engine.connect() as connection:
            return await distribution.of_run(connection, run_id, ranking)

    async def failures(self, run_id: UUID) -> RunFailures:
        async with self._engine.connect() as connection:
            return await failures.causes(connection, run_id)

    async def log(self, run_id: UUID, *, after: int, limit: int) -> RunLog | None:
        async with self._engine.connect() as connection:
            last_seq = (await connection.execute(select(t.run.c.last_seq).where(t.run.c.id == run_id))).scalar()
            if last_seq is None:
                return None
            query = (
                select(t.run_event.c.body)
                .where(t.run_event.c.run_id == run_id, t.run_event.c.run_seq > after)
                .where(t.run_event.c.type == RunLogged.model_fields["type"].default)
                .order_by(t.run_event.c.run_seq)
                .limit(limit)
            )
            lines = [RunLogged.model_validate(body) for body in (await connection.execute(query)).scalars()]
        return RunLog(lines=lines, next_after=lines[-1].run_seq if lines else after, last_seq=last_seq)

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
    versions: dict[UUID, list[DatasetVersionRef]] = {}
    drawn = select(t.run_dataset_version).where(t.run_dataset_version.c.run_id.in_(ids))
    for row in await _all(connection, drawn.order_by(t.run_dataset_version.c.position)):
        versions.setdefault(row["run_id"], []).append(DatasetVersionRef.model_validate(dict(row)))
    started_by = t.run.join(t.schedule, t.schedule.c.id == t.run.c.schedule_id)
    naming = select(t.run.c.id.label("run_id"), t.schedule.c.id, t.schedule.c.name).select_from(started_by)
    schedules = {
        row["run_id"]: ScheduleRef(id=row["id"], name=row["name"])
        for row in await _all(connection, naming.where(t.run.c.id.in_(ids)))
    }
    of_rounds = t.run.join(t.experiment, t.experiment.c.id == t.run.c.experiment_id)
    asking = select(t.run.c.id.label("run_id"), t.experiment.c.id, t.experiment.c.name).select_from(of_rounds)
    experiments = {
        row["run_id"]: ExperimentRef(id=row["id"], name=row["name"])
        for row in await _all(connection, asking.where(t.run.c.id.in_(ids)))
    }
    of_suites = {
        row["run_id"]: SuiteRef(suite_id=row["suite_id"], name=row["name"], version_number=row["version_number"])
        for row in await _all(connection, select(t.run_suite).where(t.run_suite.c.run_id.in_(ids)))
    }
    means = await figures.means(connection, ids)
    scores = await figures.target_scores(connection, ids)
    evaluators = await evaluator_refs(connection, ids)
    subjects, gates = await subjects_of(connection, rows), await gates_of(connection, rows)
    queued = any(row["status"] == RunStatus.QUEUED for row in rows)
    turns = await turns_of(connection, datetime.now(UTC)) if queued else {}
    return [
        RunSummary(
            id=row["id"],
            type=RunType(row["type"]),
            name=row["name"],
            description=row["description"],
            tags=row["tags"],
            baseline_run_id=row["baseline_run_id"],
            warnings=row["warnings"],
            cluster_by=row["cluster_by"],
            cluster_level=ClusterLevel(row["cluster_level"]),
            max_cost_usd=row["max_cost_usd"],
            cost_usd=row["cost_usd"],
            unpriced_calls=row["unpriced_count"],
            status=RunStatus(row["status"]),
            phase=RunPhase(row["phase"]),
            outcome=RunOutcome(row["outcome"]) if row["outcome"] else None,
            status_reason=row["status_reason"],
            judge=_judge(row),
            evaluators=evaluators.get(row["id"], []),
            targets=targets.get(row["id"], []),
            collections=collections.get(row["id"], []),
            dataset_versions=versions.get(row["id"], []),
            counts=RunCounts(
                items=row["item_count"],
                answered=row["answered_count"],
                judged=row["judged_count"],
                failed=row["failed_count"],
                skipped=row["skipped_count"],
            ),
            show_choices=row["show_choices"],
            created_at=row["created_at"],
            started_at=row["started_at"],
            reopened_at=row["reopened_at"],
            finished_at=row["finished_at"],
            took_s=row["took_s"],
            mean_score=means.get(row["id"]),
            target_scores=scores.get(row["id"], []),
            cases=row["case_count"],
            sample=row["sample"],
            queue=_place(turns.get(row["id"])) if row["status"] == RunStatus.QUEUED else None,
            created_by=row["created_by"],
            schedule=schedules.get(row["id"]),
            experiment=experiments.get(row["id"]),
            subject=subjects.get(row["id"]),
            baseline_label=row["baseline_label"],
            gate=gates.get(row["id"]),
            suite=of_suites.get(row["id"]),
        )
        for row in rows
    ]


def _cut_warnings(run: RunSummary, results: Sequence[TargetResult]) -> Iterator[RunWarning]:
    params = {target.id: target.params.model_dump(mode="json") for target in run.targets}
    for result in results:
        answers = result.timed + result.cached
        warning = cut_warning(result.label, cut=result.cut, answers=answers, params=params.get(result.target_id, {}))
        if warning is not None:
            yield RunWarning(kind="cut_answers", message=warning)


def _place(turn: Turn | None) -> QueuePlace | None:
    return QueuePlace(position=turn.position, priority=turn.priority, estimated_start=turn.starts_at) if turn else None


def _judge(row: RowMapping) -> JudgeOut | None:
    if row["judge_model"] is None:
        return None
    return JudgeOut(
        provider_id=row["judge_provider_id"],
        provider_name=row["judge_provider_name"],
        model=row["judge_model"],
        params=SamplingParams.model_validate(row["judge_params"]),
    )


def _target(row: RowMapping) -> TargetOut:
    return TargetOut(
        id=row["id"],
        label=row["label"],
        provider_id=row["provider_id"],
        provider_name=row["provider_name"],
        model=row["model"],
        params=SamplingParams.model_validate(row["params"]),
        epochs=row["epochs"],
        timeout_s=row["timeout_s"],
        max_attempts=row["max_attempts"],
        use_cache=row["use_cache"],
        prompt=PromptRef.model_validate(row["prompt"]) if row["prompt"] else None,
    )


def _conditions(chosen: RunFilter) -> Iterator[ColumnElement[bool]]:
    if chosen.statuses:
        yield t.run.c.status.in_(chosen.statuses)
    if chosen.types:
        yield t.run.c.type.in_(chosen.types)
    if chosen.created_from is not None:
        yield t.run.c.created_at >= chosen.created_from
    if chosen.created_before is not None:
        yield t.run.c.created_at < chosen.created_before
    if chosen.tags:
        yield t.run.c.tags.contains(list(chosen.tags))
    if chosen.provider_ids:
        called = t.run_group.c
        yield exists().where(called.run_id == t.run.c.id, called.provider_id.in_(chosen.provider_ids))
    if chosen.has_tag is not None:
        yield (func.cardinality(t.run.c.tags) > 0) == chosen.has_tag
    if chosen.has_suite is not None:
        yield _of_suite() == chosen.has_suite
    if chosen.suite is not None:
        yield _of_suite(t.run_suite.c.name == chosen.suite)
    if chosen.text:
        yield t.run.c.name.icontains(chosen.text, autoescape=True) | t.run.c.description.icontains(
            chosen.text, autoescape=True
        )


def _of_suite(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that a run is a suite run, and that the `conditions` on its row of `run_suite` hold."""
    return exists().where(t.run_suite.c.run_id == t.run.c.id, *conditions).correlate(t.run)


async def _groups(connection: AsyncConnection, run_id: UUID) -> list[GroupOut]:
    query = select(t.run_group).where(t.run_group.c.run_id == run_id).order_by(t.run_group.c.position)
    return [
        GroupOut(
            id=row["id"],
            phase=RunPhase(row["phase"]),
            provider_id=row["provider_id"],
            provider_name=row["provider"]["name"] if row["provider"] else "llmbench",
            provider_type=row["provider"]["type"] if row["provider"] else None,
            model=row["model"] or BY_PROGRAM,
            status=GroupStatus(row["status"]),
            concurrency=row["concurrency"],
            total=row["new_count"] + row["in_flight_count"] + row["done_count"] + row["failed_count"],
            done=row["done_count"],
            failed=row["failed_count"],
            opened_at=row["opened_at"],
            backoff_until=row["backoff_until"],
            backoff_reason=row["backoff_reason"],
            out_of_credit_reason=row["out_of_credit_reason"],
            failure_reason=row["failure_reason"],
        )
        for row in await _all(connection, query)
    ]


async def _working(connection: AsyncConnection, run_id: UUID, status: RunStatus) -> list[CurrentWork]:
    """Return the work in progress, as of the run's last progress event; nothing while the run is not active."""
    if status not in (RunStatus.RUNNING, RunStatus.PAUSING):
        return []
    query = (
        select(t.run_event.c.body)
        .where(t.run_event.c.run_id == run_id, t.run_event.c.type == RunProgressed.model_fields["type"].default)
        .order_by(t.run_event.c.run_seq.desc())
        .limit(1)
    )
    body = (await connection.execute(query)).scalar()
    if not body:
        return []
    progress = RunProgressed.model_validate(body)
    return [*filter(None, [progress.current]), *(progress.others or ())]


async def _all(connection: AsyncConnection, query: Select[*tuple[Any, ...]]) -> Sequence[RowMapping]:
    return (await connection.execute(query)).mappings().all()
