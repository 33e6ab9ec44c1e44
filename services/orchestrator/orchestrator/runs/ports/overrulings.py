"""The scores that people give instead of a judge's: their records, their responses, and the port that reads them."""

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import UtcTime
from llmbench.http.created_by import CreatedBy

MOST_CHANGES = 200
"""The number of times that the score of an evaluator for an item may be overruled or withdrawn."""


@dataclass(frozen=True)
class Author:
    """The person who overrules a score: `person_id` if the person signed in, else the `name` that the person gave."""

    person_id: UUID | None
    name: str | None


@dataclass(frozen=True)
class GivenScore:
    """A person's score: `raw` on the evaluator's scale, `normalised` to 0…1."""

    raw: float
    normalised: float
    passed: bool | None
    reason: str


@dataclass(frozen=True)
class NewOverruling:
    """A person's score that replaces the score of the judge's revision `revision_id` for an item. If `given` is null,
    the person's earlier score is withdrawn."""

    item_id: UUID
    revision_id: UUID
    number: int
    judge_score: float
    given: GivenScore | None
    author: Author


class OverrulingOut(BaseModel):
    """A person's score instead of a judge's, or its withdrawal.

    `judge_score` was the judge's score at that time; both scores are on the evaluator's scale. `holds` is true for the
    newest overruling of each evaluator, which decides whose score counts.
    """

    evaluator: str
    evaluator_revision_id: UUID = Field(description="The revision of the judge.")
    number: int
    judge_score: float
    score: float | None = Field(description="Null if the score before was withdrawn.")
    reason: str | None
    given_name: str | None = Field(description="The name that the person gave, if there was no sign-in.")
    created_at: UtcTime
    created_by: CreatedBy = None
    holds: bool


class ItemOverrulings(BaseModel):
    """All overrulings of an item's scores, the newest first."""

    items: list[OverrulingOut]


class OverrulingReader(Protocol):
    async def of_item(self, run_id: UUID, item_id: UUID) -> ItemOverrulings | None:
        """Return the scores that people gave the item instead of a judge's; `None` if the run has no such item."""
        ...
