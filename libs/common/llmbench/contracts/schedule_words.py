"""The enumerations of schedules and their firings, as the API and tables write them."""

from enum import StrEnum


class FiringCause(StrEnum):
    """The reason for a firing, which is one attempt of a schedule to start a run. DUE: its time had come. REQUESTED: a
    user asked for a run now."""

    DUE = "DUE"
    REQUESTED = "REQUESTED"


class FiringStatus(StrEnum):
    """The state of a firing, which is one attempt of a schedule to start a run.

    STARTING: the run is being created. STARTED: the run exists. SKIPPED: the schedule's previous run was not over.
    FAILED: no run could be created; the reason is stored with the firing.
    """

    STARTING = "STARTING"
    STARTED = "STARTED"
    SKIPPED = "SKIPPED"
    FAILED = "FAILED"
