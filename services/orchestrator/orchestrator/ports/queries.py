"""What the endpoints and exports need to read."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from llmbench.contracts.item_changed import ItemRow
from llmbench.contracts.read_run_events import RunEventPage
from llmbench.contracts.run_words import ItemStatus, RunStatus
from orchestrator.domain.records import Item
from orchestrator.ports.schemas import ItemDetail, RunDetail, RunSummary


@dataclass(frozen=True)
class ExportLine:
    """One item as the exports write it."""

    item: Item
    answer: str | None


class RunReader(Protocol):
    async def runs(
        self, *, statuses: Sequence[RunStatus], after: tuple[datetime, UUID] | None, limit: int
    ) -> list[RunSummary]:
        """Newest first, from just after the run that `after` names."""
        ...

    async def run(self, run_id: UUID) -> RunSummary | None: ...

    async def detail(self, run_id: UUID) -> RunDetail | None: ...

    async def events(self, run_id: UUID, *, from_seq: int, limit: int) -> RunEventPage: ...


class ItemReader(Protocol):
    async def page(
        self,
        run_id: UUID,
        *,
        statuses: Sequence[ItemStatus],
        target_id: UUID | None,
        after_position: int | None,
        limit: int,
    ) -> list[ItemRow]:
        """By position, from just after `after_position`."""
        ...

    async def detail(self, run_id: UUID, item_id: UUID) -> ItemDetail | None: ...

    def export(self, run_id: UUID) -> AsyncIterator[ExportLine]:
        """Every item by position, a chunk at a time: memory does not grow with the run."""
        ...
