"""Analyse an experiment at one look."""

from collections.abc import Sequence

from orchestrator.experiments.domain.analysis.types import Analysis, AnalysisSetup, VariantData


def analyse(setup: AnalysisSetup, data: Sequence[VariantData]) -> Analysis:
    """Return the analysis of the data so far. It is a pure function: equal data gives an equal analysis."""
    raise NotImplementedError
