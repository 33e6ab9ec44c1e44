"""What the API shows of a run's items."""

from collections.abc import Mapping
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field, ValidationError

from llmbench.contracts.case import Case
from llmbench.contracts.item_changed import ItemRow
from llmbench.contracts.outcome import Citation, Cost, Timings, Usage
from llmbench.contracts.run_words import ScoreStatus


class ItemScore(BaseModel):
    """What one evaluator revision says of an item; `raw` is on the evaluator's own scale."""

    evaluator: str
    evaluator_revision_id: UUID
    judge_model: str | None
    whole: bool = Field(exclude=True)
    status: ScoreStatus
    outcome: Literal["scored", "unparsed", "refused", "errored"] | None
    raw: float | None
    normalised: float | None
    passed: bool | None

    @property
    def slot(self) -> str:
        return self.evaluator


class ItemOut(ItemRow):
    """An item's row with its scores, in the order in which their evaluators joined the run."""

    scores: list[ItemScore]


class ItemPage(BaseModel):
    items: list[ItemOut]
    next_cursor: str | None


class ItemCount(BaseModel):
    items: int


class ExtractionOut(BaseModel):
    """What an evaluator read from the answer and from the reference, and by which rules; null where it read nothing."""

    answer: str | None
    answer_rule: str
    reference: str | None
    reference_rule: str | None


def extraction_of(details: Mapping[str, Any]) -> ExtractionOut | None:
    """Return what an evaluator says under `extraction` in its score's details; of one that says nothing there, None."""
    found = details.get("extraction")
    try:
        return None if found is None else ExtractionOut.model_validate(found)
    except ValidationError:  # an evaluator of another version
        return None


class ScoreOut(BaseModel):
    id: UUID
    evaluator: str
    evaluator_revision_id: UUID
    kind: str
    status: ScoreStatus
    outcome: Literal["scored", "unparsed", "refused", "errored"] | None
    raw: float | None
    scale_min: float
    scale_max: float
    normalised: float | None
    passed: bool | None
    reason: str | None
    error: str | None
    extraction: ExtractionOut | None = Field(
        description="What was read from the answer and from the reference; null for an evaluator that reads no part."
    )
    details: dict[str, Any] = Field(description="What the evaluator says beside its score.")
    attempts: int
    cost_usd: float | None
    judge_model: str | None
    judge_prompt: str | None
    judge_reply: str | None


class ItemDetail(ItemRow):
    """An item whole: the row, the case, the request as sent, the answer, and every score."""

    run_id: UUID
    case: Case
    system_prompt: str | None
    answer: str | None
    reasoning: str | None = Field(description="What the model wrote before its answer, where the provider shows it.")
    refusal: str | None = Field(description="The model's own words, where it refused to answer.")
    notes: list[str] = Field(description="Parts of the request or the answer that were dropped or changed.")
    citations: list[Citation] | None = Field(
        description="Those that the service gave in fields of their own; null where it has none for them."
    )
    usage: Usage | None
    timings: Timings | None
    cost: Cost | None
    request: dict[str, Any] | None = Field(description="As it was sent; headers are not part of it.")
    response: Any = Field(description="As the provider sent it, put together from its stream.")
    scores: list[ScoreOut]
