"""The reason why an item or a group failed, and whether a retry can help."""

from llmbench.contracts.base import Value
from llmbench.contracts.run_words import RunPhase


class ItemFailure(Value):
    """The failure of an item or a group. `kind` is an outcome's kind (`timed_out`, `rejected`, …), `unparsed`,
    `group_failed`, or `turn_failed`. The last means that an earlier turn of the conversation has no answer.

    Failures are grouped by `cause`: `unauthorized`, `connection_lost`, `content_filter` and so on. An item that failed
    with its group or an earlier turn has the cause of that failure. Failures that are older than this field have null;
    `kind` is used instead.
    """

    phase: RunPhase
    kind: str
    message: str
    retryable: bool
    cause: str | None = None

    def grouped_by(self) -> str:
        """Return the key by which failures are grouped: the cause, or the kind of a failure without a cause."""
        return self.cause or self.kind
