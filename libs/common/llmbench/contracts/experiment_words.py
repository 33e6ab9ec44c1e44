"""The enumerations of experiments and their rounds, as the API, events and tables write them."""

from enum import StrEnum


class ExperimentType(StrEnum):
    """The type of an experiment. MULTI_ARM_BANDIT allocates the cases of each round by the results so far; the other
    types differ only in name."""

    AB_TEST = "AB_TEST"
    MULTI_ARM_BANDIT = "MULTI_ARM_BANDIT"
    PROMPT_COMPARISON = "PROMPT_COMPARISON"
    MODEL_COMPARISON = "MODEL_COMPARISON"


class ExperimentStatus(StrEnum):
    """The state of an experiment. PAUSED: no further round starts, because a user paused it, a round failed, or the
    experiment has stopped by its rule and waits for its conclusion."""

    DRAFT = "DRAFT"
    RUNNING = "RUNNING"
    PAUSED = "PAUSED"
    CONCLUDED = "CONCLUDED"
    ARCHIVED = "ARCHIVED"


class RoundStatus(StrEnum):
    """The state of a round. In a split design each variant has a run of its own, and this is the state of one of these
    runs.

    STARTING: its run is being created. STARTED: the run exists. OVER: its results are part of the experiment. FAILED:
    its run gave no result; the round is made again when the experiment is resumed. DROPPED: the experiment was
    concluded before the run was over.
    """

    STARTING = "STARTING"
    STARTED = "STARTED"
    OVER = "OVER"
    FAILED = "FAILED"
    DROPPED = "DROPPED"


class StopRule(StrEnum):
    """The rule by which an experiment stopped by itself. DECIDED: a winner is certain. HARMFUL: a guardrail is lost, or
    every treatment is certainly worse. FUTILE: an effect of the planned size is ruled out. PLANNED: the planned sample
    is complete. The rest are limits: CASES (there are no more cases), DURATION and COST."""

    DECIDED = "decided"
    HARMFUL = "harmful"
    FUTILE = "futile"
    PLANNED = "planned"
    CASES = "cases"
    DURATION = "duration"
    COST = "cost"
