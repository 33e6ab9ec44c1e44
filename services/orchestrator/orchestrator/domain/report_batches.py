"""When reports are worth a transaction: one that takes sixteen costs about twice as much as one that takes one."""

from orchestrator.domain.advance import PREFETCH_SHARE

MAX_WAITING = 32


def is_batch_due(*, moving: int, telling: int, in_flight: int) -> bool:
    """Whether so many reports shall wait no longer for others. `moving` change a state, `telling` only add to the log.

    As large a share of what is in flight as is prefetched: until then the gateway has work. With few in flight that is
    the first one.

    >>> is_batch_due(moving=1, telling=0, in_flight=3), is_batch_due(moving=0, telling=1, in_flight=3)
    (True, False)
    >>> is_batch_due(moving=15, telling=9, in_flight=62), is_batch_due(moving=16, telling=0, in_flight=62)
    (False, True)
    """
    return moving + telling > MAX_WAITING or (moving > 0 and moving * PREFETCH_SHARE >= in_flight)
