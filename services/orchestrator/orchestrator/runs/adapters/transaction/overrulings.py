"""Read and store the scores that people give instead of a judge's."""

from uuid import UUID

from orchestrator.results.adapters.changes import mark_all_changed, mark_changed
from orchestrator.runs.adapters import overrulings
from orchestrator.runs.adapters.transaction.records import RecordRows
from orchestrator.runs.ports.overrulings import NewOverruling, OverrulingOut
from orchestrator.runs.ports.transaction import RunEvaluator


class OverrulingRows(RecordRows):
    """Implement the port `Overrulings`: scores that people give instead of a judge's."""

    async def overrulings_of(self, item_id: UUID) -> list[OverrulingOut]:
        return await overrulings.overrulings_of(self._connection, self.run.id, item_id)

    async def add_corrected(self, judge: RunEvaluator) -> bool:
        added = await overrulings.add_corrected(self._connection, self.run.id, judge)
        if added:
            await mark_all_changed(self._connection, self.run.id)
        return added

    async def overrule(self, score_id: UUID, new: NewOverruling) -> None:
        await overrulings.add_overruling(self._connection, self.run.id, new)
        await overrulings.replace_score(self._connection, self.run.id, score_id, new)
        await mark_changed(self._connection, self.run.id, [score_id])
