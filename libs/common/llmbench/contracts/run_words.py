"""The enumerations of runs and of their parts, as the API, events and tables write them."""

from enum import StrEnum


class RunStatus(StrEnum):
    QUEUED = "QUEUED"
    PENDING = "PENDING"
    RUNNING = "RUNNING"
    PAUSING = "PAUSING"
    PAUSED = "PAUSED"
    FINISHED = "FINISHED"
    CANCELLED = "CANCELLED"


class RunType(StrEnum):
    """The purpose of a run. BENCHMARK generates answers. SINGLE evaluates one existing answer, BATCH many. JUDGE_CHECK
    scores stored answers of a baseline again, to find out whether their judge has changed. PLAYGROUND asks one question
    without a benchmark; its answers are streamed."""

    BENCHMARK = "BENCHMARK"
    SINGLE = "SINGLE"
    BATCH = "BATCH"
    JUDGE_CHECK = "JUDGE_CHECK"
    PLAYGROUND = "PLAYGROUND"


class RunPhase(StrEnum):
    BENCHMARKING = "BENCHMARKING"
    JUDGING = "JUDGING"


class RunOutcome(StrEnum):
    """The outcome of a finished run: `complete` if all its items are COMPLETED, `partial` if some are, `failed` if none
    is. SKIPPED items do not count.
    """

    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"


class ClusterLevel(StrEnum):
    """The unit within which results of a run depend on each other, so that intervals treat them as one cluster.

    The unit is the case (its epochs and the answers of several targets), the conversation, or the document. With
    METADATA, it is all cases with the same value of the metadata key that the run names.
    """

    CASE = "case"
    CONVERSATION = "conversation"
    DOCUMENT = "document"
    METADATA = "metadata"


class GroupStatus(StrEnum):
    WAITING = "WAITING"
    WARMING_UP = "WARMING_UP"
    OPEN = "OPEN"
    RELEASING = "RELEASING"
    CLOSED = "CLOSED"
    FAILED = "FAILED"


class ItemStatus(StrEnum):
    """The states of an item. SKIPPED: it was not asked, because a gate between tasks of its suite failed."""

    NEW = "NEW"
    IN_PROGRESS = "IN_PROGRESS"
    WAITING_FOR_JUDGE = "WAITING_FOR_JUDGE"
    JUDGING = "JUDGING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    SKIPPED = "SKIPPED"


class TaskGateStatus(StrEnum):
    """The states of a gate between two tasks of a suite run, for one target. OPEN: it is not decided yet."""

    OPEN = "OPEN"
    PASSED = "PASSED"
    FAILED = "FAILED"


class ScoreStatus(StrEnum):
    NEW = "NEW"
    IN_PROGRESS = "IN_PROGRESS"
    SCORED = "SCORED"
    FAILED = "FAILED"


class WebhookStatus(StrEnum):
    """The states of a webhook's delivery. FAILED: it was not delivered, and no further attempt is
    made."""

    PENDING = "PENDING"
    DELIVERED = "DELIVERED"
    FAILED = "FAILED"
