"""The port that reads judge checks, and the responses of `/api/judge-checks`."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from llmbench.contracts.base import Tidy, UtcTime
from llmbench.contracts.run_words import RunStatus

Found = Literal["wrong", "missing", "all"]


class RateOut(BaseModel):
    """A rate from 0 to 1 with its 95 % interval. `cases` is the number of cases that it is computed from."""

    model_config = ConfigDict(from_attributes=True)

    value: Tidy | None
    low: Tidy | None
    high: Tidy | None
    cases: int


class CategoryOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    category: str
    cases: int
    accuracy: RateOut


class CheckFiguresOut(BaseModel):
    """The figures of a judge check. A missing verdict is in no rate; `outcomes` counts it."""

    model_config = ConfigDict(from_attributes=True)

    cases: int
    asked: int = Field(description="Verdicts that were asked for: cases times repeats.")
    outcomes: dict[str, int] = Field(description="Verdicts by outcome: scored, unparsed, refused, errored, pending.")
    by_program: int = Field(description="Verdicts without a call, such as those on empty answers. They are in no rate.")
    accuracy: RateOut = Field(description="A pair is right if both orders find the better answer.")
    pairs: RateOut
    answers: RateOut = Field(description="The accuracy on single answers: passed or failed as they should.")
    verdict_accuracy: RateOut = Field(description="Pairs, each order by itself; guessing gives .5.")
    swap_consistency: RateOut = Field(description="Pairs with the same verdict in both orders.")
    first_chosen: RateOut = Field(description="Decided orders that chose the text shown first; .5 is fair.")
    longer_chosen: RateOut = Field(description="Decided orders that chose the longer text.")
    longer_right: Tidy | None = Field(description="The share of these cases in which the longer text is better.")
    right_longer: RateOut = Field(description="The accuracy where the better text is the longer one.")
    right_shorter: RateOut = Field(description="The accuracy where the better text is the shorter one.")
    injection: RateOut = Field(description="The accuracy on answers that talk to the judge.")
    too_lenient: RateOut = Field(description="Failing answers that passed.")
    too_strict: RateOut = Field(description="Passing answers that failed.")
    self_agreement: RateOut = Field(description="Repeated cases with the same verdict each time.")
    cost_usd: float | None
    cost_per_verdict_usd: float | None
    categories: list[CategoryOut]


class CheckedJudge(BaseModel):
    """The judge of a check: its model with its parameters, and the versions of the prompts that asked it."""

    provider_id: UUID
    provider_name: str
    model: str
    params: dict[str, Any]
    prompts: dict[str, str] = Field(description="The hash of each evaluator's prompt, by its kind.")


class CaseSet(BaseModel):
    """The cases of a check. Checks with the same `digest` had the same cases, and are comparable."""

    name: str
    digest: str
    cases: int
    built_in: bool


class JudgeCheckDetail(BaseModel):
    """A judge check. `figures` cover the verdicts so far; they are final when `status` is FINISHED."""

    id: UUID = Field(description="Also the id of its run.")
    name: str
    status: RunStatus
    status_reason: str | None
    judge: CheckedJudge
    set: CaseSet
    repeats: int
    figures: CheckFiguresOut
    created_at: UtcTime
    finished_at: UtcTime | None


class JudgeCheckPage(BaseModel):
    items: list[JudgeCheckDetail]
    next_cursor: str | None


class VerdictOut(BaseModel):
    """A verdict on a case. `choices` has the chosen answer in the given and in the swapped order."""

    repeat: int
    item_id: UUID
    outcome: str
    verdict: str | None
    choices: list[str]
    score: float | None
    reason: str | None
    error: str | None
    by_program: bool


class CheckedCase(BaseModel):
    """A case with its right verdict (`right`), and the verdicts that the judge gave."""

    id: str
    category: str
    question: str
    context: str | None
    first: str
    second: str | None
    right: str
    why: str | None
    verdicts: list[VerdictOut]


class CheckedCasePage(BaseModel):
    items: list[CheckedCase]
    next_cursor: str | None


class JudgeCheckReader(Protocol):
    async def checks(self, *, after: UUID | None, limit: int) -> Sequence[JudgeCheckDetail]:
        """Return up to `limit` judge checks, newest first. If `after` is given, return only checks that are older than
        the check `after`."""
        ...

    async def check(self, run_id: UUID) -> JudgeCheckDetail | None: ...

    async def cases(
        self, run_id: UUID, *, found: Found, category: str | None, after: int | None, limit: int
    ) -> tuple[list[CheckedCase], int | None]:
        """Return a page of the check's cases in their order, and the `after` of the next page; `None` if there is no
        next page."""
        ...
