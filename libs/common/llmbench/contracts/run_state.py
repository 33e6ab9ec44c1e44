"""The value of a run's key in the NATS KV bucket `run_state`: may calls be started for the run?"""

from enum import StrEnum


class RunGate(StrEnum):
    """OPEN: calls may start. CLOSED: no further call starts, those in flight finish (the run pauses or has ended).
    ABORTED: calls in flight stop, too.

    A missing key means OPEN: the bucket can be lost and is rebuilt from Postgres.
    """

    OPEN = "open"
    CLOSED = "closed"
    ABORTED = "aborted"


RUN_STATE_BUCKET = "run_state"
