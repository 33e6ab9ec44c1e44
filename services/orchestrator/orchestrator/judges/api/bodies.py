"""The request body of `/api/judge-checks`."""

from collections.abc import Callable, Sequence
from typing import Annotated, Final, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from orchestrator.evaluations.domain.requested import JudgeRequest
from orchestrator.judges.domain.cases import OWN_SET, CheckCase, Right
from orchestrator.judges.handlers.start_check import RequestedCheck
from orchestrator.runs.api.bodies import CostLimit, JudgeChoice, Timeout
from orchestrator.runs.api.input import Input

MAX_CASES: Final = 5_000
MAX_REPEATS: Final = 5


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


Name = Annotated[str, Field(min_length=1, max_length=120)]
Text = Annotated[str, Field(max_length=100_000), AfterValidator(_not_blank)]


class CaseIn(Input):
    """A case with its right verdict. It is a pair of answers (`first` and `second`), or a single `answer`."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)

    id: Annotated[str, Field(min_length=1, max_length=255)]
    category: Name = "all"
    question: Text
    context: Text | None = None
    first: Text | None = None
    second: Text | None = None
    answer: Text | None = None
    right: Right = Field(description="`first`, `second` or `tie` for two answers; `pass` or `fail` for one.")
    reason: str | None = Field(default=None, max_length=2_000, description="Why this is right, for people.")

    @model_validator(mode="after")
    def _one_or_two(self) -> Self:
        pair = self.first is not None and self.second is not None and self.answer is None
        single = self.answer is not None and self.first is None and self.second is None
        if not pair and not single:
            raise ValueError("give `first` and `second`, or one `answer`")
        return self

    def case(self) -> CheckCase:
        return CheckCase(
            id=self.id,
            category=self.category,
            question=self.question,
            first=self.answer or self.first or "",
            second=self.second,
            right=self.right,
            reason=self.reason,
            context=self.context,
        )


class CaseSetIn(Input):
    name: Name
    cases: list[CaseIn] = Field(min_length=1, max_length=MAX_CASES)


class CreateJudgeCheck(Input):
    """The request to check a judge. `set` is the id of a set of prepared answers; without it, the judge scores the
    product's own adversarial cases."""

    judge: JudgeChoice
    name: str | None = Field(default=None, min_length=1, max_length=255)
    set: CaseSetIn | None = None
    repeats: int = Field(
        default=2, ge=1, le=MAX_REPEATS, description="How often each case is judged; two or more show self-agreement."
    )
    timeout_s: Timeout = 300
    max_cost_usd: CostLimit | None = None
    check_providers: bool = Field(default=True, description="Ask the judge's provider for its models first.")

    def requested(self, own_cases: Callable[[], Sequence[CheckCase]]) -> RequestedCheck:
        return RequestedCheck(
            judge=JudgeRequest(
                self.judge.provider_id, self.judge.model, self.judge.params, self.judge.concurrency, place="judge"
            ),
            name=self.name,
            set_name=self.set.name if self.set else OWN_SET,
            built_in=self.set is None,
            cases=[case.case() for case in self.set.cases] if self.set else own_cases(),
            repeats=self.repeats,
            timeout_s=self.timeout_s,
            max_cost_usd=self.max_cost_usd,
            check_providers=self.check_providers,
        )
