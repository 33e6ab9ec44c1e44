"""What an evaluator is: from a command and a way to ask a model, to a verdict."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.chat import ChatRequest
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Failure


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


class Ask(Protocol):
    """`part` names the step and its repeat ("verdict.1"): with the score's id and dispatch it is
    the identity of the call, so it must be the same each time the evaluation is replayed."""

    async def __call__(self, part: str, request: ChatRequest) -> Reply: ...


@dataclass(frozen=True)
class Example:
    """`answer` and `replies` in, the `verdict`'s fields (those given) and `parts` out."""

    name: str
    answer: str
    replies: tuple[Reply, ...]
    verdict: dict[str, Any]
    parts: tuple[str, ...]
    case: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Evaluator:
    kind: str
    evaluate: Callable[[JudgeAnswer, Ask], Awaitable[Verdict]]
    examples: tuple[Example, ...]
