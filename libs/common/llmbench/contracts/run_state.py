"""The value of a run's key in the NATS KV bucket `run_state`: may calls be started for it?"""

from enum import StrEnum


class RunGate(StrEnum):
    """OPEN: go on. CLOSED: start no further call, finish those in flight (the run pauses, or is over). ABORTED: stop
    them too.

    A missing key means OPEN: the bucket can be lost and is written again from Postgres.
    """

    OPEN = "open"
    CLOSED = "closed"
    ABORTED = "aborted"


RUN_STATE_BUCKET = "run_state"
