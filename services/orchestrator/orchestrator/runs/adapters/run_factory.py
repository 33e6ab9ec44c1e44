"""Create runs and change their settings: the port `RunFactory` in PostgreSQL. A run is created with its parts and its
first events in one transaction."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.case import Case
from llmbench.contracts.chat import stored_params
from llmbench.contracts.dataset_words import VersionStatus
from llmbench.contracts.prompt import Prompt
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_logged import RunLogged
from llmbench.contracts.run_progressed import RunProgressed
from llmbench.contracts.run_status_changed import RunStatusChanged
from llmbench.contracts.run_words import RunPhase, RunStatus
from llmbench.db import tables as t
from llmbench.db.limits import read_limits
from llmbench.db.secrets import WEBHOOK_SECRET, Binding, SecretBox
from llmbench.errors import FieldError, Problem
from llmbench.ids import new_id
from llmbench.observability.telemetry import current_traceparent
from orchestrator.kernel.adapters.limits import check_limits, count_run
from orchestrator.kernel.adapters.subjects import columns_of, names_of
from orchestrator.kernel.domain.blocks import Blocks, cut
from orchestrator.kernel.domain.new_run import Idempotency, Judge, NewEvaluator, NewRun, NewWebhook
from orchestrator.kernel.domain.revision import with_members
from orchestrator.kernel.domain.subject import Subject
from orchestrator.kernel.domain.transitions import RUN, RunMoves, after
from orchestrator.results.adapters.changes import create_blocks
from orchestrator.runs.adapters import reopening
from orchestrator.runs.adapters.clusters import FIELD, cases_of_new, change_clusters, require_key
from orchestrator.runs.adapters.evaluators import (
    add_evaluator,
    group_row,
    hold_providers,
    judge_group_row,
    program_group_row,
    read_providers,
)
from orchestrator.runs.adapters.event_log import publish_first
from orchestrator.runs.adapters.first_log_lines import lines_of_sample, lines_of_suite
from orchestrator.runs.adapters.idempotency import remember_key, run_of_key
from orchestrator.runs.adapters.new_items import (
    case_count,
    count_checks,
    first_cases,
    first_cases_of_run,
    hold_versions,
    insert_items,
    insert_items_of_case,
    insert_sources,
    require_evaluators,
)
from orchestrator.runs.adapters.prompts import prompts_of, require_rendering, stored_prompt
from orchestrator.runs.adapters.sampled_cases import with_sample
from orchestrator.runs.adapters.suite_items import (
    cases_of_suite,
    first_cases_of_suite,
    insert_suite,
    insert_suite_items,
)
from orchestrator.runs.adapters.tagging import tag_runs
from orchestrator.runs.adapters.transaction.records import one_active_run
from orchestrator.runs.domain.schedule import GroupPlan, Model, judging_order
from orchestrator.runs.domain.self_judging import Warning
from orchestrator.runs.domain.tags import TagChange
from orchestrator.runs.ports.factory import CollectionFound, DatasetVersionFound
from orchestrator.runs.ports.transaction import RunEvaluator

MAX_ITEMS = 1_000_000


class PostgresRunFactory:
    """Implement the port `RunFactory` in PostgreSQL. `box` encrypts the secrets of webhooks."""

    def __init__(self, engine: AsyncEngine, box: SecretBox) -> None:
        self._engine = engine
        self._box = box

    async def providers(self, ids: set[UUID]) -> dict[UUID, ProviderSnapshot]:
        async with self._engine.connect() as connection:
            return await read_providers(connection, select(t.provider).where(t.provider.c.id.in_(ids)))

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

    async def dataset_versions(self, ids: Sequence[UUID]) -> dict[UUID, DatasetVersionFound]:
        query = (
            select(t.dataset_version, t.dataset.c.name)
            .join(t.dataset, t.dataset.c.id == t.dataset_version.c.dataset_id)
            .where(t.dataset_version.c.id.in_(ids))
        )
        async with self._engine.connect() as connection:
            return {
                row.id: DatasetVersionFound(row.name, row.version_number, VersionStatus(row.status))
                for row in await connection.execute(query)
            }

    async def default_evaluators(self) -> Sequence[str]:
        async with self._engine.connect() as connection:
            return (await read_limits(connection)).default_evaluators

    async def count_checks(self, new: NewRun) -> tuple[int, int]:
        async with self._engine.connect() as connection:
            return await count_checks(connection, new)

    async def first_cases(self, new: NewRun, limit: int) -> list[Case]:
        async with self._engine.connect() as connection:
            if new.suite is not None:
                return await first_cases_of_suite(connection, new, new.suite, limit)
            if new.case is not None:
                return [new.case]
            return await first_cases(connection, new, limit)

    async def first_cases_of_run(self, run_id: UUID, limit: int) -> list[Case]:
        async with self._engine.connect() as connection:
            return await first_cases_of_run(connection, run_id, limit)

    async def active_run(self) -> tuple[UUID, str] | None:
        query = select(t.run.c.id, t.run.c.name).where(
            t.run.c.status.in_([RunStatus.RUNNING, RunStatus.PAUSING]), ~t.run.c.concurrent
        )
        async with self._engine.connect() as connection:
            row = (await connection.execute(query.limit(1))).one_or_none()
        return None if row is None else (row.id, row.name)

    async def change(self, run_id: UUID, changes: Mapping[str, Any]) -> bool:
        columns = dict(changes)
        async with self._engine.begin() as connection:
            if FIELD in columns:
                await change_clusters(connection, run_id, columns.pop(FIELD))
            # Set `id` as well, so that the statement is valid even if no other column changes.
            changing = update(t.run).where(t.run.c.id == run_id).values(**columns, id=run_id)
            return (await connection.execute(changing)).rowcount > 0

    async def tag(self, run_ids: Sequence[UUID], change: TagChange) -> int:
        async with self._engine.begin() as connection:
            return await tag_runs(connection, run_ids, change)

    async def run_exists(self, run_id: UUID) -> bool:
        async with self._engine.connect() as connection:
            query = select(t.run.c.id).where(t.run.c.id == run_id)
            return (await connection.execute(query)).one_or_none() is not None

    async def subject_name(self, subject: Subject) -> str | None:
        async with self._engine.connect() as connection:
            return (await names_of(connection, [subject])).get(subject)

    async def evaluators(self, run_id: UUID) -> list[RunEvaluator]:
        async with self._engine.connect() as connection:
            return await reopening.evaluators(connection, run_id)

    async def run_of_key(self, idempotency: Idempotency) -> UUID | None:
        async with self._engine.connect() as connection:
            return await run_of_key(connection, idempotency)

    async def create(
        self,
        new: NewRun,
        evaluators: Sequence[NewEvaluator],
        groups: Sequence[GroupPlan],
        providers: dict[UUID, ProviderSnapshot],
        warnings: Sequence[Warning],
        now: datetime,
    ) -> UUID:
        run_id = new_id()
        async with self._engine.begin() as connection:
            most = max([new.concurrency, *(target.concurrency for target in new.targets)])
            limits = await check_limits(connection, concurrency=most, field="concurrency", now=now)
            providers = await hold_providers(connection, set(providers))
            await hold_versions(connection, new)
            new, sample = await with_sample(connection, new)
            of_suite = None if new.suite is None else await cases_of_suite(connection, new, new.suite)
            task_count = await case_count(connection, new) if of_suite is None else of_suite.count()
            blocks = cut(cases=task_count, answers=sum(target.epochs for target in new.targets))
            items = blocks.cases * blocks.answers
            if not items:
                raise Problem(409, "No tasks left", "The tasks of the collections were removed at the same moment.")
            if items > MAX_ITEMS:
                message = f"{items:,} items are more than the {MAX_ITEMS:,} that one run may have"
                raise Problem(422, "Too many items", message, errors=[FieldError("targets", message)])
            if new.cluster_by is not None:
                await require_key(connection, cases_of_new(new), new.cluster_by)
            await self._insert_run(connection, run_id, new, providers, warnings, blocks, now, sample=sample)
            prompts = await prompts_of(connection, new)
            await self._insert_groups(connection, run_id, new, groups, providers, prompts, task_count)
            await self._insert_evaluators(connection, run_id, new, evaluators, providers, position=len(groups))
            if new.webhook is not None:
                await self._insert_webhook(connection, run_id, new.webhook)
            if new.idempotency is not None:
                await remember_key(connection, run_id, new.idempotency)
            if of_suite is not None:
                await insert_suite(connection, run_id, of_suite)
                await insert_suite_items(connection, run_id, new, of_suite, items=items)
            elif new.case is not None:
                await insert_items_of_case(connection, run_id, new.case)
            else:
                await insert_items(connection, run_id, new, items=items)
            if evaluators:
                await require_evaluators(connection, run_id)
            await require_rendering(connection, run_id, new, prompts)
            await create_blocks(connection, run_id, blocks)
            await count_run(connection, limits, now)
            phase = RunPhase.BENCHMARKING
            status = RunStatus.QUEUED if new.queued else RunStatus.RUNNING
            what = f"{'queued' if new.queued else 'started'}: {items} items, {len(new.targets)} targets"
            await publish_first(
                connection,
                run_id,
                [
                    RunStatusChanged(run_id=run_id, at=now, status=status, phase=phase),
                    RunProgressed(run_id=run_id, at=now, phase=phase, items=items, answered=0, judged=0, failed=0),
                    RunLogged(run_id=run_id, at=now, text=what),
                    *lines_of_sample(run_id, sample, now),
                    *lines_of_suite(run_id, new, now),
                    *(RunLogged(run_id=run_id, at=now, level="warning", text=warning.message) for warning in warnings),
                ],
            )
        return run_id

    async def _insert_run(
        self,
        connection: AsyncConnection,
        run_id: UUID,
        new: NewRun,
        providers: dict[UUID, ProviderSnapshot],
        warnings: Sequence[Warning],
        blocks: Blocks,
        now: datetime,
        *,
        sample: Mapping[str, Any] | None = None,
    ) -> None:
        values: dict[str, Any] = {
            "id": run_id,
            "name": new.name,
            "description": new.description,
            "tags": list(new.tags),
            "baseline_run_id": new.baseline_run_id,
            "schedule_id": new.schedule_id,
            "experiment_id": new.experiment_id,
            "warnings": [asdict(warning) for warning in warnings],
            "max_cost_usd": new.max_cost_usd,
            "type": new.type,
            "concurrent": new.concurrent,
            "priority": new.priority,
            "sample": sample,
            "evaluation": new.evaluation,
            "status": RunStatus.QUEUED if new.queued else after(RUN, RunStatus.PENDING, RunMoves.START),
            "phase": RunPhase.BENCHMARKING,
            "concurrency": new.concurrency,
            "timeout_s": new.timeout_s,
            "max_attempts": new.max_attempts,
            "max_backoff_s": new.max_backoff_s,
            "max_conversation_history": new.max_conversation_history,
            "show_choices": new.show_choices,
            "parallel_groups": new.parallel_groups,
            **_judge_columns(new.judge, providers),
            "item_count": blocks.cases * blocks.answers,
            "case_count": blocks.cases,
            "block_cases": blocks.block_cases,
            "traceparent": current_traceparent(),
            "created_at": now,
            "started_at": None if new.queued else now,
            "baseline_label": new.baseline_label,
            **columns_of(new.subject),
        }
        with one_active_run():
            await connection.execute(insert(t.run).values(values))
        await insert_sources(connection, run_id, new)

    async def _insert_webhook(self, connection: AsyncConnection, run_id: UUID, new: NewWebhook) -> None:
        id_ = new_id()
        sealed = self._box.seal(new.secret, Binding(id_, WEBHOOK_SECRET, new.url))
        await connection.execute(insert(t.webhook).values(id=id_, run_id=run_id, url=new.url, sealed_secret=sealed))

    async def _insert_groups(
        self,
        connection: AsyncConnection,
        run_id: UUID,
        new: NewRun,
        groups: Sequence[GroupPlan],
        providers: dict[UUID, ProviderSnapshot],
        prompts: Mapping[UUID, Prompt],
        task_count: int,
    ) -> None:
        rows: list[dict[str, Any]] = []
        targets: list[dict[str, Any]] = []
        for position, group in enumerate(groups):
            chosen = [new.targets[index] for index in group.targets]
            row = group_row(
                run_id,
                RunPhase.BENCHMARKING,
                position,
                providers[group.provider_id],
                group.model,
                # Targets of one model share a lane, so the lowest of their concurrencies applies.
                concurrency=min(target.concurrency for target in chosen),
                releases=group.releases,
                work=task_count * sum(target.epochs for target in chosen),
            )
            rows.append(row)
            targets += [
                {
                    "id": new_id(),
                    "run_id": run_id,
                    "group_id": row["id"],
                    "position": len(targets) + index,
                    "label": target.label,
                    "provider_id": target.provider_id,
                    "provider_name": providers[target.provider_id].name,
                    "model": target.model,
                    "params": stored_params(target.params),
                    "epochs": target.epochs,
                    "timeout_s": target.timeout_s,
                    "max_attempts": target.max_attempts,
                    "use_cache": target.use_cache,
                    "prompt": stored_prompt(prompts, target),
                }
                for index, target in enumerate(chosen)
            ]
        await connection.execute(insert(t.run_group), rows)
        await connection.execute(insert(t.target), targets)

    async def _insert_evaluators(
        self,
        connection: AsyncConnection,
        run_id: UUID,
        new: NewRun,
        evaluators: Sequence[NewEvaluator],
        providers: dict[UUID, ProviderSnapshot],
        *,
        position: int,
        kept: Set[Model] = frozenset(),
    ) -> None:
        """Insert the evaluators and their model groups. The first group is for all evaluators without a model, if there
        are any; then each judge's model has a group.

        The groups are numbered consecutively, the first one with `position`. The models of `kept` are not unloaded when
        their group ends.
        """
        judges = [judge for evaluator in evaluators for judge in evaluator.judges()]
        order = judging_order(
            [(judge.provider_id, judge.model) for judge in judges],
            [(target.provider_id, target.model) for target in new.targets],
        )
        rows: dict[Model | None, dict[str, Any]] = {}
        if not all(evaluator.judges() for evaluator in evaluators):
            rows[None] = program_group_row(run_id, position=position)
        for model in order:
            # Judges of one model share a lane, so the lowest of their concurrencies applies.
            concurrency = min(judge.concurrency for judge in judges if (judge.provider_id, judge.model) == model)
            rows[model] = judge_group_row(
                run_id,
                model,
                providers[model[0]],
                concurrency=concurrency,
                position=position + len(rows),
                releases=model not in kept,
            )
        if rows:
            await connection.execute(insert(t.run_group), list(rows.values()))
        for evaluator in with_members(evaluators):
            judge = evaluator.judge
            group = None if evaluator.panel else rows[(judge.provider_id, judge.model) if judge else None]["id"]
            await add_evaluator(connection, run_id, evaluator, group_id=group, whole=True)


def _judge_columns(judge: Judge | None, providers: dict[UUID, ProviderSnapshot]) -> dict[str, Any]:
    if judge is None:
        return {}
    return {
        "judge_provider_id": judge.provider_id,
        "judge_provider_name": providers[judge.provider_id].name,
        "judge_model": judge.model,
        "judge_params": judge.params.model_dump(mode="json", exclude_none=True),
    }
