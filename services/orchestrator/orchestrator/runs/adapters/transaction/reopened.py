"""Read the failed work of a finished run, and add evaluators."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from llmbench.contracts.run_words import RunPhase
from orchestrator.kernel.adapters.rows import (
    GROUP_STATE,
    state_of,
)
from orchestrator.kernel.domain.new_run import Idempotency, NewEvaluator
from orchestrator.kernel.domain.records import Group, Item, Score
from orchestrator.results.adapters.changes import mark_all_changed
from orchestrator.runs.adapters import new_scores, panels, reopening
from orchestrator.runs.adapters.idempotency import remember_key
from orchestrator.runs.adapters.transaction.records import RecordRows


class ReopenedRows(RecordRows):
    """Implement the port `Reopening`: find failed work to retry, and add evaluators to a finished run."""

    async def failed_items(self, phase: RunPhase | None) -> list[Item]:
        return await self._read_items(reopening.failed_items(self.run.id, phase))

    async def failed_scores(self, item_ids: Sequence[UUID] | None, *, slot: str | None = None) -> list[Score]:
        return await self._read_scores(reopening.failed_scores(self.run.id, item_ids, slot=slot))

    async def add_evaluator(self, new: NewEvaluator, *, whole: bool) -> tuple[Group | None, UUID]:
        group, revision_id = await reopening.join_evaluator(
            self._connection, self.run.id, self.groups, new, whole=whole
        )
        # The statistics include the new evaluator from now on, so all of them are outdated.
        await mark_all_changed(self._connection, self.run.id)
        if group is not None and group.id not in self._groups_before:
            self.groups.append(group)
            self._groups_before[group.id] = state_of(group, GROUP_STATE)
        return group, revision_id

    async def create_scores_of(self, revision_id: UUID, group: Group | None, item_ids: Sequence[UUID]) -> set[UUID]:
        group_id = group.id if group else None
        return await new_scores.create_scores_of(self._connection, self.run.id, revision_id, group_id, item_ids)

    async def reopen_panels(self, now: datetime) -> None:
        await panels.reopen_panels(self._connection, self.run.id, now)
        await mark_all_changed(self._connection, self.run.id)

    async def remember_key(self, idempotency: Idempotency) -> None:
        await remember_key(self._connection, self.run.id, idempotency)
