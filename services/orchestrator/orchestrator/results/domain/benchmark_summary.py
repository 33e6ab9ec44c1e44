"""Summarise the results of a benchmark record per provider and metric, from running sums.

A mean covers only values that exist: an unparsed score enters no mean and no rate, and a failed answer has no latency.
The best and the worst provider are those with the highest and the lowest mean. Chance alone can make two means differ;
only a comparison of runs decides whether one provider is better.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from llmbench.thresholds import tidy


@dataclass
class Mean:
    """A running mean that skips `None`."""

    total: float = 0.0
    count: int = 0

    def add(self, value: float | None) -> None:
        if value is not None:
            self.total += value
            self.count += 1

    @property
    def value(self) -> float | None:
        return tidy(self.total / self.count) if self.count else None


@dataclass(frozen=True)
class Metric:
    """An evaluator's result for an answer; `score` is on 0…1."""

    name: str
    score: float | None
    passed: bool | None
    reason: str | None


@dataclass
class _OfMetric:
    score: Mean = field(default_factory=Mean)
    passed: Mean = field(default_factory=Mean)


@dataclass
class _OfProvider:
    evaluations: int = 0
    pass_rate: Mean = field(default_factory=Mean)
    latency_ms: Mean = field(default_factory=Mean)
    cost_usd: Mean = field(default_factory=Mean)
    metrics: dict[str, _OfMetric] = field(default_factory=dict)


def of_metrics(metrics: Sequence[Metric]) -> dict[str, Any]:
    """Return the `summary` object of one result in a benchmark record. `total_metrics` counts only the metrics that
    have a score."""
    score, passed = Mean(), Mean()
    for metric in metrics:
        score.add(metric.score)
        passed.add(metric.passed)
    return {
        "total_metrics": score.count,
        "passed_metrics": int(passed.total),
        "avg_score": score.value,
        "pass_rate": passed.value,
    }


class BenchmarkSummary:
    """The summary of a benchmark record. Its memory grows with providers and metrics, not with results."""

    def __init__(self) -> None:
        self._providers: dict[str, _OfProvider] = {}
        self._duration_ms = Mean()

    def add(
        self, provider: str, metrics: Sequence[Metric], *, latency_ms: float | None, cost_usd: float | None
    ) -> None:
        """Add one result. `provider` is the record's `provider/model`; `latency_ms` is `None` if the answer was not
        timed."""
        of = self._providers.setdefault(provider, _OfProvider())
        of.evaluations += 1
        of.pass_rate.add(of_metrics(metrics)["pass_rate"])
        of.latency_ms.add(latency_ms)
        of.cost_usd.add(cost_usd)
        self._duration_ms.add(latency_ms)
        for metric in metrics:
            of_metric = of.metrics.setdefault(metric.name, _OfMetric())
            of_metric.score.add(metric.score)
            of_metric.passed.add(metric.passed)

    def as_document(self) -> dict[str, Any]:
        """Return the fields of the record's summary line. `total_samples` is the largest number of results of one
        provider."""
        of = self._providers
        rates = {name: summary.pass_rate.value for name, summary in of.items()}
        return {
            "total_samples": max((summary.evaluations for summary in of.values()), default=0),
            "total_providers": len(of),
            "provider_summaries": {name: _provider(summary) for name, summary in of.items()},
            "metric_comparisons": {
                metric: _ranked(scores) | {"spread": _spread(scores)}
                for metric in dict.fromkeys(metric for summary in of.values() for metric in summary.metrics)
                if (
                    scores := {
                        name: summary.metrics[metric].score.value
                        for name, summary in of.items()
                        if metric in summary.metrics
                    }
                )
            },
            "overall": _ranked(rates)
            | {
                "avg_duration_ms": self._duration_ms.value,
                "total_duration_ms": tidy(self._duration_ms.total) if self._duration_ms.count else None,
            },
        }


def _provider(of: _OfProvider) -> dict[str, Any]:
    return {
        "total_evaluations": of.evaluations,
        "avg_pass_rate": of.pass_rate.value,
        "avg_latency_ms": of.latency_ms.value,
        "total_cost": tidy(of.cost_usd.total) if of.cost_usd.count else None,
        "metrics": {
            name: {"pass_rate": metric.passed.value, "avg_score": metric.score.value}
            for name, metric in of.metrics.items()
        },
    }


def _known(values: Mapping[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in values.items() if value is not None}


def _ranked(values: Mapping[str, float | None]) -> dict[str, str | None]:
    """Return the best and the worst provider; a single provider with a mean is both. One is null if no mean exists, or
    if several providers share the highest or the lowest mean.

    >>> _ranked({"a": 0.9, "b": 0.9, "c": 0.1, "d": None})
    {'best_provider': None, 'worst_provider': 'c'}
    """
    known = _known(values)
    return {"best_provider": _only(known, max), "worst_provider": _only(known, min)}


def _only(known: Mapping[str, float], extreme: Callable[[Iterable[float]], float]) -> str | None:
    names = [name for name, value in known.items() if value == extreme(known.values())]
    return names[0] if len(names) == 1 else None


def _spread(values: Mapping[str, float | None]) -> float | None:
    known = _known(values).values()
    return tidy(max(known) - min(known)) if known else None
