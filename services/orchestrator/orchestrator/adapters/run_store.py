"""The run's tables in PostgreSQL, for whoever leads a run. SQLAlchemy Core, one query per need."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CursorResult, Select, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.base import Message
from llmbench.contracts.run_event import RunEvent
from llmbench.contracts.run_words import ItemStatus, RunPhase, RunStatus, ScoreStatus
from llmbench.db import tables as t
from orchestrator.adapters import conversations, new_scores, panels, reopening
from orchestrator.adapters import step_statements as statements
from orchestrator.adapters.answers import read_answers
from orchestrator.adapters.blocks import mark_all_changed, mark_changed
from orchestrator.adapters.deletion import delete_run
from orchestrator.adapters.idempotency import remember_key
from orchestrator.adapters.leftovers import lane_in_use, needed_of
from orchestrator.adapters.rows import (
    GROUP_STATE,
    ITEM_STATE,
    ITEMS,
    RUN_STATE,
    SCORE_STATE,
    SCORES,
    group_of,
    item_of,
    run_of,
    score_of,
    state_of,
)
from orchestrator.adapters.saving import save_results, save_run
from orchestrator.adapters.telling import tell
from orchestrator.domain.new_run import Idempotency, NewEvaluator
from orchestrator.domain.overall import WeightedScore
from orchestrator.domain.panel import PanelVerdict
from orchestrator.domain.prompts import HadTurn
from orchestrator.domain.records import Group, Item, Run, Score
from orchestrator.ports.lanes import OnNats
from orchestrator.ports.store import ActiveRunExists, Answer, Deleted, RunEvaluator

_ACTIVE = (RunStatus.RUNNING, RunStatus.PAUSING)


class PostgresRunStore:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @asynccontextmanager
    async def lead(self, run_id: UUID) -> AsyncIterator["PostgresRunTransaction | None"]:
        async with self._engine.begin() as connection:
            of_run = {"of_run": run_id}
            row = (await connection.execute(statements.locking_run(), of_run)).mappings().one_or_none()
            if row is None:
                yield None
                return
            groups = await connection.execute(statements.groups(), of_run)
            yield PostgresRunTransaction(connection, run_of(row), [group_of(group) for group in groups.mappings()])

    async def next_queued(self) -> UUID | None:
        other = t.run.alias()
        active = select(other.c.id).where(other.c.status.in_(_ACTIVE), ~other.c.beside).exists()
        query = select(t.run.c.id).where(t.run.c.status == RunStatus.QUEUED, ~active)
        async with self._engine.connect() as connection:
            first = query.order_by(t.run.c.created_at, t.run.c.id).limit(1)
            found: UUID | None = (await connection.execute(first)).scalar()
        return found

    async def lane_in_use(self, group: Group, *, besides: UUID) -> bool:
        async with self._engine.connect() as connection:
            return await lane_in_use(connection, group, besides=besides)

    async def needed(self, found: OnNats) -> OnNats:
        async with self._engine.connect() as connection:
            return await needed_of(connection, found)

    async def delete(self, run_id: UUID) -> Deleted | None:
        async with self._engine.begin() as connection:
            return await delete_run(connection, run_id)


class PostgresRunTransaction:
    """See orchestrator.ports.store.RunTransaction."""

    def __init__(self, connection: AsyncConnection, run: Run, groups: list[Group]) -> None:
        self._connection = connection
        self.run = run
        self.groups = groups
        self._run_before = state_of(run, RUN_STATE)
        self._groups_before = {group.id: state_of(group, GROUP_STATE) for group in groups}
        self._known: dict[UUID, Item] = {}
        """As they were read last: nobody else changes them meanwhile."""

    async def items(self, ids: Sequence[UUID]) -> dict[UUID, Item]:
        if unknown := [id_ for id_ in ids if id_ not in self._known]:
            self._know(await self._connection.execute(statements.items(), {"ids": unknown}))
        return {id_: self._known[id_] for id_ in ids if id_ in self._known}

    async def scores(self, ids: Sequence[UUID]) -> dict[UUID, Score]:
        if not ids:
            return {}
        return {score.id: score for score in await self._scores(ids)}

    async def scores_by_item(self, item_ids: Sequence[UUID]) -> dict[UUID, list[WeightedScore]]:
        found: dict[UUID, list[WeightedScore]] = {}
        rows = await self._connection.execute(statements.scores_of_items(), {"ids": list(item_ids)})
        for row in rows.mappings():
            found.setdefault(row["item_id"], []).append(
                WeightedScore(
                    id=row["id"],
                    status=ScoreStatus(row["status"]),
                    weight=row["weight"],
                    required=row["required"],
                    revision_id=row["evaluator_revision_id"],
                    slot=row["slot"],
                    whole=row["whole"],
                    outcome=row["outcome"],
                    raw=row["raw"],
                    normalised=row["normalised"],
                    passed=row["passed"],
                    reason=row["reason"],
                    error=row["error"],
                    judge_model=row["judge_model"],
                    pass_threshold=row["pass_threshold"],
                    pass_mark=row["pass_mark"],
                    members=tuple(row["members"] or ()),
                    quorum=row["quorum"] or 0,
                    member=row["member"],
                )
            )
        return found

    async def claim_items(self, group_id: UUID, count: int, now: datetime) -> list[Item]:
        told = {"of_group": group_id, "most": count, "at": now}
        return self._know(await self._connection.execute(statements.claiming_items(), told))

    async def turns_before(self, item_ids: Sequence[UUID], *, most: int) -> dict[UUID, list[HadTurn]]:
        return await conversations.turns_before(self._connection, item_ids, most=most)

    async def turns_after(self, item_id: UUID) -> list[Item]:
        return await self._read_items(conversations.turns_after(item_id))

    async def claim_scores(self, group_id: UUID, count: int, now: datetime) -> list[Score]:
        told = {"of_group": group_id, "most": count, "at": now}
        claimed = await self._connection.execute(statements.claiming_scores(), told)
        return [score_of(row) for row in claimed.mappings()]

    async def next_due(self, group: Group) -> datetime | None:
        table = _work_of(group)
        query = select(func.min(table.c.next_attempt_at)).where(table.c.group_id == group.id, table.c.status == "NEW")
        due: datetime | None = (await self._connection.execute(query)).scalar_one()
        return due

    async def new_items(self, group_id: UUID) -> list[Item]:
        return await self._read_items(ITEMS.where(t.item.c.group_id == group_id, t.item.c.status == ItemStatus.NEW))

    async def new_scores(self, group_id: UUID) -> list[Score]:
        return await self._read_scores(
            SCORES.where(t.score.c.group_id == group_id, t.score.c.status == ScoreStatus.NEW)
        )

    async def items_in_flight(self, group_id: UUID, dispatched_before: datetime) -> list[Item]:
        return await self._read_items(
            ITEMS.where(t.item.c.group_id == group_id, t.item.c.status == ItemStatus.IN_PROGRESS).where(
                t.item.c.dispatched_at < dispatched_before
            )
        )

    async def scores_in_flight(self, group_id: UUID, dispatched_before: datetime) -> list[Score]:
        return await self._read_scores(
            SCORES.where(t.score.c.group_id == group_id, t.score.c.status == ScoreStatus.IN_PROGRESS).where(
                t.score.c.dispatched_at < dispatched_before
            )
        )

    async def unpublished(self) -> bool:
        query = select(select(t.run_outbox.c.seq).exists())
        return bool((await self._connection.execute(query)).scalar_one())

    async def first_in_flight(self, group: Group) -> Item | None:
        return await self._first(statements.first_in_flight(group.phase), of_group=group.id)

    async def first_item(self, group_id: UUID) -> Item | None:
        return await self._first(ITEMS.where(t.item.c.group_id == group_id).order_by(t.item.c.position).limit(1))

    async def first_score(self, group_id: UUID) -> Score | None:
        open_ = [ScoreStatus.NEW, ScoreStatus.IN_PROGRESS]
        query = SCORES.where(t.score.c.group_id == group_id, t.score.c.status.in_(open_))
        row = (await self._connection.execute(query.order_by(t.score.c.position).limit(1))).mappings().one_or_none()
        return None if row is None else score_of(row)

    async def create_scores(self) -> Mapping[UUID, int]:
        await mark_all_changed(self._connection, self.run.id)
        return await new_scores.create_scores(self._connection, self.run.id)

    async def failed_items(self, phase: RunPhase | None) -> list[Item]:
        return await self._read_items(reopening.failed_items(self.run.id, phase))

    async def answered_items(self) -> list[Item]:
        return await self._read_items(reopening.answered_items(self.run.id))

    async def failed_scores(self, item_ids: Sequence[UUID] | None, *, slot: str | None = None) -> list[Score]:
        return await self._read_scores(reopening.failed_scores(self.run.id, item_ids, slot=slot))

    async def evaluators(self) -> list[RunEvaluator]:
        return await reopening.evaluators(self._connection, self.run.id)

    async def add_evaluator(self, new: NewEvaluator, *, whole: bool) -> tuple[Group | None, UUID]:
        group, revision_id = await reopening.join_evaluator(
            self._connection, self.run.id, self.groups, new, whole=whole
        )
        # Another evaluator may speak for the run from now on.
        await mark_all_changed(self._connection, self.run.id)
        if group is not None and group.id not in self._groups_before:
            self.groups.append(group)
            self._groups_before[group.id] = state_of(group, GROUP_STATE)
        return group, revision_id

    async def create_scores_of(self, revision_id: UUID, group: Group | None, item_ids: Sequence[UUID]) -> set[UUID]:
        group_id = group.id if group else None
        return await new_scores.create_scores_of(self._connection, self.run.id, revision_id, group_id, item_ids)

    async def save_panels(self, verdicts: Sequence[PanelVerdict], now: datetime) -> None:
        await panels.save_panels(self._connection, verdicts, now)
        await mark_changed(self._connection, self.run.id, [verdict.score_id for verdict in verdicts])

    async def reopen_panels(self, now: datetime) -> None:
        await panels.reopen_panels(self._connection, self.run.id, now)
        await mark_all_changed(self._connection, self.run.id)

    async def refresh_providers(self, groups: Sequence[Group]) -> None:
        await reopening.refresh_providers(self._connection, groups)

    async def remember_key(self, idempotency: Idempotency) -> None:
        await remember_key(self._connection, self.run.id, idempotency)

    async def answers(self, items: Sequence[Item]) -> dict[UUID, Answer]:
        return await read_answers(self._connection, items)

    async def save_items(self, items: Sequence[Item], now: datetime) -> None:
        await save_results(self._connection, self.run.id, t.item, ITEM_STATE, items, now)

    async def save_scores(self, scores: Sequence[Score], now: datetime) -> None:
        await save_results(self._connection, self.run.id, t.score, SCORE_STATE, scores, now)

    async def save_run_and_groups(self) -> None:
        run_after = state_of(self.run, RUN_STATE)
        runs = [{"id": self.run.id} | run_after] if run_after != self._run_before else []
        after = {group.id: state_of(group, GROUP_STATE) for group in self.groups}
        groups = [{"id": id_} | state for id_, state in after.items() if state != self._groups_before[id_]]
        with one_active_run():
            await save_run(self._connection, runs, groups)

    async def tell(self, events: Sequence[RunEvent], commands: Sequence[Message]) -> None:
        self.run.last_seq = await tell(self._connection, self.run.id, events, commands, last_seq=self.run.last_seq)

    async def _first(self, query: Select[Any], **told: Any) -> Item | None:
        return next(iter(self._know(await self._connection.execute(query, told))), None)

    def _know(self, rows: CursorResult[Any]) -> list[Item]:
        items = [item_of(row) for row in rows.mappings()]
        self._known.update({item.id: item for item in items})
        return items

    async def _scores(self, ids: Sequence[UUID]) -> list[Score]:
        rows = await self._connection.execute(statements.scores(), {"ids": list(ids)})
        return [score_of(row) for row in rows.mappings()]

    async def _read_items(self, query: Select[Any]) -> list[Item]:
        return self._know(await self._connection.execute(query.order_by(t.item.c.position)))

    async def _read_scores(self, query: Select[Any]) -> list[Score]:
        rows = (await self._connection.execute(query.order_by(t.score.c.position))).mappings().all()
        return [score_of(row) for row in rows]


@contextmanager
def one_active_run() -> Iterator[None]:
    """The partial unique index says it: at most one run is RUNNING or PAUSING."""
    try:
        yield
    except IntegrityError as error:
        if "run_one_active" in str(error.orig):
            raise ActiveRunExists from error
        raise


def _work_of(group: Group) -> Any:
    return t.item if group.phase == RunPhase.BENCHMARKING else t.score
