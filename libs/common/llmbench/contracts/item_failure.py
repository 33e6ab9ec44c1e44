"""Why an item or a group failed, and whether trying again can help."""

from llmbench.contracts.base import Value
from llmbench.contracts.run_words import RunPhase


class ItemFailure(Value):
    """`kind` is the kind of an outcome (`timed_out`, `rejected`, …), `unparsed`, `group_failed`, or `turn_failed`: of a
    conversation, the turn before was not answered."""

    phase: RunPhase
    kind: str
    message: str
    retryable: bool
