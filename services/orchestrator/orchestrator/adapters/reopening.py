"""What a finished run that goes on needs of the database: see orchestrator.ports.store.RunTransaction."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import (
    Select,
    insert,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.run_words import ItemStatus, RunPhase
from llmbench.db import tables as t
from orchestrator.adapters.judges import add_judge, hold_providers, judge_group_row
from orchestrator.adapters.rows import ITEMS, group_of
from orchestrator.domain.new_run import Judge
from orchestrator.domain.records import Group

_FAILURE_PHASE: Final = t.item.c.failure["phase"].astext


def failed_items(run_id: UUID, phase: RunPhase | None) -> Select[Any]:
    query = ITEMS.where(t.item.c.run_id == run_id, t.item.c.status == ItemStatus.FAILED)
    return query if phase is None else query.where(phase == _FAILURE_PHASE)


def answered_items(run_id: UUID) -> Select[Any]:
    judging_failed = (t.item.c.status == ItemStatus.FAILED) & (_FAILURE_PHASE == RunPhase.JUDGING)
    return ITEMS.where(t.item.c.run_id == run_id, (t.item.c.status == ItemStatus.COMPLETED) | judging_failed)


async def join_judge(
    connection: AsyncConnection, run_id: UUID, groups: Sequence[Group], judge: Judge, *, whole: bool
) -> tuple[Group, UUID]:
    """The judge's group (one of `groups`, or a new one behind them) and revision."""
    group = next((group for group in groups if _is_of(group, judge)), None)
    if group is None:
        held = await hold_providers(connection, {judge.provider_id})
        row = judge_group_row(run_id, judge, held[judge.provider_id], position=len(groups))
        created = await connection.execute(insert(t.run_group).values(row).returning(t.run_group))
        group = group_of(created.mappings().one())
    return group, await add_judge(connection, run_id, judge, group_id=group.id, whole=whole)


def _is_of(group: Group, judge: Judge) -> bool:
    return (group.phase, group.provider.provider_id, group.model) == (RunPhase.JUDGING, judge.provider_id, judge.model)


async def refresh_providers(connection: AsyncConnection, groups: Sequence[Group]) -> None:
    held = await hold_providers(connection, {group.provider.provider_id for group in groups})
    for group in groups:
        group.provider = held[group.provider.provider_id]
        snapshot = group.provider.model_dump(mode="json")
        await connection.execute(update(t.run_group).where(t.run_group.c.id == group.id).values(provider=snapshot))
