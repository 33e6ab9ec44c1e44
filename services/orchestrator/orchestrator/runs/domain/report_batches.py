"""Decide when to apply the collected reports in one transaction. Applying sixteen reports costs about twice as much as
applying one.
"""

from orchestrator.runs.domain.advance import PREFETCH_SHARE

MAX_WAITING = 32


def is_batch_due(*, moving: int, telling: int, in_flight: int) -> bool:
    """Return whether to stop collecting and apply the reports. `moving` reports change a state; `telling` reports only
    add to the log.

    The batch is due when `moving` reports have arrived for a quarter of the calls in flight (`PREFETCH_SHARE`): until
    then the gateway has commands left. With few calls in flight the first report is enough.

    >>> is_batch_due(moving=1, telling=0, in_flight=3), is_batch_due(moving=0, telling=1, in_flight=3)
    (True, False)
    >>> is_batch_due(moving=15, telling=9, in_flight=62), is_batch_due(moving=16, telling=0, in_flight=62)
    (False, True)
    """
    return moving + telling > MAX_WAITING or (moving > 0 and moving * PREFETCH_SHARE >= in_flight)
