"""A run's items, as the API returns them."""

from collections.abc import Mapping
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field, ValidationError

from llmbench.contracts.case import Case
from llmbench.contracts.item_changed import ItemRow
from llmbench.contracts.outcome import Citation, Cost, Timings, Usage
from llmbench.contracts.run_words import ScoreStatus
from orchestrator.results.ports.source_schemas import PromptRef


class ItemScore(BaseModel):
    """The score of one evaluator revision for an item; `raw` is on the evaluator's own scale.

    `corrects` is the judge's revision, if people corrected that judge's scores in this revision. `by_person` is true if
    a person gave this score.
    """

    evaluator: str
    evaluator_revision_id: UUID
    judge_model: str | None
    primary: bool = Field(exclude=True)
    whole: bool = Field(exclude=True)
    status: ScoreStatus
    outcome: Literal["scored", "unparsed", "refused", "errored"] | None
    raw: float | None
    normalised: float | None
    passed: bool | None
    corrects: UUID | None = None
    by_person: bool = False

    @property
    def slot(self) -> str:
        return self.evaluator


class ItemOut(ItemRow):
    """An item in a list, with its scores in the order in which their evaluators joined the run."""

    scores: list[ItemScore]


class ExcerptScore(BaseModel):
    """The score of one evaluator revision for an item, with the value that the evaluator extracted from the answer."""

    evaluator: str
    evaluator_revision_id: UUID
    outcome: Literal["scored", "unparsed", "refused", "errored"] | None
    raw: float | None
    normalised: float | None
    passed: bool | None
    extracted: str | None


class ItemExcerpt(BaseModel):
    """The beginnings of an item's texts: up to 240 characters of the question, of the expected answer, and of the
    answer's first line."""

    id: UUID
    question: str | None
    answer: str | None
    expected: str | None
    tags: list[str]
    scores: list[ExcerptScore]


class ExtractionOut(BaseModel):
    """The values that an evaluator extracted from the answer and from the reference, and the rules that it used. A
    value is null if nothing was extracted."""

    answer: str | None
    answer_rule: str
    reference: str | None
    reference_rule: str | None


def extraction_of(details: Mapping[str, Any]) -> ExtractionOut | None:
    """Return the `extraction` of a score's details; `None` if there is none, or if it has an unknown form."""
    extraction = details.get("extraction")
    try:
        return None if extraction is None else ExtractionOut.model_validate(extraction)
    except ValidationError:  # Another version of the evaluator wrote these details.
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
        description="The parts read from the answer and the reference; null for an evaluator that reads none."
    )
    details: dict[str, Any] = Field(description="Further results of the evaluator.")
    attempts: int
    cost_usd: float | None
    judge_model: str | None
    judge_prompt: str | None
    judge_reply: str | None
    notes: list[str] = Field(description="Parts of the judge's request or reply that were dropped or changed.")
    redactions: int = Field(description="Places where the judge's reply repeated a secret of the call; each reads •••.")
    corrects: UUID | None = Field(default=None, description="The judge's revision, if people corrected its scores.")
    by_person: bool = Field(default=False, description="True if a person gave the score.")


class RenderedPrompt(PromptRef):
    """The messages that the target's prompt makes of the case. They are computed for display and not stored."""

    system: str | None
    user: str


class ItemDetail(ItemRow):
    """An item in full: the row, the case, the request as sent, the answer, and every score."""

    run_id: UUID
    case: Case
    system_prompt: str | None
    rendered: RenderedPrompt | None = Field(description="Null if the target has no prompt.")
    answer: str | None
    reasoning: str | None = Field(description="The model's reasoning before its answer, if the provider shows it.")
    refusal: str | None = Field(description="The model's own words, where it refused to answer.")
    notes: list[str] = Field(description="Parts of the request or the answer that were dropped or changed.")
    redactions: int = Field(description="Places where the answer repeated a secret of the call; each reads •••.")
    citations: list[Citation] | None = Field(
        description="The citations that the service returned in fields; null if it has no such fields."
    )
    usage: Usage | None
    timings: Timings | None
    cost: Cost | None
    request: dict[str, Any] | None = Field(description="The request as it was sent, without headers.")
    response: Any = Field(description="The provider's response, assembled from its stream.")
    scores: list[ScoreOut]
