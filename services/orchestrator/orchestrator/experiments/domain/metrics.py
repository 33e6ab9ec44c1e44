"""The metrics that an experiment can compare, and its guardrails."""

from dataclasses import dataclass
from typing import Final

from orchestrator.experiments.domain.words import Direction

LATENCY: Final = "latency"
COST: Final = "cost"
SCORE: Final = "score"
PASS_RATE: Final = "pass_rate"  # noqa: S105  # a metric
PLAIN: Final = (SCORE, PASS_RATE, LATENCY, COST)
"""The metrics that are not the scores of one evaluator. Any other metric has the name of the evaluator whose scores it
is."""

MARGIN: Final = 0.05
RELATIVE_MARGIN: Final = 0.1


@dataclass(frozen=True)
class Guardrail:
    """A metric that must not get worse than the control's by `margin` or more. The margin is a share of the control's
    mean if the metric is relative, otherwise a difference."""

    metric: str
    margin: float
    direction: Direction

    @property
    def relative(self) -> bool:
        return is_relative(self.metric)


def is_relative(metric: str) -> bool:
    """Return whether differences of the metric are shares of the control's mean."""
    return metric in (LATENCY, COST)


def direction_of(metric: str) -> Direction:
    return Direction.LOWER_IS_BETTER if is_relative(metric) else Direction.HIGHER_IS_BETTER


def guardrail(metric: str, margin: float | None = None, direction: Direction | None = None) -> Guardrail:
    """Return a guardrail for the metric. `None` stands for the usual margin or direction of this metric."""
    usual = RELATIVE_MARGIN if is_relative(metric) else MARGIN
    return Guardrail(metric, usual if margin is None else margin, direction or direction_of(metric))


def bounds_of(metric: str) -> tuple[float, float] | None:
    """Return the bounds of the metric's values; `None` for cost and latency."""
    return None if is_relative(metric) else (0.0, 1.0)
