"""The enumerations of schedules and their firings, as the API and tables write them."""

from enum import StrEnum


class FiringCause(StrEnum):
    """The reason for a firing: the schedule was DUE, or a user asked for a run now (REQUESTED)."""

    DUE = "DUE"
    REQUESTED = "REQUESTED"


class FiringStatus(StrEnum):
    """The state of a firing.

    STARTING: its run is being created. STARTED: the run exists. SKIPPED: the last run was still going. FAILED: no run
    could be created, for the reason that is stored with it.
    """

    STARTING = "STARTING"
    STARTED = "STARTED"
    SKIPPED = "SKIPPED"
    FAILED = "FAILED"
