"""Command to the judge: score one answer with one evaluator revision."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from llmbench.contracts.base import Message, Value
from llmbench.contracts.case import Case
from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.outcome import CITATIONS_KEPT, AnswerKind, Citation
from llmbench.contracts.provider import ProviderSnapshot


class EvaluatorSpec(Value):
    """An evaluator revision. `kind` names the evaluator in the judge service.

    `pass_threshold` is the run's own threshold on the evaluator's scale, null if the run sets none. Some evaluators ask
    the judge again if a score is near the threshold.
    """

    revision_id: UUID
    kind: str
    params: dict[str, Any] = Field(default_factory=dict)
    pass_threshold: float | None = None


class JudgeLane(Value):
    """The model group, provider, model and parameters for the calls that the judge makes."""

    group: str
    group_id: UUID
    concurrency: int = 1
    provider: ProviderSnapshot
    model: str
    params: SamplingParams = Field(default_factory=SamplingParams)
    timeout_s: float = Field(gt=0, le=86_400)


class AnswerFacts(Value):
    """Measurements of the call that generated the answer; unknown ones are null. Evaluators of latency and cost use
    them."""

    time_ms: int | None = None
    first_token_ms: int | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None


class NoJudge(ValueError):
    """Raised when the evaluator needs a judge and the command names none."""


class JudgeAnswer(Message):
    """A command to score one answer. It contains the complete answer, because the judge has no database.

    `judge` is null for an evaluator that needs no model.
    """

    SUBJECT: ClassVar[str] = "cmd.judge.{run_id}"

    type: Literal["llmbench.judge.judge_answer.v1"] = "llmbench.judge.judge_answer.v1"
    score_id: UUID
    run_id: UUID
    item_id: UUID
    dispatch: int
    evaluator: EvaluatorSpec
    case: Case
    answer: str
    citations: tuple[Citation, ...] | None = Field(
        default=None,
        max_length=CITATIONS_KEPT,
        description="The citations in the service's own fields; null if the service has no such fields.",
    )
    facts: AnswerFacts = Field(default_factory=AnswerFacts)
    answer_kind: AnswerKind | None = Field(default=None, description="Null for an answer that the client supplied.")
    cut: bool = Field(default=False, description="The answer ended at its token limit.")
    judge: JudgeLane | None = None

    @property
    def lane(self) -> JudgeLane:
        """Return the command's `judge`. Raises `NoJudge` if it is null."""
        if self.judge is None:
            raise NoJudge(f"The evaluator {self.evaluator.kind!r} asks a model, and the command names no judge.")
        return self.judge

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.judge.judge_answer.v1",
            "score_id": "0193a000-0000-7000-8000-000000000004",
            "run_id": "0193a000-0000-7000-8000-000000000001",
            "item_id": "0193a000-0000-7000-8000-000000000003",
            "dispatch": 1,
            "evaluator": {"revision_id": "0193a000-0000-7000-8000-000000000005", "kind": "rubric"},
            "case": {
                "id": "0193a000-0000-7000-8000-000000000006",
                "task_id": "arith-001",
                "category": "arithmetic",
                "question": "What is 17 + 25?",
                "excellent": "42",
                "pass": "It is 42, I think.",
            },
            "answer": "42",
            "judge": {
                "group": "0193a0000000700080000000000000aa-smollm2-135m-0123456789abcdef",
                "group_id": "0193a000-0000-7000-8000-000000000007",
                "provider": {
                    "provider_id": "0193a000-0000-7000-8000-0000000000aa",
                    "name": "Local Ollama",
                    "type": "OLLAMA",
                    "base_url": "http://127.0.0.1:11434",
                    "models_endpoint": "/v1/models",
                    "inference_endpoint": "/v1/chat/completions",
                },
                "model": "smollm2:135m",
                "timeout_s": 120,
            },
        },
    )
