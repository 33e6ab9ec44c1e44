"""Find the metric that a gate names, and build the errors for metrics that a gate cannot use."""

from collections.abc import Sequence
from dataclasses import dataclass

from llmbench.errors import FieldError, Problem
from llmbench.thresholds import tidy
from orchestrator.comparison.domain.interval import SCORES
from orchestrator.comparison.handlers.comparable import reason_run_is_active
from orchestrator.comparison.ports.comparison import Column, ComparisonReader
from orchestrator.comparison.ports.gates import GateRequest
from orchestrator.comparison.ports.pairs import Metric, MetricKind

_TITLES = {
    MetricKind.SCORE: "mean score",
    MetricKind.PASS_RATE: "pass rate",
    MetricKind.COST: "cost",
    MetricKind.LATENCY: "latency",
}
EVALUATOR_PREFIX = "evaluator:"
# The database sums costs in millionths of a dollar.
_UNITS = {MetricKind.COST: 1e-6}


@dataclass(frozen=True)
class GateMetric:
    """The metric that a gate names. If it is `relative` (cost, latency), less is better and differences are shares of
    the baseline.

    With a `task`, only that task of the suite counts. If the metric is the score of an evaluator that scores only one
    task, `evaluated_task` is that task. `of_suite` is true if the baselines are runs of suites. Their mean score is
    then the score of the suite, a mean over its tasks.
    """

    name: str
    metric: Metric
    task: str | None = None
    of_suite: bool = False
    evaluated_task: str | None = None

    @property
    def kind(self) -> MetricKind:
        return self.metric.kind

    @property
    def key(self) -> str:
        """Return the name under which a gate on this metric is saved: unambiguous, and accepted by `find_metric`."""
        return f"{EVALUATOR_PREFIX}{self.name}" if self.kind is MetricKind.EVALUATOR else self.name

    @property
    def title(self) -> str:
        if self.kind is MetricKind.EVALUATOR:
            return f"score of '{self.name}'"
        if self.task is not None:
            return f"{_TITLES[self.kind]} of the task '{self.task}'"
        return "suite score" if self.of_suite and self.kind is MetricKind.SCORE else _TITLES[self.kind]

    @property
    def relative(self) -> bool:
        return self.kind in (MetricKind.COST, MetricKind.LATENCY)

    @property
    def bounds(self) -> tuple[float, float] | None:
        return None if self.relative else SCORES

    def scaled(self, value: float | None) -> float | None:
        return None if value is None else tidy(value * _UNITS.get(self.kind, 1.0))


def titled(metric: str, task: str | None = None, *, of_suite: bool = False) -> GateMetric:
    """Return the metric of a saved gate, only for its `title`: it lacks the evaluator revision that is needed to read
    scores."""
    plain = {kind.value for kind in _TITLES}
    if metric in plain:
        return GateMetric(metric, Metric(MetricKind(metric)), task, of_suite)
    return GateMetric(metric.removeprefix(EVALUATOR_PREFIX), Metric(MetricKind.EVALUATOR), task, of_suite)


def require_over(columns: Sequence[Column]) -> None:
    going = reason_run_is_active(columns)
    if going is not None:
        raise Problem(409, "A run goes on", f"{going} Wait for it with `llmbench watch`, then ask again.")


async def find_metric(reader: ComparisonReader, baselines: Sequence[Column], choice: GateRequest) -> GateMetric:
    """Return the metric that the gate names. Raises a 422 `Problem` if a baseline lacks a task or an evaluator of this
    name. Also raises one for a margin of 1 or more, which would allow any loss of a score or rate."""
    of_suite = all(column.suite is not None for column in baselines)
    if choice.task is not None:
        _require_task(baselines, choice.task)
    name = choice.metric.strip()
    plain = name.lower().replace(" ", "_").replace("-", "_")
    if plain in {kind.value for kind in _TITLES}:
        named = GateMetric(plain, Metric(MetricKind(plain)), choice.task, of_suite)
    else:
        name = name.removeprefix(EVALUATOR_PREFIX).strip()
        found = [await reader.evaluators(column) for column in baselines]
        of_task = f"{choice.task}/{name}"
        if choice.task is not None and all(of_task in evaluators for evaluators in found):
            name = of_task
        if not all(name in evaluators for evaluators in found):
            raise _unknown(name, list(dict.fromkeys(known for evaluators in found for known in evaluators)))
        evaluator = found[0][name]
        metric = Metric(MetricKind.EVALUATOR, evaluator.id)
        named = GateMetric(name, metric, choice.task, of_suite, evaluator.suite_task)
    if not named.relative and choice.margin >= 1:
        raise refusal("margin", f"a margin of {choice.margin:g} allows any loss: scores and rates are from 0 to 1")
    return named


def _require_task(baselines: Sequence[Column], task: str) -> None:
    for column in baselines:
        if column.suite is None:
            raise refusal(
                "task", f"'{column.run_name}' is not a run of a suite, so it has no tasks: leave the task out"
            )
        names = [each.name for each in column.suite.tasks]
        if task not in names:
            known = ", ".join(f"'{name}'" for name in names[:20])
            raise refusal("task", f"'{column.run_name}' has no task '{task}': there is {known}")


def not_measured(named: GateMetric, column: Column) -> Problem:
    why = {
        MetricKind.PASS_RATE: "none of its evaluators says whether an answer passed: give one a pass_threshold",
        MetricKind.COST: "no answer has a known price, or all came from the cache: set prices at the provider",
        MetricKind.LATENCY: "none of its answers was timed: they came from the cache, or were supplied",
        MetricKind.SCORE: "no answer has an overall score: give it an evaluator with a weight",
    }.get(named.kind, f"'{named.name}' scored none of its answers")
    return refusal("metric", f"'{column.run_name}' has no {named.title}: {why}")


def no_share(named: GateMetric, baseline: Column) -> Problem:
    return refusal("metric", f"the {named.title} of '{baseline.run_name}' is 0, so a change cannot be a share of it")


def refusal(field: str, message: str) -> Problem:
    return Problem(422, "The gate is refused", message, errors=[FieldError(f"gate.{field}", message)])


def _unknown(name: str, evaluators: Sequence[str]) -> Problem:
    known = ", ".join([*(kind.value for kind in _TITLES), *(f"'{evaluator}'" for evaluator in evaluators[:20])])
    return refusal("metric", f"the baseline has no evaluator '{name}': there is {known}")
