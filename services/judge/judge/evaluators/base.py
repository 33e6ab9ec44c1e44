"""What an evaluator is: from a command and a way to ask a model, to a verdict."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from judge.domain.cannot_score import CannotScore
from judge.domain.extraction import Extraction
from judge.domain.text import printable, printable_json
from judge.domain.verdict_reading import NoVerdict
from llmbench.contracts.answer_scored import Errored, Scored, Unparsed, Verdict
from llmbench.contracts.base import PREVIEW_LIMIT_BYTES, preview
from llmbench.contracts.chat import ChatMessage, ChatRequest, ResponseSchema
from llmbench.contracts.describe_evaluator import EvaluatorFacts, ParamProblem
from llmbench.contracts.embedding import EmbeddingRequest
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.list_evaluators import EvaluatorInfo
from llmbench.contracts.outcome import Failure, Rejected, TokenChoices

ANSWER_LIMIT_CHARS = 200_000
"""Longer answers are not scored by program: a bound on the time and memory that one answer can take."""


@dataclass(frozen=True)
class Reply:
    """The judge model's whole text, or an embedding model's vectors; `cut` when it stopped at its token limit;
    `last_tokens` where log-probabilities were asked for and given."""

    text: str
    cut: bool = False
    last_tokens: tuple[TokenChoices, ...] | None = None


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


Request = ChatRequest | EmbeddingRequest


class Ask(Protocol):
    """`part` names the step and its repeat ("verdict.1"): with the score's id and dispatch it is
    the identity of the call, so it must be the same each time the evaluation is replayed. With `reuse` the
    answer of an earlier call to the same question will do: for what is the same for every case. Of embeddings
    it always will, within the run: the same text has the same vector."""

    async def __call__(self, part: str, request: Request, *, reuse: bool = False) -> Reply: ...


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
V = TypeVar("V")


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
    citations: tuple[dict[str, Any], ...] | None = None


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
    embeds_by_judge: Callable[[P], bool] | None = None
    """Of one that needs no judge: whether with these parameters it needs an embedding model as its judge."""
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
        # A revision's parameters name the judge's own as well; they come with the lane.
        given = {name: value for name, value in task.evaluator.params.items() if name != JUDGE_PARAMS}
        try:
            return _sendable(await self.score(task, self.read(given), ask))
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
            may_need_judge=self.embeds_by_judge is not None,
        )

    def facts(self, given: Mapping[str, Any]) -> EvaluatorFacts:
        """Raises `UnfitParams`."""
        params = self.read(given)
        embeds = self.embeds_by_judge is not None and self.embeds_by_judge(params)
        return EvaluatorFacts(
            kind=self.kind,
            title=self.called(params) if self.called else self.title,
            needs_judge=self.needs_judge or embeds,
            judge_asks="embeddings" if embeds else "chat",
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


def scored(
    value: float, *, passed: bool | None, reason: str, extraction: Extraction | None = None, **details: Any
) -> Scored:
    """Return a score from 0 to 1, as the evaluators by program give it.

    `extraction` stands in the details under that name: what was read from the answer and from the reference."""
    if extraction is not None:
        details["extraction"] = extraction.as_details()
    value = min(1.0, max(0.0, value))  # what floating point adds to a whole
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

DEFAULT_MAX_TOKENS = 1024
"""Of a verdict: enough for a reason at its limit in any script."""

REPEAT_TEMPERATURE = 0.7
"""Of repeats, where the user chose none for the judge, or 0: at 0 they would only repeat themselves."""

_SEED_RANGE = 2**31
_QUOTE_LIMIT_CHARS = 1500


@dataclass(frozen=True, kw_only=True)
class Question(Generic[V]):
    """One verdict asked of the judge model. `repair` has a place for the `{problem}` of a reply that was none.

    `turn` tells questions of one evaluation apart, so that each has a seed of its own: even numbers.
    """

    messages: tuple[ChatMessage, ...]
    repair: str
    schema: ResponseSchema
    read: Callable[[str, bool], V | NoVerdict]
    temperature: float = 0.0
    top_logprobs: int | None = None
    turn: int = 0

    def request(self, task: JudgeAnswer, conversation: tuple[ChatMessage, ...], *, step: int = 0) -> ChatRequest:
        chosen = task.lane.params
        # Another dispatch is another attempt: the same seed would only repeat the failure.
        seed = ((chosen.seed or 0) + 2 * task.dispatch + step + 1000 * self.turn) % _SEED_RANGE
        return ChatRequest(
            model=task.lane.model,
            messages=conversation,
            params=chosen.model_copy(
                update={
                    "temperature": chosen.temperature or self.temperature,
                    "max_tokens": chosen.max_tokens or DEFAULT_MAX_TOKENS,
                    "seed": seed,
                    # Part of the messages already.
                    "system_prompt": None,
                }
            ),
            response_schema=self.schema,
            top_logprobs=self.top_logprobs,
        )


@dataclass(frozen=True)
class Found(Generic[V]):
    """A verdict, with the reply it stands in."""

    verdict: V
    reply: Reply
    repaired: bool


async def ask_verdict(
    task: JudgeAnswer, ask: Ask, question: Question[V], *, part: str, repair_part: str | None
) -> Found[V] | Unparsed:
    """One call, and where its reply is no verdict, one to repair it (unless `repair_part` is None)."""
    reply = await ask(part, question.request(task, question.messages))
    verdict = question.read(reply.text, reply.cut)
    if not isinstance(verdict, NoVerdict):
        return Found(verdict, reply, repaired=False)
    if repair_part is not None:
        conversation = (
            *question.messages,
            ChatMessage(role="assistant", content=reply.text[:_QUOTE_LIMIT_CHARS] or "(nothing)"),
            ChatMessage(role="user", content=question.repair.format(problem=verdict.problem)),
        )
        reply = await ask(repair_part, question.request(task, conversation, step=1))
        verdict = question.read(reply.text, reply.cut)
        if not isinstance(verdict, NoVerdict):
            return Found(verdict, reply, repaired=True)
    return Unparsed(problem=verdict.problem, raw_text=preview(reply.text)[0])


def _sendable(verdict: Verdict) -> Verdict:
    """Whatever stood in an answer or a reply (NUL, half a surrogate pair), the verdict can be sent and stored."""
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


def _problems(error: ValidationError) -> tuple[ParamProblem, ...]:
    return tuple(
        ParamProblem(
            field=".".join(map(str, fault["loc"])),
            message=printable(fault["msg"].removeprefix("Value error, "), 500),
        )
        for fault in error.errors(include_url=False, include_context=False, include_input=False)
    )
