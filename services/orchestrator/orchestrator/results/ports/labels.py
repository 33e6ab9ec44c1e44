"""Define the port that reads answers of runs for people to label."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from llmbench.contracts.annotation_words import AnswerPriority
from llmbench.contracts.read_answers import AnswersRead
from llmbench.contracts.run_words import RunStatus
from orchestrator.results.domain.label_sample import Answer, CalledAnswer

MOST_CANDIDATES = 200_000
"""The maximum number of answers among which a sample is drawn."""


class AnswerReader(Protocol):
    async def about(self, run_id: UUID) -> tuple[str, RunStatus, dict[UUID, str]] | None:
        """Return a run's name, its status, and the labels of its targets by target id; `None` if there is no such
        run."""
        ...

    async def candidates(
        self, run_id: UUID, target_ids: Sequence[UUID], priority: AnswerPriority | None
    ) -> list[Answer]:
        """Return the answers of these targets. `priority` decides how the urgency of each answer is computed; if it is
        null, no answer has an urgency.

        At most `MOST_CANDIDATES` + 1 answers are returned, so the caller notices if there are too many.
        """
        ...

    async def called(self, run_id: UUID, target_ids: Sequence[UUID], cases: Sequence[str]) -> list[CalledAnswer]:
        """Return the answers of these targets to the cases with these names."""
        ...

    async def read(self, run_id: UUID, item_ids: Sequence[UUID]) -> AnswersRead: ...
