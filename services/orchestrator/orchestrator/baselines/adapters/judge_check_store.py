"""Store judge checks in PostgreSQL: runs whose answers are copies of a baseline's answers (docs/decisions/0059)."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Select, Text, cast, delete, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_logged import RunLogged
from llmbench.contracts.run_progressed import RunProgressed
from llmbench.contracts.run_status_changed import RunStatusChanged
from llmbench.contracts.run_words import ItemStatus, RunPhase, RunStatus, RunType, ScoreStatus
from llmbench.db import tables as t
from llmbench.ids import new_id
from orchestrator.baselines.adapters.check_scores import judged_again
from orchestrator.baselines.domain.judge_drift import ANSWERS, FEWEST, REPEATS
from orchestrator.baselines.ports.judge_checks import CheckState, NewCheck, SharedJudge
from orchestrator.kernel.adapters.rows import ANSWER
from orchestrator.kernel.domain.blocks import cut
from orchestrator.kernel.domain.revision import EMBEDDINGS, JUDGE_ASKS
from orchestrator.results.adapters.changes import create_blocks
from orchestrator.runs.adapters.evaluators import hold_providers, judge_group_row, read_providers
from orchestrator.runs.adapters.event_log import publish_first
from orchestrator.runs.domain.schedule import Model

_UNIQUE_VIOLATION: Final = "23505"
_FIRST: Final = 100
"""The priority of a check in the queue. It is high, because a finished run waits for the result."""
_OF_SOURCE: Final = (
    *("tags", "concurrency", "timeout_s", "max_attempts", "max_backoff_s", "max_conversation_history"),
    *("show_choices", "judge_provider_id", "judge_provider_name", "judge_model", "judge_params"),
)
_OF_EVALUATOR: Final = (
    *("evaluator_revision_id", "position", "slot", "title", "whole", "weight", "required", "pass_threshold"),
    *("pass_mark", "members", "quorum", "only", "unless", "member", "primary"),
)
_OF_ITEM: Final = ("task_id", "category", "subcategory", "suite_task", "case", "conversation_id", "turn")


class PostgresJudgeCheckStore:
    """Implement the port `JudgeCheckStore` in PostgreSQL."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def shared_judges(self, run_id: UUID, source_run_id: UUID) -> Sequence[SharedJudge]:
        async with self._engine.connect() as connection:
            here = {row["evaluator_revision_id"]: row for row in await _evaluators(connection, run_id)}
            there = await _evaluators(connection, source_run_id)
        by_id = {row["evaluator_revision_id"]: row for row in there}
        shared = [
            SharedJudge(
                revision_id=row["evaluator_revision_id"],
                slot=row["slot"],
                task=(row["only"] or {}).get("suite_task"),
                weight=row["weight"],
                models=_models(row, by_id),
            )
            for row in there
            if row["primary"] and row["evaluator_revision_id"] in here
        ]
        return [judge for judge in shared if judge.models]

    async def judged_answers(self, source_run_id: UUID, judges: Sequence[SharedJudge]) -> int:
        chosen = _chosen(source_run_id, judges).subquery()
        async with self._engine.connect() as connection:
            return int((await connection.execute(select(func.count()).select_from(chosen))).scalar_one())

    async def providers(self, ids: set[UUID]) -> dict[UUID, ProviderSnapshot]:
        async with self._engine.connect() as connection:
            return await read_providers(connection, select(t.provider).where(t.provider.c.id.in_(ids)))

    async def state(self, run_id: UUID, source_run_id: UUID) -> CheckState | None:
        check, checked = t.judge_check.c, t.run.alias("checked")
        query = (
            select(t.judge_check, t.run.c.status, t.run.c.status_reason)
            .join(t.run, t.run.c.id == check.check_run_id)
            .join(checked, (checked.c.id == check.run_id) & (checked.c.finished_at == check.run_finished_at))
            .where(check.run_id == run_id, check.source_run_id == source_run_id)
        )
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).mappings().one_or_none()
            if row is None:
                return None
            answers = await judged_again(connection, row["check_run_id"], row["item_ids"])
        return CheckState(row["check_run_id"], RunStatus(row["status"]), row["status_reason"], answers)

    async def begin(self, new: NewCheck) -> bool:
        try:
            async with self._engine.begin() as connection:
                return await _begin(connection, new, datetime.now(UTC))
        except IntegrityError as error:
            if getattr(error.orig, "sqlstate", None) != _UNIQUE_VIOLATION:
                raise
            return True

    async def forget(self, run_id: UUID) -> None:
        async with self._engine.begin() as connection:
            await connection.execute(delete(t.judge_check).where(t.judge_check.c.run_id == run_id))


async def _begin(connection: AsyncConnection, new: NewCheck, now: datetime) -> bool:
    answers = (await connection.execute(_chosen(new.source_run_id, new.judges))).mappings().all()
    if len(answers) < FEWEST:
        return False
    runs = select(t.run).where(t.run.c.id.in_([new.run_id, new.source_run_id]))
    by_id = {row["id"]: row for row in (await connection.execute(runs)).mappings()}
    if len(by_id) < 2:
        return False
    gated, source = by_id[new.run_id], by_id[new.source_run_id]
    check_run_id = new_id()
    await _insert_run(connection, check_run_id, new, gated=gated, source=source, answers=len(answers), now=now)
    await _insert_judges(connection, check_run_id, new)
    await _insert_items(connection, check_run_id, source, answers)
    await create_blocks(connection, check_run_id, cut(cases=len(answers), answers=REPEATS))
    # A check of an earlier end of the run is replaced.
    earlier = t.judge_check.c.run_finished_at != gated["finished_at"]
    await connection.execute(delete(t.judge_check).where(t.judge_check.c.run_id == new.run_id, earlier))
    await connection.execute(
        insert(t.judge_check).values(
            run_id=new.run_id,
            source_run_id=new.source_run_id,
            run_finished_at=gated["finished_at"],
            check_run_id=check_run_id,
            item_ids=[answer["id"] for answer in answers],
        )
    )
    await publish_first(connection, check_run_id, _events(check_run_id, new, gated, source, len(answers), now))
    return True


def _chosen(source_run_id: UUID, judges: Sequence[SharedJudge]) -> Select[Any]:
    """Return the query for the stored answers that a check judges again. Only answers with a score by one of the
    `judges` are selected.

    The answers are drawn at random, by a hash of their ids. If they were drawn by their scores, the new scores would
    regress to the mean.
    """
    score = t.score.c
    scored = select(score.id).where(
        score.item_id == t.item.c.id,
        score.status == ScoreStatus.SCORED,
        score.evaluator_revision_id.in_([judge.revision_id for judge in judges]),
    )
    return (
        select(t.item, ANSWER.label("answer"))
        .outerjoin(t.model_call, t.model_call.c.id == t.item.c.call_id)
        .where(t.item.c.run_id == source_run_id, t.item.c.previous_id.is_(None), ANSWER.is_not(None))
        .where(scored.exists())
        .order_by(func.md5(cast(t.item.c.id, Text)))
        .limit(ANSWERS)
    )


async def _insert_run(
    connection: AsyncConnection,
    check_run_id: UUID,
    new: NewCheck,
    *,
    gated: Mapping[Any, Any],
    source: Mapping[Any, Any],
    answers: int,
    now: datetime,
) -> None:
    blocks = cut(cases=answers, answers=REPEATS)
    values = {
        "id": check_run_id,
        "name": f"Judge check of {gated['name']}"[:255],
        "type": RunType.JUDGE_CHECK,
        "check_of_run_id": new.run_id,
        "concurrent": new.concurrent,
        "priority": _FIRST,
        "status": RunStatus.RUNNING if new.concurrent else RunStatus.QUEUED,
        "phase": RunPhase.BENCHMARKING,
        "item_count": answers * REPEATS,
        "answered_count": answers * REPEATS,
        "case_count": blocks.cases,
        "block_cases": blocks.block_cases,
        "created_at": now,
        "started_at": now if new.concurrent else None,
        **{name: source[name] for name in _OF_SOURCE},
    }
    await connection.execute(insert(t.run).values(values))


async def _insert_judges(connection: AsyncConnection, check_run_id: UUID, new: NewCheck) -> None:
    """Insert the judges into the check's run: a group for each judge's model, and copies of the evaluators that
    ask these judges in the run whose stored answers are judged."""
    models = list(dict.fromkeys(model for judge in new.judges for model in judge.models))
    providers = await hold_providers(connection, {provider_id for provider_id, _ in models})
    concurrency = await _concurrency(connection, new.source_run_id)
    groups: dict[Model, dict[str, Any]] = {
        model: judge_group_row(
            check_run_id,
            model,
            providers[model[0]],
            concurrency=new.kept.get(model, concurrency.get(model, 1)),
            position=position,
            releases=model not in new.kept,
        )
        for position, model in enumerate(models)
    }
    await connection.execute(insert(t.run_group), list(groups.values()))
    chosen = {judge.revision_id for judge in new.judges}
    rows = await _evaluators(connection, new.source_run_id)
    members = {member for row in rows if row["evaluator_revision_id"] in chosen for member in row["members"] or ()}
    for row in rows:
        revision_id = row["evaluator_revision_id"]
        if revision_id not in chosen | members:
            continue
        group_id = None if row["members"] else groups[row["judge_provider_id"], row["judge_model"]]["id"]
        values = {name: row[name] for name in _OF_EVALUATOR} | {"run_id": check_run_id, "group_id": group_id}
        await connection.execute(insert(t.run_evaluator).values(values))


async def _concurrency(connection: AsyncConnection, run_id: UUID) -> dict[Model, int]:
    group = t.run_group.c
    query = select(group.provider_id, group.model, group.concurrency).where(
        group.run_id == run_id, group.phase == RunPhase.JUDGING, group.model.is_not(None)
    )
    return {(row.provider_id, row.model): row.concurrency for row in await connection.execute(query)}


async def _insert_items(
    connection: AsyncConnection, check_run_id: UUID, source: Mapping[Any, Any], answers: Sequence[Mapping[Any, Any]]
) -> None:
    target_id = new_id()
    await connection.execute(
        insert(t.target).values(
            id=target_id,
            run_id=check_run_id,
            position=0,
            label="stored answers",
            provider_name="given",
            model=source["name"],
            epochs=REPEATS,
            timeout_s=source["timeout_s"],
            max_attempts=source["max_attempts"],
        )
    )
    rows = [
        {
            "id": new_id(),
            "run_id": check_run_id,
            "target_id": target_id,
            "given_answer": answer["answer"],
            "position": repeat * len(answers) + place,
            "epoch": repeat + 1,
            "status": ItemStatus.WAITING_FOR_JUDGE,
            **{name: answer[name] for name in _OF_ITEM},
        }
        for repeat in range(REPEATS)
        for place, answer in enumerate(answers)
    ]
    await connection.execute(insert(t.item), rows)


async def _evaluators(connection: AsyncConnection, run_id: UUID) -> Sequence[Mapping[Any, Any]]:
    """Return a run's evaluators that ask judges, and its panels, ordered by their position. Evaluators whose scores
    were corrected by people are left out, and so are those that ask embedding models."""
    evaluator, revision = t.run_evaluator.c, t.evaluator_revision.c
    query = (
        select(t.run_evaluator, revision.judge_provider_id, revision.judge_model)
        .join(t.evaluator_revision, revision.id == evaluator.evaluator_revision_id)
        .where(evaluator.run_id == run_id, evaluator.whole)
        .where(revision.judge_model.is_not(None) | evaluator.members.is_not(None))
        # People cannot be asked again.
        .where(evaluator.corrects.is_(None))
        # Embedding models give vectors, not verdicts.
        .where(revision.params[JUDGE_ASKS].astext.is_distinct_from(EMBEDDINGS))
        .order_by(evaluator.position)
    )
    return (await connection.execute(query)).mappings().all()


def _models(row: Mapping[Any, Any], by_id: Mapping[UUID, Mapping[Any, Any]]) -> list[Model]:
    """Return the models that an evaluator asks: its own, or those of the members of its panel."""
    asking = [by_id[member] for member in row["members"] if member in by_id] if row["members"] else [row]
    return list(dict.fromkeys((each["judge_provider_id"], each["judge_model"]) for each in asking))


def _events(
    check_run_id: UUID,
    new: NewCheck,
    gated: Mapping[Any, Any],
    source: Mapping[Any, Any],
    answers: int,
    now: datetime,
) -> list[Any]:
    phase, items = RunPhase.BENCHMARKING, answers * REPEATS
    status = RunStatus.RUNNING if new.concurrent else RunStatus.QUEUED
    what = f"{answers} answers of '{source['name']}' are judged again, {REPEATS} times each"
    return [
        RunStatusChanged(run_id=check_run_id, at=now, status=status, phase=phase),
        RunProgressed(run_id=check_run_id, at=now, phase=phase, items=items, answered=items, judged=0, failed=0),
        RunLogged(run_id=check_run_id, at=now, text=f"for the gates of '{gated['name']}': {what}"),
    ]
