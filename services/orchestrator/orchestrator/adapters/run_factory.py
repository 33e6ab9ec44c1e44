"""Creates runs: run, groups, targets, items and the first event, in one transaction."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, func, insert, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.types import Uuid

from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_logged import RunLogged
from llmbench.contracts.run_progressed import RunProgressed
from llmbench.contracts.run_status_changed import RunStatusChanged
from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunPhase, RunStatus
from llmbench.db import tables as t
from llmbench.errors import Problem
from llmbench.ids import DEFAULT_ORG_ID, group_token, new_id
from llmbench.telemetry import current_traceparent
from orchestrator.adapters.run_store import append_events, one_active_run
from orchestrator.domain.revision import rubric_revision
from orchestrator.domain.schedule import GroupPlan
from orchestrator.domain.transitions import RUN, RunMoves, after
from orchestrator.handlers.create_run import CollectionFound, NewRun

# Tasks once each, in the order of the collections as named and of the tasks in them; then one item
# per target and task. Ids come from Python: PostgreSQL 15 to 17 make no UUIDv7.
_INSERT_ITEMS = text(
    """
    WITH chosen AS (
        SELECT ct.task_id, min((named.position, ct.position)) AS rank
        FROM unnest(:collection_ids) WITH ORDINALITY AS named (id, position)
        JOIN collection_task ct ON ct.collection_id = named.id
        GROUP BY ct.task_id
    ), ordered AS (
        SELECT task_id, row_number() OVER (ORDER BY rank, task_id) - 1 AS position FROM chosen
    ), fresh AS (
        SELECT id, position - 1 AS position FROM unnest(:ids) WITH ORDINALITY AS fresh (id, position)
    )
    INSERT INTO item (id, run_id, target_id, group_id, position, task_id, category, subcategory, "case", status)
    SELECT fresh.id, :run_id, target.id, target.group_id, fresh.position,
           task.task_id, task.category, task.subcategory,
           jsonb_strip_nulls(jsonb_build_object(
               'id', task.id, 'task_id', task.task_id, 'category', task.category,
               'subcategory', task.subcategory, 'question', task.question, 'excellent', task.excellent,
               'good', task.good, 'pass', task.pass,
               'incorrect_answer_direction', task.incorrect_answer_direction)),
           :status
    FROM target
    CROSS JOIN ordered
    JOIN task ON task.id = ordered.task_id
    JOIN fresh ON fresh.position = target.position * :task_count + ordered.position
    WHERE target.run_id = :run_id
    """
).bindparams(bindparam("collection_ids", type_=ARRAY(Uuid)), bindparam("ids", type_=ARRAY(Uuid)))


class PostgresRunFactory:
    """See orchestrator.handlers.create_run.RunFactory."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def providers(self, ids: set[UUID]) -> dict[UUID, ProviderSnapshot]:
        async with self._engine.connect() as connection:
            return await _read_providers(connection, select(t.provider).where(t.provider.c.id.in_(ids)))

    async def collections(self, ids: Sequence[UUID]) -> dict[UUID, CollectionFound]:
        query = (
            select(t.collection.c.id, t.collection.c.name, func.count(t.collection_task.c.task_id).label("task_count"))
            .outerjoin(t.collection_task, t.collection_task.c.collection_id == t.collection.c.id)
            .where(t.collection.c.id.in_(ids))
            .group_by(t.collection.c.id)
        )
        async with self._engine.connect() as connection:
            rows = await connection.execute(query)
            return {row["id"]: CollectionFound(**row) for row in rows.mappings()}

    async def active_run(self) -> tuple[UUID, str] | None:
        query = select(t.run.c.id, t.run.c.name).where(t.run.c.status.in_([RunStatus.RUNNING, RunStatus.PAUSING]))
        async with self._engine.connect() as connection:
            row = (await connection.execute(query.limit(1))).one_or_none()
        return None if row is None else (row.id, row.name)

    async def create(
        self, new: NewRun, groups: Sequence[GroupPlan], providers: dict[UUID, ProviderSnapshot], now: datetime
    ) -> UUID:
        run_id = new_id()
        async with self._engine.begin() as connection:
            providers = await self._hold_providers(connection, set(providers))
            task_count = await self._task_count(connection, new.collection_ids)
            await self._insert_run(connection, run_id, new, providers, task_count * len(new.targets), now)
            await self._insert_groups(connection, run_id, new, groups, providers, task_count)
            await connection.execute(
                _INSERT_ITEMS,
                {
                    "collection_ids": list(new.collection_ids),
                    "ids": [new_id() for _ in range(task_count * len(new.targets))],
                    "run_id": run_id,
                    "task_count": task_count,
                    "status": ItemStatus.NEW.value,
                },
            )
            items = task_count * len(new.targets)
            phase = RunPhase.BENCHMARKING
            await append_events(
                connection,
                run_id,
                [
                    RunStatusChanged(run_id=run_id, at=now, status=RunStatus.RUNNING, phase=phase),
                    RunProgressed(run_id=run_id, at=now, phase=phase, items=items, answered=0, judged=0, failed=0),
                    RunLogged(run_id=run_id, at=now, text=f"started: {items} items, {len(new.targets)} targets"),
                ],
                [],
            )
        return run_id

    async def _hold_providers(self, connection: AsyncConnection, ids: set[UUID]) -> dict[UUID, ProviderSnapshot]:
        """Read again, so that none is changed or deleted between its snapshot and the run."""
        query = select(t.provider).where(t.provider.c.id.in_(ids)).order_by(t.provider.c.id).with_for_update(read=True)
        held = await _read_providers(connection, query)
        if ids - set(held):
            raise Problem(409, "A provider is gone", "A provider was deleted while the run was being created.")
        return held

    async def _task_count(self, connection: AsyncConnection, collection_ids: Sequence[UUID]) -> int:
        query = select(func.count(t.collection_task.c.task_id.distinct())).where(
            t.collection_task.c.collection_id.in_(collection_ids)
        )
        count: int = (await connection.execute(query)).scalar_one()
        return count

    async def _insert_run(
        self,
        connection: AsyncConnection,
        run_id: UUID,
        new: NewRun,
        providers: dict[UUID, ProviderSnapshot],
        item_count: int,
        now: datetime,
    ) -> None:
        values: dict[str, Any] = {
            "id": run_id,
            "org_id": DEFAULT_ORG_ID,
            "name": new.name,
            "status": after(RUN, RunStatus.PENDING, RunMoves.START),
            "phase": RunPhase.BENCHMARKING,
            "concurrency": new.concurrency,
            "timeout_s": new.timeout_s,
            "max_attempts": new.max_attempts,
            "max_backoff_s": new.max_backoff_s,
            "judge_provider_id": new.judge.provider_id,
            "judge_provider_name": providers[new.judge.provider_id].name,
            "judge_model": new.judge.model,
            "judge_params": new.judge.params.model_dump(mode="json", exclude_none=True),
            "item_count": item_count,
            "traceparent": current_traceparent(),
            "created_at": now,
            "started_at": now,
        }
        with one_active_run():
            await connection.execute(insert(t.run).values(values))
        await connection.execute(
            insert(t.run_collection).from_select(
                ["run_id", "collection_id", "name"],
                select(bindparam("run_id", run_id, Uuid), t.collection.c.id, t.collection.c.name).where(
                    t.collection.c.id.in_(new.collection_ids)
                ),
            )
        )

    async def _insert_groups(
        self,
        connection: AsyncConnection,
        run_id: UUID,
        new: NewRun,
        groups: Sequence[GroupPlan],
        providers: dict[UUID, ProviderSnapshot],
        task_count: int,
    ) -> None:
        def row(
            phase: RunPhase, position: int, provider_id: UUID, model: str, *, releases: bool, work: int
        ) -> dict[str, Any]:
            return {
                "id": new_id(),
                "run_id": run_id,
                "phase": phase,
                "position": position,
                "provider_id": provider_id,
                "model": model,
                "token": group_token(provider_id, model),
                "provider": providers[provider_id].model_dump(mode="json"),
                "concurrency": new.concurrency,
                "releases": releases,
                "status": GroupStatus.WAITING,
                "new_count": work,
            }

        rows: list[dict[str, Any]] = []
        targets: list[dict[str, Any]] = []
        for position, group in enumerate(groups):
            work = task_count * len(group.targets)
            rows.append(
                row(
                    RunPhase.BENCHMARKING,
                    position,
                    group.provider_id,
                    group.model,
                    releases=group.releases,
                    work=work,
                )
            )
            for index in group.targets:
                chosen = new.targets[index]
                targets.append(
                    {
                        "id": new_id(),
                        "run_id": run_id,
                        "group_id": rows[-1]["id"],
                        "position": len(targets),
                        "label": chosen.label,
                        "provider_id": chosen.provider_id,
                        "provider_name": providers[chosen.provider_id].name,
                        "model": chosen.model,
                        "params": chosen.params.model_dump(mode="json", exclude_none=True),
                        "timeout_s": new.timeout_s,
                        "max_attempts": new.max_attempts,
                    }
                )
        judge = row(RunPhase.JUDGING, len(rows), new.judge.provider_id, new.judge.model, releases=True, work=0)
        await connection.execute(insert(t.run_group), [*rows, judge])
        await connection.execute(insert(t.target), targets)
        await self._insert_evaluator(connection, run_id, new, judge_group_id=judge["id"])

    async def _insert_evaluator(
        self, connection: AsyncConnection, run_id: UUID, new: NewRun, *, judge_group_id: UUID
    ) -> None:
        revision = rubric_revision(new.judge.provider_id, new.judge.model, new.judge.params)
        await connection.execute(
            upsert(t.evaluator_revision)
            .values(id=new_id(), org_id=DEFAULT_ORG_ID, **revision)
            .on_conflict_do_nothing(index_elements=["org_id", "identity"])
        )
        revision_id = (
            await connection.execute(
                select(t.evaluator_revision.c.id).where(
                    t.evaluator_revision.c.org_id == DEFAULT_ORG_ID,
                    t.evaluator_revision.c.identity == revision["identity"],
                )
            )
        ).scalar_one()
        await connection.execute(
            insert(t.run_evaluator).values(
                run_id=run_id,
                evaluator_revision_id=revision_id,
                group_id=judge_group_id,
                position=0,
                weight=1.0,
                required=True,
            )
        )


async def _read_providers(connection: AsyncConnection, query: Any) -> dict[UUID, ProviderSnapshot]:
    rows = (await connection.execute(query)).mappings()
    return {row["id"]: ProviderSnapshot.model_validate({**row, "provider_id": row["id"]}) for row in rows}
