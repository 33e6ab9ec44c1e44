"""Read and save the run, its groups, items and scores."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CursorResult, Select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.base import Message
from llmbench.contracts.run_event import RunEvent
from llmbench.contracts.run_words import ScoreStatus
from llmbench.db import tables as t
from orchestrator.kernel.adapters.limits import read_spending
from orchestrator.kernel.adapters.rows import (
    GROUP_STATE,
    ITEM_STATE,
    RUN_STATE,
    SCORE_STATE,
    item_of,
    score_of,
    state_of,
)
from orchestrator.kernel.domain.budget import Spending
from orchestrator.kernel.domain.overall import WeightedScore
from orchestrator.kernel.domain.records import Group, Item, Run, Score
from orchestrator.results.adapters.changes import mark_changed
from orchestrator.runs.adapters import panels, reopening
from orchestrator.runs.adapters import step_statements as statements
from orchestrator.runs.adapters.event_log import publish
from orchestrator.runs.adapters.saving import save_results, save_run
from orchestrator.runs.domain.panel import PanelVerdict
from orchestrator.runs.ports.store import ActiveRunExists
from orchestrator.runs.ports.transaction import RunEvaluator


class RecordRows:
    """Implement the port `RunRecords`: read and save a locked run with its groups, items and scores."""

    def __init__(
        self, connection: AsyncConnection, run: Run, groups: list[Group], *, hosted_hosts: Collection[str] = ()
    ) -> None:
        self._connection = connection
        self._hosted_hosts = hosted_hosts
        self.run = run
        self.groups = groups
        self._run_before = state_of(run, RUN_STATE)
        self._groups_before = {group.id: state_of(group, GROUP_STATE) for group in groups}
        self._known: dict[UUID, Item] = {}
        """The items that were read, by id. They stay valid, because the run's lock keeps other transactions from
        changing them."""

    async def items(self, ids: Sequence[UUID]) -> dict[UUID, Item]:
        if unknown := [id_ for id_ in ids if id_ not in self._known]:
            parameters = {"ids": unknown, "of_run": self.run.id}
            self._know(await self._connection.execute(statements.items(), parameters))
        return {id_: self._known[id_] for id_ in ids if id_ in self._known}

    async def scores(self, ids: Sequence[UUID]) -> dict[UUID, Score]:
        if not ids:
            return {}
        return {score.id: score for score in await self._scores(ids)}

    async def scores_by_item(self, item_ids: Sequence[UUID]) -> dict[UUID, list[WeightedScore]]:
        scores: dict[UUID, list[WeightedScore]] = {}
        rows = await self._connection.execute(statements.scores_of_items(), {"ids": list(item_ids)})
        for row in rows.mappings():
            scores.setdefault(row["item_id"], []).append(
                WeightedScore(
                    id=row["id"],
                    status=ScoreStatus(row["status"]),
                    weight=row["weight"],
                    required=row["required"],
                    revision_id=row["evaluator_revision_id"],
                    slot=row["slot"],
                    primary=row["primary"],
                    whole=row["whole"],
                    outcome=row["outcome"],
                    raw=row["raw"],
                    normalised=row["normalised"],
                    passed=row["passed"],
                    reason=row["reason"],
                    error=row["error"],
                    error_cause=row["error_cause"],
                    judge_model=row["judge_model"],
                    pass_threshold=row["pass_threshold"],
                    pass_mark=row["pass_mark"],
                    members=tuple(row["members"] or ()),
                    quorum=row["quorum"] or 0,
                    member=row["member"],
                    corrects=row["corrects"],
                )
            )
        return scores

    async def answered_items(self) -> list[Item]:
        return await self._read_items(reopening.answered_items(self.run.id))

    async def first_in_flight(self, group: Group) -> Item | None:
        return await self._first(statements.first_in_flight(group.phase), of_group=group.id)

    async def evaluators(self) -> list[RunEvaluator]:
        return await reopening.evaluators(self._connection, self.run.id)

    async def refresh_providers(self, groups: Sequence[Group]) -> list[Group]:
        return await reopening.refresh_providers(self._connection, groups)

    async def save_items(self, items: Sequence[Item], now: datetime) -> None:
        await save_results(self._connection, self.run.id, t.item, ITEM_STATE, items, now)

    async def save_scores(self, scores: Sequence[Score], now: datetime) -> None:
        await save_results(self._connection, self.run.id, t.score, SCORE_STATE, scores, now)

    async def save_panels(self, verdicts: Sequence[PanelVerdict], now: datetime) -> None:
        await panels.save_panels(self._connection, verdicts, now)
        await mark_changed(self._connection, self.run.id, [verdict.score_id for verdict in verdicts])

    async def save_run_and_groups(self) -> None:
        run_after = state_of(self.run, RUN_STATE)
        runs = [{"id": self.run.id} | run_after] if run_after != self._run_before else []
        after = {group.id: state_of(group, GROUP_STATE) for group in self.groups}
        groups = [{"id": id_} | state for id_, state in after.items() if state != self._groups_before[id_]]
        with one_active_run():
            await save_run(self._connection, runs, groups)

    async def spending(self, now: datetime) -> Spending:
        return await read_spending(self._connection, self.run.org_budget_usd, now)

    async def publish(self, events: Sequence[RunEvent], commands: Sequence[Message]) -> None:
        self.run.last_seq = await publish(self._connection, self.run.id, events, commands, last_seq=self.run.last_seq)

    async def _first(self, query: Select[Any], **parameters: Any) -> Item | None:
        return next(iter(self._know(await self._connection.execute(query, parameters))), None)

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
    """Raise `ActiveRunExists` if a statement in the `with` block violates the unique index that allows each
    organisation one active run."""
    try:
        yield
    except IntegrityError as error:
        if "run_one_active" in str(error.orig):
            raise ActiveRunExists from error
        raise
