"""Decide when the reports of finished calls and scores, collected for a run, are applied in one transaction. A
transaction with sixteen reports costs only about twice as much as a transaction with one."""

from orchestrator.runs.domain.advance import PREFETCH_SHARE

MAX_WAITING = 32


def is_batch_due(*, changing_state: int, log_only: int, in_flight: int) -> bool:
    """Return whether to apply the collected reports now. `changing_state` is the number of reports that change a state,
    `log_only` the number of those that only add a line to the log.

    The batch is due when `changing_state` reaches a quarter of the calls in flight (`PREFETCH_SHARE`): until then the
    gateway has commands left. With few calls in flight, a single report that changes a state is enough. A batch of more
    than `MAX_WAITING` reports is always due.

    >>> is_batch_due(changing_state=1, log_only=0, in_flight=3), is_batch_due(changing_state=0, log_only=1, in_flight=3)
    (True, False)
    >>> [is_batch_due(changing_state=count, log_only=0, in_flight=64) for count in (15, 16)]
    [False, True]
    """
    return changing_state + log_only > MAX_WAITING or (
        changing_state > 0 and changing_state * PREFETCH_SHARE >= in_flight
    )
