"""Generate the data of experiments, for tests of their analysis."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from orchestrator.experiments.domain.analysis.types import (
    AnalysisSetup,
    Clusters,
    GuardrailMetric,
    Metric,
    Variant,
    VariantData,
)
from orchestrator.experiments.domain.words import Design, Direction, Method

Floats = NDArray[np.float64]
SCORE = Metric("faithfulness")
LATENCY = Metric("latency", Direction.LOWER_IS_BETTER, bounds=None)
SAFETY = GuardrailMetric(Metric("safety"), margin=0.05)


def variants(*treatments: str, shares: Sequence[float] | None = None) -> list[Variant]:
    names = ["Control", *(treatments or ("New",))]
    shares = shares or [1 / len(names)] * len(names)
    return [
        Variant(name.lower(), name, at == 0, share) for at, (name, share) in enumerate(zip(names, shares, strict=True))
    ]


def setup(method: Method, design: Design = Design.PAIRED, **changes: Any) -> AnalysisSetup:
    made = AnalysisSetup(method, design, SCORE, variants(), planned=100, minimum_effect=0.1)
    return replace(made, **changes)


def clusters(values: Sequence[float] | Floats, weights: Sequence[float] | None = None) -> Clusters:
    totals = [float(value) for value in values]
    return Clusters(totals, weights or [1.0] * len(totals))


def of_variant(
    name: str, values: Sequence[float] | Floats, *, missing: int = 0, **guardrails: Sequence[float] | Floats
) -> VariantData:
    found = {metric: clusters(each) for metric, each in guardrails.items()}
    count = len(values)
    return VariantData(name, clusters(values), count + missing, count, missing, guardrails=found)


def scores(mean: float, n: int = 100, *, sd: float = 0.2, seed: int = 1) -> Floats:
    """Return scores whose mean and standard deviation are exact, except that values outside 0…1 are clipped."""
    drawn = np.random.default_rng(seed).normal(0, 1, n)
    drawn = (drawn - drawn.mean()) / (drawn.std(ddof=1) if n > 1 else 1)
    return np.asarray(np.clip(mean + sd * drawn, 0, 1), dtype=np.float64)


def noisy(base: Floats, shift: float, *, sd: float = 0.1, seed: int = 2) -> Floats:
    """Return scores of the same cases under another variant, on average `shift` higher."""
    drawn = np.random.default_rng(seed).normal(0, 1, len(base))
    return np.asarray(np.clip(base + shift + sd * (drawn - drawn.mean()), 0, 1), dtype=np.float64)
