"""Event from the judge: a command to score an answer has an outcome, either a score or the reason why there is none."""

from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from llmbench.contracts.base import Message, UtcTime, Value
from llmbench.contracts.outcome import Failure


class Scored(Value):
    """A score of an answer: `raw` on the evaluator's own scale, `normalised` on 0…1.

    `passed` is null when the evaluator does not decide whether the answer passes. If a judge was asked for a verdict,
    `details` contain `replies` (see `Replies`).
    """

    outcome: Literal["scored"] = "scored"
    raw: float
    scale_min: float
    scale_max: float
    normalised: float = Field(ge=0, le=1)
    passed: bool | None = None
    reason: str
    details: dict[str, Any] = Field(default_factory=dict)


class Replies(Value):
    """Counts of the judge's verdicts for one score.

    `asked` counts the verdicts that were requested, and `parsed` those that were readable. `repaired` counts those that
    were readable only after the single attempt to repair the reply.
    """

    asked: int = 0
    parsed: int = 0
    repaired: int = 0


class Unparsed(Value):
    """The outcome of scoring when the judge's reply contains no readable verdict. `problem` says what is wrong with the
    reply. The outcome never counts as a score of 0."""

    outcome: Literal["unparsed"] = "unparsed"
    problem: str
    raw_text: str
    replies: Replies | None = None


class JudgeRefused(Value):
    """The outcome of scoring when the judge model declined, or its provider's content filter stopped the verdict."""

    outcome: Literal["refused"] = "refused"
    message: str
    cause: Literal["refusal", "content_filter"] = "refusal"


class Errored(Value):
    """The outcome of scoring when the answer could not be scored, such as after a failed call of the judge.

    The orchestrator decides by `failure` whether to retry.
    """

    outcome: Literal["errored"] = "errored"
    failure: Annotated[Failure, Field(discriminator="kind")]


Verdict = Annotated[Scored | Unparsed | JudgeRefused | Errored, Field(discriminator="outcome")]


class AnswerScored(Message):
    """The event that reports the outcome of a command to score an answer, with the command's `dispatch`.

    `call_ids` are the judge's calls for this score, in order, including failed ones. `cost_usd` is the sum of the known
    costs of these calls, null when no cost is known. `unpriced_calls` counts the answered calls without a known cost.
    """

    SUBJECT: ClassVar[str] = "evt.score.{score_id}"

    type: Literal["llmbench.score.answer_scored.v1"] = "llmbench.score.answer_scored.v1"
    score_id: UUID
    run_id: UUID
    item_id: UUID
    dispatch: int
    verdict: Verdict
    call_ids: tuple[UUID, ...] = ()
    cost_usd: float | None = None
    unpriced_calls: int = 0
    scored_at: UtcTime

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.score.answer_scored.v1",
            "score_id": "0193a000-0000-7000-8000-000000000004",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "item_id": "0193a000-0000-7000-8000-000000000003",
            "dispatch": 1,
            "verdict": {
                "outcome": "scored",
                "raw": 9,
                "scale_min": 0,
                "scale_max": 10,
                "normalised": 0.9,
                "passed": True,
                "reason": "The sum is right.",
            },
            "call_ids": ["5a7c2d1e-0000-5000-8000-000000000003"],
            "scored_at": "2026-01-01T12:00:05.000Z",
        },
        {
            "type": "llmbench.score.answer_scored.v1",
            "score_id": "0193a000-0000-7000-8000-000000000004",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "item_id": "0193a000-0000-7000-8000-000000000003",
            "dispatch": 2,
            "verdict": {"outcome": "unparsed", "problem": "The verdict was cut by the token limit.", "raw_text": "{"},
            "scored_at": "2026-01-01T12:00:05.000Z",
        },
    )
