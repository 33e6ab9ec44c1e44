"""Decide when reports are worth a transaction: one with sixteen reports costs about twice as much as one with one."""

from orchestrator.runs.domain.advance import PREFETCH_SHARE

MAX_WAITING = 32


def is_batch_due(*, moving: int, telling: int, in_flight: int) -> bool:
    """Return whether to stop collecting reports. `moving` ones change a state; `telling` ones only add to the log.

    The batch is due when it holds as large a share of the calls in flight as is prefetched: until then the gateway has
    work. With few in flight the first report is enough.

    >>> is_batch_due(moving=1, telling=0, in_flight=3), is_batch_due(moving=0, telling=1, in_flight=3)
    (True, False)
    >>> is_batch_due(moving=15, telling=9, in_flight=62), is_batch_due(moving=16, telling=0, in_flight=62)
    (False, True)
    """
    return moving + telling > MAX_WAITING or (moving > 0 and moving * PREFETCH_SHARE >= in_flight)
