"""The SQL for reopening a run, such as finding its failed work and adding evaluators."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Select, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.run_words import ItemStatus, RunPhase, ScoreStatus
from llmbench.db import tables as t
from orchestrator.kernel.adapters.rows import ITEMS, SCORES, among, group_of
from orchestrator.kernel.domain.limits import Limits
from orchestrator.kernel.domain.new_run import Judge, NewEvaluator
from orchestrator.kernel.domain.records import Group
from orchestrator.kernel.domain.revision import EMBEDDINGS, JUDGE_ASKS, own_params
from orchestrator.runs.adapters.evaluators import (
    add_evaluator,
    hold_providers,
    judge_group_row,
    locked_providers,
    program_group_row,
)
from orchestrator.runs.ports.transaction import RunEvaluator

_FAILURE_PHASE: Final = t.item.c.failure["phase"].astext


def failed_items(run_id: UUID, phase: RunPhase | None) -> Select[Any]:
    query = ITEMS.where(t.item.c.run_id == run_id, t.item.c.status == ItemStatus.FAILED)
    return query if phase is None else query.where(phase == _FAILURE_PHASE)


def answered_items(run_id: UUID) -> Select[Any]:
    judging_failed = (t.item.c.status == ItemStatus.FAILED) & (_FAILURE_PHASE == RunPhase.JUDGING)
    return ITEMS.where(t.item.c.run_id == run_id, (t.item.c.status == ItemStatus.COMPLETED) | judging_failed)


def failed_scores(run_id: UUID, item_ids: Sequence[UUID] | None, *, slot: str | None) -> Select[Any]:
    """Return the query for failed scores that can be retried. `item_ids` and `slot` (an evaluator's name in the run)
    restrict them; null means all items or all evaluators.

    For the slot of a panel, the query selects the scores of the panel's members, because a panel makes no calls.
    """
    query = SCORES.where(t.score.c.run_id == run_id, t.score.c.status == ScoreStatus.FAILED)
    query = query.where(t.score.c.group_id.is_not(None))
    if item_ids is not None:
        query = query.where(among(t.score.c.item_id, item_ids))
    if slot is None:
        return query
    named = t.run_evaluator.alias("named")
    members = select(func.unnest(named.c.members)).where(named.c.run_id == run_id, named.c.slot == slot)
    return query.where((t.run_evaluator.c.slot == slot) | t.score.c.evaluator_revision_id.in_(members))


async def evaluators(connection: AsyncConnection, run_id: UUID) -> list[RunEvaluator]:
    query = (
        select(t.run_evaluator, t.evaluator_revision)
        .join(t.evaluator_revision, t.evaluator_revision.c.id == t.run_evaluator.c.evaluator_revision_id)
        .where(t.run_evaluator.c.run_id == run_id)
        .order_by(t.run_evaluator.c.position)
    )
    return [
        RunEvaluator(
            revision_id=row["evaluator_revision_id"],
            slot=row["slot"],
            identity=row["identity"],
            kind=row["kind"],
            params=own_params(row["params"]),
            asks_judge=row["judge_model"] is not None,
            weight=row["weight"],
            required=row["required"],
            pass_threshold=row["pass_threshold"],
            panel=row["members"] is not None and row["corrects"] is None,
            member=row["member"],
            primary=row["primary"],
            judge_model=row["judge_model"],
            limits=Limits(row["only"], row["unless"]),
            corrects=row["corrects"],
            embeds=row["params"].get(JUDGE_ASKS) == EMBEDDINGS,
            scale=(row["scale_min"], row["scale_max"]),
            pass_mark=row["pass_mark"],
        )
        for row in (await connection.execute(query)).mappings()
    ]


async def join_evaluator(
    connection: AsyncConnection, run_id: UUID, groups: Sequence[Group], new: NewEvaluator, *, whole: bool
) -> tuple[Group | None, UUID]:
    """Add the evaluator to the run. Return its model group and the id of its revision.

    `whole` is true if the evaluator scores every answer of the run. The group is taken from the run's `groups`: the
    group of the judge's model, or the group without a model. If it does not exist, it is created. A panel has no group,
    so `None` is returned. Raises a 409 `Problem` if the provider of a new group was deleted.
    """
    if new.panel is not None:
        return None, await add_evaluator(connection, run_id, new, group_id=None, whole=whole)
    group = next((group for group in groups if _is_of(group, new.judge)), None)
    if group is None:
        row = await _group_row(connection, run_id, new.judge, position=len(groups))
        created = await connection.execute(insert(t.run_group).values(row).returning(t.run_group))
        group = group_of(created.mappings().one())
    return group, await add_evaluator(connection, run_id, new, group_id=group.id, whole=whole)


async def _group_row(
    connection: AsyncConnection, run_id: UUID, judge: Judge | None, *, position: int
) -> dict[str, Any]:
    if judge is None:
        return program_group_row(run_id, position=position)
    held = await hold_providers(connection, {judge.provider_id})
    model = (judge.provider_id, judge.model)
    return judge_group_row(run_id, model, held[judge.provider_id], concurrency=judge.concurrency, position=position)


def _is_of(group: Group, judge: Judge | None) -> bool:
    if group.phase != RunPhase.JUDGING:
        return False
    if judge is None or group.lane is None:
        return judge is None and group.lane is None
    return (group.lane.provider.provider_id, group.lane.model) == (judge.provider_id, judge.model)


async def refresh_providers(connection: AsyncConnection, groups: Sequence[Group]) -> list[Group]:
    asked = {group.lane.provider.provider_id for group in groups if group.lane is not None}
    held = await locked_providers(connection, asked)
    gone = []
    for group in groups:
        if group.lane is None:
            continue
        provider = held.get(group.lane.provider.provider_id)
        if provider is None:
            gone.append(group)
            continue
        group.lane.provider = provider
        snapshot = provider.model_dump(mode="json")
        await connection.execute(update(t.run_group).where(t.run_group.c.id == group.id).values(provider=snapshot))
    return gone
