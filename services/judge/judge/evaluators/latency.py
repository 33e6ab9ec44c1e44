"""Latency: the answer passes if it, or its first token, arrived within a time limit."""

from typing import Literal

from pydantic import Field

from judge.domain.cannot_score import CannotScore
from judge.evaluators.base import Example, Params, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer

_FIELDS = {"total": "time_ms", "first_token": "first_token_ms"}


class LatencyParams(Params):
    max_ms: int = Field(ge=1, le=86_400_000, description="The longest time that passes, in milliseconds.")
    of: Literal["total", "first_token"] = Field(
        default="total", description="The time to the complete answer, or to its first token."
    )


def score(task: JudgeAnswer, params: LatencyParams) -> Scored:
    measured: int | None = getattr(task.facts, _FIELDS[params.of])
    if measured is None:
        what = "The time to the first token" if params.of == "first_token" else "The time"
        raise CannotScore(f"{what} of this answer was not measured.")
    passed = measured <= params.max_ms
    return scored(
        float(passed),
        passed=passed,
        reason=f"{measured:,} ms, at most {params.max_ms:,} ms pass.",
        value_ms=measured,
        max_ms=params.max_ms,
    )


EVALUATOR = by_program(
    kind="latency",
    title="Latency",
    description="The answer, or its first token, arrived within a time limit.",
    params=LatencyParams,
    score=score,
    reads_text=False,
    examples=(
        Example(
            name="in time",
            answer="42",
            params={"max_ms": 1000},
            facts={"time_ms": 1000},
            verdict={"outcome": "scored", "raw": 1.0, "passed": True, "reason": "1,000 ms, at most 1,000 ms pass."},
        ),
        Example(
            name="the first token was late",
            answer="42",
            params={"max_ms": 100, "of": "first_token"},
            facts={"time_ms": 400, "first_token_ms": 200},
            verdict={"raw": 0.0, "passed": False},
        ),
        Example(name="not measured is no score", answer="42", params={"max_ms": 100}, verdict={"outcome": "errored"}),
    ),
)
