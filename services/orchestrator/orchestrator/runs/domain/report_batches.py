"""Decide when the reports of finished calls and scores, collected for a run, are applied in one transaction. A
transaction with sixteen reports costs only about twice as much as a transaction with one."""

from orchestrator.runs.domain.advance import PREFETCH_SHARE

MAX_WAITING = 32


def is_batch_due(*, moving: int, telling: int, in_flight: int) -> bool:
    """Return whether to apply the collected reports now. `moving` is the number of those that change a state, `telling`
    of those that only add a line to the log.

    The batch is due when `moving` reaches a quarter of the calls in flight (`PREFETCH_SHARE`): until then the gateway
    has commands left. With few calls in flight, the first report is enough. A batch of more than `MAX_WAITING` reports
    is always due.

    >>> is_batch_due(moving=1, telling=0, in_flight=3), is_batch_due(moving=0, telling=1, in_flight=3)
    (True, False)
    >>> is_batch_due(moving=15, telling=9, in_flight=62), is_batch_due(moving=16, telling=0, in_flight=62)
    (False, True)
    """
    return moving + telling > MAX_WAITING or (moving > 0 and moving * PREFETCH_SHARE >= in_flight)
