"""The reason why an item failed, and whether a retry can help."""

from llmbench.contracts.base import Value
from llmbench.contracts.run_words import RunPhase


class ItemFailure(Value):
    """The failure of an item.

    `kind` is the kind of the failed call's outcome (such as `timed_out`), or the failed score's outcome (such as
    `unparsed` or `errored`). It is `group_failed` if the item failed with its group. It is `turn_failed` if an earlier
    turn of the conversation has no answer.

    Failures are grouped by `cause`: `unauthorized`, `connection_lost`, `content_filter` and so on. An item that failed
    with its group or an earlier turn has the cause of that failure. `cause` is null in failures that were stored before
    the field existed; these are grouped by `kind`.
    """

    phase: RunPhase
    kind: str
    message: str
    retryable: bool
    cause: str | None = None

    def grouped_by(self) -> str:
        """Return the key by which failures are grouped: the cause, or the kind of a failure without a cause."""
        return self.cause or self.kind
