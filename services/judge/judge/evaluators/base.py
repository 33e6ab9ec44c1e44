"""Define the interface of evaluators: an evaluator takes a command and a function that calls a model, and returns a
verdict.
"""

import asyncio
import contextvars
import functools
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from judge.domain.cannot_score import CannotScore
from judge.domain.extraction import Extraction
from judge.domain.no_answer import why_no_answer
from judge.domain.text import printable, printable_json
from llmbench.contracts.answer_scored import Errored, Replies, Scored, Unparsed, Verdict
from llmbench.contracts.base import PREVIEW_LIMIT_BYTES
from llmbench.contracts.case import Case
from llmbench.contracts.chat import ChatRequest
from llmbench.contracts.describe_evaluator import EvaluatorFacts, ParamProblem
from llmbench.contracts.embedding import EmbeddingRequest
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.list_evaluators import EvaluatorInfo
from llmbench.contracts.outcome import Failure, Rejected, TokenChoices
from llmbench.faults import faults_of

ANSWER_LIMIT_CHARS = 200_000
"""The maximum length, in characters, of an answer that evaluators without a model score. It bounds their work."""


@dataclass(frozen=True)
class Reply:
    """The judge model's complete text, or an embedding model's vectors as JSON.

    `cut` says that the model stopped at its token limit. `first_tokens` and `last_tokens` are the tokens at both ends
    of the text, with log-probabilities. Both are `None` unless log-probabilities were requested, and the model gave
    them.
    """

    text: str
    cut: bool = False
    last_tokens: tuple[TokenChoices, ...] | None = None
    first_tokens: tuple[TokenChoices, ...] | None = None


class CallFailed(Exception):
    """Raised when a call gave no usable answer; `outcome` says why.

    Evaluators do not catch it: the outcome becomes part of the verdict, and the orchestrator decides whether to retry.
    """

    def __init__(self, outcome: Failure) -> None:
        super().__init__(outcome.kind)
        self.outcome = outcome


class RunPaused(Exception):
    """Raised when the run's gate is not open, so that a call cannot be made or finished.

    Evaluators do not catch it: the orchestrator sends the command again if the run is resumed.
    """


class UnfitParams(ValueError):
    """Raised when parameters are invalid for the evaluator; `problems` lists every fault."""

    def __init__(self, problems: tuple[ParamProblem, ...]) -> None:
        super().__init__(" ".join(f"{problem.field}: {problem.message}" for problem in problems))
        self.problems = problems


Request = ChatRequest | EmbeddingRequest


class Ask(Protocol):
    """A function that calls the judge model or the embedding model.

    `part` names the step and its repeat ("verdict.1"). Together with the score's id and dispatch it identifies the
    call, so it must be the same in every replay. With `reuse`, an earlier answer to the same question is accepted;
    evaluators set it for questions that are the same for every case. Embeddings are always reused within a run: the
    same text has the same vector.
    """

    async def __call__(self, part: str, request: Request, *, reuse: bool = False) -> Reply: ...


class CountedAsk:
    """Wraps an `Ask` function, and counts in `replies` how many of the requested verdicts could be parsed.

    The caller reports the result of each requested verdict with `count`.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.replies = Replies()

    async def __call__(self, part: str, request: Request, *, reuse: bool = False) -> Reply:
        return await self._ask(part, request, reuse=reuse)

    def count(self, *, parsed: bool, repaired: bool) -> None:
        reply = self.replies
        self.replies = Replies(
            asked=reply.asked + 1, parsed=reply.parsed + parsed, repaired=reply.repaired + (parsed and repaired)
        )


class Params(BaseModel):
    """The base class of an evaluator's parameters. User interfaces show the descriptions of the fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


Text = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]


class ReferenceParams(Params):
    references: tuple[Text, ...] = Field(
        default=(),
        max_length=50,
        description="Correct answers for every case. Without them, each case's own are used: its expected output, "
        "its ground truth's answer and acceptable answers, its excellent answer.",
    )


P = TypeVar("P", bound=Params)


@dataclass(frozen=True)
class Example:
    """An example of an evaluator's input and verdict. The conformance test runs it.

    `verdict` has the expected values of some fields of the verdict. `parts` has the names of all expected calls, in
    order, and `replies` the model's replies to them. The remaining fields are inputs, apart from `name`.
    """

    name: str
    answer: str
    verdict: dict[str, Any]
    replies: tuple[Reply, ...] = ()
    parts: tuple[str, ...] = ()
    case: dict[str, Any] = field(default_factory=dict)
    params: dict[str, Any] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    citations: tuple[dict[str, Any], ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Evaluator(Generic[P]):
    """An evaluator: the function `score`, with the evaluator's name, parameters and identity.

    `schema_version` must change whenever a change of the code may give an answer another score than before.
    """

    kind: str
    title: str
    description: str
    params: type[P]
    score: Callable[[JudgeAnswer, P, Ask], Awaitable[Verdict]]
    examples: tuple[Example, ...]
    needs_judge: bool
    embeds_by_judge: Callable[[P], bool] | None = None
    """Returns whether these parameters require an embedding model as judge, although `needs_judge` is false."""
    scale_min: float = 0
    scale_max: float = 1
    schema_name: str
    schema_version: str = "1"
    prompt_hash: Callable[[P], str] = lambda _: ""
    called: Callable[[P], str] | None = None
    """Returns a title that includes the parameters ("G-Eval: relevance"). None: `title` is used."""
    check_reference: Callable[[Case, P], None] | None = None
    """Raises `CannotScore` if the references of the case are missing or ambiguous. None if references are not checked
    before a run."""
    only: Callable[[P], dict[str, Any] | None] = lambda _: None
    """Returns a filter for the cases that can be scored with these parameters; None if all can be."""
    include_defaults: bool = True
    """False if parameters that equal their defaults are left out of the revision's identity."""
    pass_mark: Callable[[P], float] | None = None
    """Returns the lowest passing score on the evaluator's own scale. None if passing depends on more than the score."""
    reads_text: bool = True
    """False if `score` ignores the answer's text, as for latency. Such an evaluator also scores answers without a
    text."""

    async def evaluate(self, task: JudgeAnswer, ask: Ask) -> Verdict:
        """Score an answer. A `CannotScore` becomes an `Errored` verdict.

        If it is known why the answer has no text, it gets the lowest score, and no judge model is called. Raises
        `UnfitParams` if a parameter is invalid, and `NoJudge` if the evaluator needs a judge and the task has none.
        Raises `CallFailed` if a call gives no usable answer, and `RunPaused` if the run's gate is not open.
        """
        # Drop the judge model's parameters: a revision's parameters include them, but the command has them in its lane.
        given = {name: value for name, value in task.evaluator.params.items() if name != JUDGE_PARAMS}
        params, counted = self.read(given), CountedAsk(ask)
        try:
            nothing = why_no_answer(task) if self.reads_text else None
            verdict = await self.score(task, params, counted) if nothing is None else self._lowest(nothing)
            return _sendable(_with_replies(verdict, counted.replies))
        except CannotScore as error:
            return Errored(failure=Rejected(message=printable(str(error), 2000), http_status=422, cause="bad_request"))

    def _lowest(self, reason: str) -> Scored:
        return Scored(
            raw=self.scale_min,
            scale_min=self.scale_min,
            scale_max=self.scale_max,
            normalised=0,
            passed=False,
            reason=reason,
            details={"decided_by": "program"},
        )

    def read(self, given: Mapping[str, Any]) -> P:
        """Return the validated parameters, with defaults. Raises `UnfitParams` if any is invalid."""
        try:
            return self.params.model_validate(given)
        except ValidationError as error:
            raise UnfitParams(_problems(error, self.params)) from None

    def info(self) -> EvaluatorInfo:
        return EvaluatorInfo(
            kind=self.kind,
            title=self.title,
            description=self.description,
            needs_judge=self.needs_judge,
            params_schema=self.params.model_json_schema(),
            may_need_judge=self.embeds_by_judge is not None,
        )

    def facts(self, given: Mapping[str, Any]) -> EvaluatorFacts:
        """Return the facts about the evaluator with these parameters: its identity, its scale, and whether it needs a
        judge.

        Raises `UnfitParams` if any parameter is invalid.
        """
        params = self.read(given)
        embeds = self.embeds_by_judge is not None and self.embeds_by_judge(params)
        return EvaluatorFacts(
            kind=self.kind,
            title=self.called(params) if self.called else self.title,
            needs_judge=self.needs_judge or embeds,
            judge_asks="embeddings" if embeds else "chat",
            params=params.model_dump(mode="json", exclude_defaults=not self.include_defaults),
            prompt_hash=self.prompt_hash(params),
            schema_name=self.schema_name,
            schema_version=self.schema_version,
            scale_min=self.scale_min,
            scale_max=self.scale_max,
            pass_mark=self.pass_mark(params) if self.pass_mark else None,
            only=self.only(params),
            reads_references=self.check_reference is not None,
        )


def by_program(  # noqa: PLR0913  # one parameter per field of an evaluator
    *,
    kind: str,
    title: str,
    description: str,
    params: type[P],
    score: Callable[[JudgeAnswer, P], Scored],
    examples: tuple[Example, ...],
    schema_version: str = "1",
    reads_text: bool = True,
    check_reference: Callable[[Case, P], None] | None = None,
    threads: Executor | None = None,
) -> Evaluator[P]:
    """Return an evaluator that calls no judge model. Its function `score` runs in a thread and may raise `CannotScore`.

    `threads` are threads of its own, for a function that may take seconds; otherwise it shares those of the service.
    An answer of more than `ANSWER_LIMIT_CHARS` characters gets no score, but the verdict `Errored`.
    """

    async def in_thread(task: JudgeAnswer, chosen: P, _: Ask) -> Verdict:
        if len(task.answer) > ANSWER_LIMIT_CHARS:
            raise CannotScore(
                f"The answer has {len(task.answer):,} characters; {kind} scores answers of at most "
                f"{ANSWER_LIMIT_CHARS:,}."
            )
        # As asyncio.to_thread, which has no choice of threads.
        call = functools.partial(contextvars.copy_context().run, score, task, chosen)
        return await asyncio.get_running_loop().run_in_executor(threads, call)

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
        reads_text=reads_text,
        check_reference=check_reference,
    )


def scored(
    value: float, *, passed: bool | None, reason: str, extraction: Extraction | None = None, **details: Any
) -> Scored:
    """Return a verdict on the scale from 0 to 1, to which `value` is clamped.

    `extraction` is added to `details`. With `passed=None`, the answer neither passes nor fails.
    """
    if extraction is not None:
        details["extraction"] = extraction.as_details()
    value = min(1.0, max(0.0, value))  # Rounding errors can make the score less than 0 or more than 1.
    return Scored(
        raw=value,
        scale_min=0,
        scale_max=1,
        normalised=value,
        passed=passed,
        reason=reason,
        details=details,
    )


JUDGE_PARAMS = "judge_params"
_REASON_CHARS = 1000


def _with_replies(verdict: Verdict, replies: Replies) -> Verdict:
    match verdict:
        case Scored() if replies.asked:
            return verdict.model_copy(update={"details": verdict.details | {"replies": replies.model_dump()}})
        case Unparsed() if replies.asked:
            return verdict.model_copy(update={"replies": replies})
    return verdict


def _sendable(verdict: Verdict) -> Verdict:
    """Return the verdict without characters that cannot be sent or stored (NUL, lone surrogates); long texts are
    cut."""
    match verdict:
        case Scored():
            clean = {
                "reason": printable(verdict.reason, _REASON_CHARS),
                "details": printable_json(verdict.details, _REASON_CHARS),
            }
        case Unparsed():
            clean = {name: printable(getattr(verdict, name), PREVIEW_LIMIT_BYTES) for name in ("problem", "raw_text")}
        case _:
            return verdict
    return verdict.model_copy(update=clean)


def _problems(error: ValidationError, params: type[BaseModel]) -> tuple[ParamProblem, ...]:
    return tuple(
        ParamProblem(field=fault.field, message=printable(fault.message, 500)) for fault in faults_of(error, params)
    )
