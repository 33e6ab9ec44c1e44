"""The possible statistical methods and designs of an experiment, and the directions in which a metric is better."""

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
