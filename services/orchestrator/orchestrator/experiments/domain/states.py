"""The states of an experiment as a table: (state, event) → state. The diagram in docs/generated/lifecycle.md is drawn
from it."""

from collections.abc import Mapping
from enum import StrEnum

from llmbench.contracts.experiment_words import ExperimentStatus


class ExperimentMoves(StrEnum):
    START = "start"
    PAUSE = "pause"
    STOP = "stop"
    RESUME = "resume"
    CONCLUDE = "conclude"
    ARCHIVE = "archive"


EXPERIMENT: Mapping[ExperimentStatus, Mapping[ExperimentMoves, ExperimentStatus]] = {
    ExperimentStatus.DRAFT: {ExperimentMoves.START: ExperimentStatus.RUNNING},
    ExperimentStatus.RUNNING: {
        ExperimentMoves.PAUSE: ExperimentStatus.PAUSED,
        # STOP: the experiment has stopped by its rule, and waits for its conclusion.
        ExperimentMoves.STOP: ExperimentStatus.PAUSED,
        ExperimentMoves.CONCLUDE: ExperimentStatus.CONCLUDED,
    },
    ExperimentStatus.PAUSED: {
        ExperimentMoves.RESUME: ExperimentStatus.RUNNING,
        ExperimentMoves.CONCLUDE: ExperimentStatus.CONCLUDED,
    },
    ExperimentStatus.CONCLUDED: {ExperimentMoves.ARCHIVE: ExperimentStatus.ARCHIVED},
    ExperimentStatus.ARCHIVED: {},
}
