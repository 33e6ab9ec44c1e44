"""Read and replace the primary revision of each evaluator of the run."""

from uuid import UUID

from orchestrator.runs.adapters import primary
from orchestrator.runs.adapters.transaction.records import RecordRows


class RevisionRows(RecordRows):
    """Implement the port `PrimaryRevisions`: choose, for each evaluator, the revision whose scores count."""

    async def promotable(self) -> list[tuple[str, UUID]]:
        return await primary.promotable(self._connection, self.run.id)

    async def has_scored(self, revision_id: UUID) -> bool:
        return await primary.has_scored(self._connection, self.run.id, revision_id)

    async def promote(self, slot: str, revision_id: UUID) -> None:
        await primary.promote(self._connection, self.run.id, slot, revision_id)
