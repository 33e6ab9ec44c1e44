"""Read what `/v1/evaluations` returns: an evaluation, a batch, or a page of runs."""

from collections.abc import Iterator, Sequence, Set
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, RowMapping, Uuid, bindparam, func, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.run_words import RunOutcome, RunPhase, RunStatus, RunType
from llmbench.db import tables as t
from orchestrator.evaluations.domain.evaluation import (
    RUN_WORDS,
    RunWord,
    batch_word,
    expected_end,
    run_word,
    single_word,
)
from orchestrator.evaluations.ports.evaluations import (
    BatchOut,
    BatchProgress,
    EvaluationFilter,
    EvaluationOut,
    EvaluationRunOut,
    MetricResult,
    MetricSummary,
    SampledOut,
    WebhookOut,
)
from orchestrator.kernel.adapters.primary_revision import primary_revisions
from orchestrator.results.adapters.evaluator_figures import evaluator_refs
from orchestrator.results.adapters.item_queries import scores_of
from orchestrator.results.ports.item_schemas import ScoreOut

_SUMMARIES: Final = text(
    f"""
    SELECT primary_revision.run_id, slot, count(normalised) AS scored, avg(normalised) AS mean,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY normalised) AS p50,
           percentile_cont(0.95) WITHIN GROUP (ORDER BY normalised) AS p95
    FROM (
        SELECT *, (
                   SELECT min(position) FROM run_evaluator AS of_slot
                   WHERE of_slot.run_id = present.run_id AND of_slot.slot = present.slot
               ) AS place
        FROM ({primary_revisions("= ANY (:run_ids)", "slot")}) AS present
    ) AS primary_revision
    LEFT JOIN score ON score.run_id = primary_revision.run_id
                   AND score.evaluator_revision_id = primary_revision.evaluator_revision_id
    GROUP BY primary_revision.run_id, slot, place ORDER BY place
    """  # noqa: S608  # made of constants
).bindparams(bindparam("run_ids", type_=ARRAY(Uuid)))


class EvaluationQueries:
    """Implement the port `EvaluationReader` in SQL: read evaluations, batches and pages of runs."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def evaluation(self, run_id: UUID) -> EvaluationOut | None:
        async with self._engine.connect() as connection:
            row = await _run(connection, run_id, RunType.SINGLE)
            if row is None:
                return None
            query = select(t.item.c.id, t.item.c.passed).where(t.item.c.run_id == run_id)
            item = (await connection.execute(query)).one()
            primary = {
                evaluator_ref.revision_id
                for evaluator_ref in (await evaluator_refs(connection, [run_id]))[run_id]
                if evaluator_ref.primary
            }
            scores = _primary_scores(await scores_of(connection, item.id), primary)
        began, ended = row["started_at"], row["finished_at"]
        return EvaluationOut(
            evaluation_id=run_id,
            status=single_word(*_state(row)),
            scores={score.evaluator: score.normalised for score in scores if score.normalised is not None},
            reasoning={score.evaluator: score.reason for score in scores if score.reason},
            errors={score.evaluator: score.error for score in scores if score.error},
            passed=item.passed,
            results=[MetricResult(metric=score.evaluator, **_on_its_scale(score)) for score in scores],
            metadata=(row["evaluation"] or {}).get("metadata", {}),
            warnings=_warnings(row),
            latency_ms=int((ended - began).total_seconds() * 1000) if began and ended else None,
            cost_usd=row["cost_usd"],
            created_at=row["created_at"],
            run_status=RunStatus(row["status"]),
        )

    async def batch(self, run_id: UUID, *, now: datetime) -> BatchOut | None:
        async with self._engine.connect() as connection:
            row = await _run(connection, run_id, RunType.BATCH)
            if row is None:
                return None
            summaries = await _summaries(connection, [run_id])
            lowest_concurrency = select(func.min(t.run_group.c.concurrency)).where(
                t.run_group.c.run_id == run_id,
                t.run_group.c.phase == RunPhase.JUDGING,
                t.run_group.c.model.is_not(None),
            )
            parallelism = (await connection.execute(lowest_concurrency)).scalar_one()
            version = (await _versions(connection, [run_id])).get(run_id)
            hook = (
                (await connection.execute(select(t.webhook).where(t.webhook.c.run_id == run_id)))
                .mappings()
                .one_or_none()
            )
        done = row["judged_count"] + row["failed_count"]
        sample = (row["evaluation"] or {}).get("sample")
        return BatchOut(
            job_id=run_id,
            name=row["name"],
            status=batch_word(*_state(row)),
            progress=BatchProgress(total=row["item_count"], completed=row["judged_count"], failed=row["failed_count"]),
            summary_scores=summaries.get(run_id, {}),
            total_cost_usd=row["cost_usd"],
            parallelism=parallelism,
            sample=SampledOut.model_validate(sample) if sample else None,
            dataset_version_id=version,
            webhook=_webhook(hook) if hook else None,
            warnings=_warnings(row),
            estimated_completion=expected_end(total=row["item_count"], done=done, started_at=row["started_at"], now=now)
            if row["status"] == RunStatus.RUNNING
            else None,
            created_at=row["created_at"],
            started_at=row["started_at"],
            completed_at=row["finished_at"],
            run_status=RunStatus(row["status"]),
        )

    async def page(self, chosen: EvaluationFilter, *, limit: int, offset: int) -> tuple[list[EvaluationRunOut], int]:
        conditions = list(_conditions(chosen))
        query = select(t.run).where(*conditions).order_by(t.run.c.created_at.desc(), t.run.c.id.desc())
        async with self._engine.connect() as connection:
            counting = select(func.count()).select_from(t.run).where(*conditions)
            total = int((await connection.execute(counting)).scalar_one())
            rows = (await connection.execute(query.limit(limit).offset(offset))).mappings().all()
            ids = [row["id"] for row in rows]
            summaries, versions = await _summaries(connection, ids), await _versions(connection, ids)
            evaluators = await evaluator_refs(connection, ids)
        return [
            EvaluationRunOut(
                run_id=row["id"],
                org_id=row["org_id"],
                name=row["name"],
                type=RunType(row["type"]),
                status=run_word(*_state(row)),
                dataset_version_id=versions.get(row["id"]),
                baseline_run_id=row["baseline_run_id"],
                experiment_id=row["experiment_id"],
                config={
                    "evaluators": [
                        {"type": ref.kind, "name": ref.name, "judge_model": ref.judge_model}
                        for ref in evaluators.get(row["id"], [])
                    ],
                    **(row["evaluation"] or {}),
                },
                total_items=row["item_count"],
                completed_items=row["judged_count"],
                failed_items=row["failed_count"],
                summary_scores={slot: summary.mean for slot, summary in summaries.get(row["id"], {}).items()},
                total_cost_usd=row["cost_usd"],
                created_at=row["created_at"],
                started_at=row["started_at"],
                completed_at=row["finished_at"],
                run_status=RunStatus(row["status"]),
            )
            for row in rows
        ], total


def _conditions(chosen: EvaluationFilter) -> Iterator[ColumnElement[bool]]:
    if chosen.type is not None:
        yield t.run.c.type == chosen.type
    else:
        yield t.run.c.type != RunType.JUDGE_CHECK
    if chosen.status is not None:
        yield _has_word(chosen.status)
    if chosen.dataset_version_id is not None:
        drawn = select(t.run_dataset_version.c.run_id).where(
            t.run_dataset_version.c.run_id == t.run.c.id,
            t.run_dataset_version.c.version_id == chosen.dataset_version_id,
        )
        yield drawn.exists()
    if chosen.experiment_id is not None:
        yield t.run.c.experiment_id == chosen.experiment_id
    if chosen.created_after is not None:
        yield t.run.c.created_at > chosen.created_after
    if chosen.created_before is not None:
        yield t.run.c.created_at < chosen.created_before


def _has_word(word: RunWord) -> ColumnElement[bool]:
    if word == "FAILED":
        return t.run.c.outcome == RunOutcome.FAILED
    states = [state for state, shown in RUN_WORDS.items() if shown == word]
    return t.run.c.status.in_(states) & (t.run.c.outcome.is_distinct_from(RunOutcome.FAILED))


async def _run(connection: AsyncConnection, run_id: UUID, type_: RunType) -> RowMapping | None:
    query = select(t.run).where(t.run.c.id == run_id, t.run.c.type == type_)
    return (await connection.execute(query)).mappings().one_or_none()


def _state(row: RowMapping) -> tuple[RunStatus, RunOutcome | None]:
    return RunStatus(row["status"]), RunOutcome(row["outcome"]) if row["outcome"] else None


def _warnings(row: RowMapping) -> list[str]:
    return [warning["message"] for warning in row["warnings"]]


def _primary_scores(scores: Sequence[ScoreOut], primary: Set[UUID]) -> list[ScoreOut]:
    return [score for score in scores if score.evaluator_revision_id in primary]


def _on_its_scale(score: ScoreOut) -> dict[str, Any]:
    return score.model_dump(include={"raw", "scale_min", "scale_max", "passed", "judge_model", "details"})


async def _summaries(connection: AsyncConnection, run_ids: Sequence[UUID]) -> dict[UUID, dict[str, MetricSummary]]:
    by_run: dict[UUID, dict[str, MetricSummary]] = {}
    for row in (await connection.execute(_SUMMARIES, {"run_ids": list(run_ids)})).mappings():
        by_run.setdefault(row["run_id"], {})[row["slot"]] = MetricSummary.model_validate(dict(row))
    return by_run


async def _versions(connection: AsyncConnection, run_ids: Sequence[UUID]) -> dict[UUID, UUID]:
    """Return the first dataset version of each run, by run id. Runs without a version are left out."""
    query = select(t.run_dataset_version.c.run_id, t.run_dataset_version.c.version_id).where(
        t.run_dataset_version.c.run_id.in_(run_ids), t.run_dataset_version.c.position == 0
    )
    return {row.run_id: row.version_id for row in await connection.execute(query)}


def _webhook(row: RowMapping) -> WebhookOut:
    pending = row["status"] == "PENDING"
    return WebhookOut(
        webhook_id=row["id"],
        url=row["url"],
        status=row["status"],
        attempts=row["attempts"],
        last_error=row["last_error"],
        next_attempt_at=row["next_attempt_at"] if pending and row["attempts"] else None,
        delivered_at=row["delivered_at"],
    )
