"""What an evaluator is: from a command and a way to ask a model, to a verdict."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from judge.domain.cannot_score import CannotScore
from judge.domain.text import printable
from llmbench.contracts.answer_scored import Errored, Scored, Verdict
from llmbench.contracts.chat import ChatRequest
from llmbench.contracts.describe_evaluator import EvaluatorFacts, ParamProblem
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.list_evaluators import EvaluatorInfo
from llmbench.contracts.outcome import Failure, Rejected

ANSWER_LIMIT_CHARS = 200_000
"""Longer answers are not scored by program: a bound on the time and memory that one answer can take."""


@dataclass(frozen=True)
class Reply:
    """The judge model's whole text; `cut` when it stopped at its token limit."""

    text: str
    cut: bool = False


class CallFailed(Exception):
    """The model did not answer. Evaluators let it pass: the orchestrator decides what follows."""

    def __init__(self, outcome: Failure) -> None:
        super().__init__(outcome.kind)
        self.outcome = outcome


class RunPaused(Exception):
    """No call may be started for the run. Evaluators let it pass: the score is sent again later,
    and the steps already paid for are remembered."""


class UnfitParams(ValueError):
    """The parameters are not this evaluator's."""

    def __init__(self, problems: tuple[ParamProblem, ...]) -> None:
        super().__init__(" ".join(f"{problem.field}: {problem.message}" for problem in problems))
        self.problems = problems


class Ask(Protocol):
    """`part` names the step and its repeat ("verdict.1"): with the score's id and dispatch it is
    the identity of the call, so it must be the same each time the evaluation is replayed."""

    async def __call__(self, part: str, request: ChatRequest) -> Reply: ...


class Params(BaseModel):
    """An evaluator's parameters. Whoever chooses them reads their descriptions in a form."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


Text = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]


class ReferenceParams(Params):
    references: tuple[Text, ...] = Field(
        default=(),
        max_length=50,
        description="Right answers, the same for every case. Without them each case's own count: its expected "
        "output, its ground truth's answer and acceptable answers, its excellent answer.",
    )


P = TypeVar("P", bound=Params)


@dataclass(frozen=True)
class Example:
    """`answer` and `replies` in, the `verdict`'s fields (those given) and `parts` out."""

    name: str
    answer: str
    verdict: dict[str, Any]
    replies: tuple[Reply, ...] = ()
    parts: tuple[str, ...] = ()
    case: dict[str, Any] = field(default_factory=dict)
    params: dict[str, Any] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Evaluator(Generic[P]):
    """`score` is the whole of it; the rest says what it is called, what it takes and what identifies it.

    Another `schema_version` is another way to score: raised when the same answer may get another score.
    """

    kind: str
    title: str
    description: str
    params: type[P]
    score: Callable[[JudgeAnswer, P, Ask], Awaitable[Verdict]]
    examples: tuple[Example, ...]
    needs_judge: bool
    scale_min: float = 0
    scale_max: float = 1
    schema_name: str
    schema_version: str = "1"
    prompt_hash: Callable[[P], str] = lambda _: ""
    called: Callable[[P], str] | None = None
    """A title that tells its parameters apart ("G-Eval: relevance")."""
    whole_params: bool = True
    """False where parameters left at their defaults are not part of the identity."""

    async def evaluate(self, task: JudgeAnswer, ask: Ask) -> Verdict:
        """Raises `UnfitParams`, `NoJudge`, `CallFailed` or `RunPaused`."""
        params = self.read(task.evaluator.params)
        try:
            return await self.score(task, params, ask)
        except CannotScore as error:
            return Errored(failure=Rejected(message=printable(str(error), 2000), http_status=422, cause="bad_request"))

    def read(self, given: Mapping[str, Any]) -> P:
        """Raises `UnfitParams`."""
        try:
            return self.params.model_validate(given)
        except ValidationError as error:
            raise UnfitParams(_problems(error)) from None

    def info(self) -> EvaluatorInfo:
        return EvaluatorInfo(
            kind=self.kind,
            title=self.title,
            description=self.description,
            needs_judge=self.needs_judge,
            params_schema=self.params.model_json_schema(),
        )

    def facts(self, given: Mapping[str, Any]) -> EvaluatorFacts:
        """Raises `UnfitParams`."""
        params = self.read(given)
        return EvaluatorFacts(
            kind=self.kind,
            title=self.called(params) if self.called else self.title,
            needs_judge=self.needs_judge,
            params=params.model_dump(mode="json", exclude_defaults=not self.whole_params),
            prompt_hash=self.prompt_hash(params),
            schema_name=self.schema_name,
            schema_version=self.schema_version,
            scale_min=self.scale_min,
            scale_max=self.scale_max,
        )


def by_program(
    *,
    kind: str,
    title: str,
    description: str,
    params: type[P],
    score: Callable[[JudgeAnswer, P], Scored],
    examples: tuple[Example, ...],
    schema_version: str = "1",
) -> Evaluator[P]:
    """An evaluator that asks no model. `score` works in a thread, so that a long text holds up nobody else, and
    raises `CannotScore`."""

    async def in_thread(task: JudgeAnswer, chosen: P, _: Ask) -> Verdict:
        if len(task.answer) > ANSWER_LIMIT_CHARS:
            raise CannotScore(
                f"The answer has {len(task.answer):,} characters; {kind} scores answers of at most "
                f"{ANSWER_LIMIT_CHARS:,}."
            )
        return await asyncio.to_thread(score, task, chosen)

    return Evaluator(
        kind=kind,
        title=title,
        description=description,
        params=params,
        score=in_thread,
        examples=examples,
        needs_judge=False,
        schema_name=kind,
        schema_version=schema_version,
    )


def scored(value: float, *, passed: bool | None, reason: str, **details: Any) -> Scored:
    """A score from 0 to 1, as the evaluators by program give it."""
    value = min(1.0, max(0.0, value))  # what floating point adds to a whole
    return Scored(
        raw=value,
        scale_min=0,
        scale_max=1,
        normalised=value,
        passed=passed,
        reason=printable(reason, 1000),
        details={name: printable(item, 500) if isinstance(item, str) else item for name, item in details.items()},
    )


def _problems(error: ValidationError) -> tuple[ParamProblem, ...]:
    return tuple(
        ParamProblem(
            field=".".join(map(str, fault["loc"])),
            message=printable(fault["msg"].removeprefix("Value error, "), 500),
        )
        for fault in error.errors(include_url=False, include_context=False, include_input=False)
    )
