"""The gate of a run: whether calls may be started for the run. Gates are stored in the NATS KV bucket `run_state`."""

from enum import StrEnum


class RunGate(StrEnum):
    """The value of a run's gate. OPEN: calls may start. CLOSED: no further call starts, and calls in flight finish.
    ABORTED: calls in flight are stopped, too.

    A run without an entry in the bucket counts as OPEN, because NATS may lose the bucket. The gates are then restored
    from Postgres.
    """

    OPEN = "open"
    CLOSED = "closed"
    ABORTED = "aborted"


RUN_STATE_BUCKET = "run_state"
