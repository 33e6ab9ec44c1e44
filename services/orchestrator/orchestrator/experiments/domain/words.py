"""The words of an experiment's statistics: its method, its design, and the direction of a metric."""

from enum import StrEnum


class Method(StrEnum):
    FREQUENTIST = "frequentist"
    BAYESIAN = "bayesian"
    SEQUENTIAL = "sequential"


class Design(StrEnum):
    PAIRED = "paired"
    SPLIT = "split"


class Direction(StrEnum):
    HIGHER_IS_BETTER = "higher_is_better"
    LOWER_IS_BETTER = "lower_is_better"
