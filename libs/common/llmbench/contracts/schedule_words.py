"""The enumerations of schedules and their firings, as the API and tables write them."""

from enum import StrEnum


class FiringCause(StrEnum):
    """The reason for a firing: the schedule was DUE, or a user asked for a run now (REQUESTED)."""

    DUE = "DUE"
    REQUESTED = "REQUESTED"


class FiringStatus(StrEnum):
    """The state of a firing.

    STARTING: its run is being created. STARTED: the run exists. SKIPPED: the previous run was not over. FAILED: no run
    could be created; the reason is stored with the firing.
    """

    STARTING = "STARTING"
    STARTED = "STARTED"
    SKIPPED = "SKIPPED"
    FAILED = "FAILED"
