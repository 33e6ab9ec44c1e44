"""Claim items and scores that are due, and read the data for their commands."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, select

from llmbench.contracts.run_words import ItemStatus, RunPhase, ScoreStatus
from llmbench.db import tables as t
from orchestrator.kernel.adapters.rows import (
    ITEMS,
    SCORES,
    score_of,
)
from orchestrator.kernel.domain.prompts import HadTurn
from orchestrator.kernel.domain.records import Group, Item, Score
from orchestrator.results.adapters.changes import mark_all_changed
from orchestrator.runs.adapters import conversations, new_scores
from orchestrator.runs.adapters import step_statements as statements
from orchestrator.runs.adapters.answers import read_answers
from orchestrator.runs.adapters.local_hosts import host_of, is_host_busy
from orchestrator.runs.adapters.transaction.records import RecordRows
from orchestrator.runs.ports.transaction import Answer


class WorkRows(RecordRows):
    """Implement the ports `RunWork` and `WorkInFlight`: claim due work, and find work in flight."""

    async def claim_items(self, group_id: UUID, count: int, now: datetime) -> list[Item]:
        parameters = {"of_group": group_id, "most": count, "at": now}
        # Only runs with an undecided gate pay for the search for gates.
        claiming = statements.claiming_items(gated=self.run.open_task_gates > 0)
        return self._know(await self._connection.execute(claiming, parameters))

    async def claim_scores(self, group_id: UUID, count: int, now: datetime) -> list[Score]:
        parameters = {"of_group": group_id, "most": count, "at": now}
        claimed = await self._connection.execute(statements.claiming_scores(), parameters)
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

    async def unscored_items(self) -> list[Item]:
        has_score = select(t.score.c.id).where(t.score.c.item_id == t.item.c.id).correlate(t.item).exists()
        waiting = (t.item.c.run_id == self.run.id, t.item.c.status == ItemStatus.WAITING_FOR_JUDGE)
        return await self._read_items(ITEMS.where(*waiting, ~has_score))

    async def local_host(self, group: Group) -> str | None:
        return None if group.lane is None else await host_of(group.lane.provider.base_url, hosted=self._hosted_hosts)

    async def is_host_busy(self, host: str) -> bool:
        return await is_host_busy(self._connection, host, self.run.id)

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

    async def turns_before(self, item_ids: Sequence[UUID], *, most: int) -> dict[UUID, list[HadTurn]]:
        return await conversations.turns_before(self._connection, item_ids, most=most)

    async def turns_after(self, item_id: UUID) -> list[Item]:
        return await self._read_items(conversations.turns_after(item_id))

    async def answers(self, items: Sequence[Item]) -> dict[UUID, Answer]:
        return await read_answers(self._connection, items)

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


def _work_of(group: Group) -> Any:
    return t.item if group.phase == RunPhase.BENCHMARKING else t.score
