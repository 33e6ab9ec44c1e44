"""Cost: the answer passes if its cost is within a limit."""

from pydantic import Field

from judge.domain.cannot_score import CannotScore
from judge.evaluators.base import Example, Params, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.thresholds import exceeds


class CostParams(Params):
    max_usd: float = Field(ge=0, le=1000, description="The most that an answer may cost, in US dollars.")


def score(task: JudgeAnswer, params: CostParams) -> Scored:
    cost = task.facts.cost_usd
    if cost is None:
        raise CannotScore("What this answer cost is not known: the model has no price. Give its provider one.")
    passed = not exceeds(cost, params.max_usd)
    return scored(
        float(passed),
        passed=passed,
        reason=f"${cost:.6g}, at most ${params.max_usd:.6g} passes.",
        value_usd=cost,
        max_usd=params.max_usd,
    )


EVALUATOR = by_program(
    kind="cost",
    title="Cost",
    description="The answer's cost is within a limit.",
    params=CostParams,
    score=score,
    reads_text=False,
    examples=(
        Example(
            name="cheap",
            answer="42",
            params={"max_usd": 0.01},
            facts={"cost_usd": 0.002},
            verdict={"outcome": "scored", "raw": 1.0, "passed": True},
        ),
        Example(
            name="dear",
            answer="42",
            params={"max_usd": 0.01},
            facts={"cost_usd": 0.02},
            verdict={"raw": 0.0, "passed": False, "reason": "$0.02, at most $0.01 passes."},
        ),
        Example(
            name="without a price is no score", answer="42", params={"max_usd": 0.01}, verdict={"outcome": "errored"}
        ),
    ),
)
