"""Define the port that reads answers of runs for people to label."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from llmbench.contracts.annotation_words import AnswerPriority
from llmbench.contracts.read_answers import AnswersRead
from llmbench.contracts.run_words import RunStatus
from orchestrator.results.domain.label_sample import Answer

MOST_CANDIDATES = 200_000
"""The maximum number of answers among which a sample is drawn."""


class AnswerReader(Protocol):
    async def about(self, run_id: UUID) -> tuple[str, RunStatus, dict[UUID, str]] | None:
        """Return the name, the status and the labels of the targets of a run; `None` if there is no such run."""
        ...

    async def candidates(
        self, run_id: UUID, target_ids: Sequence[UUID], priority: AnswerPriority | None
    ) -> list[Answer]:
        """Return the answers of these targets, at most one more than `MOST_CANDIDATES`."""
        ...

    async def read(self, run_id: UUID, item_ids: Sequence[UUID]) -> AnswersRead: ...
