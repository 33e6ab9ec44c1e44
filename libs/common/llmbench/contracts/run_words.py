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
    """The purpose of a run.

    BENCHMARK generates answers and scores them. SINGLE scores one existing answer, BATCH many. JUDGE_CHECK tests a
    judge: it scores prepared answers, or scores stored answers of a baseline again. PLAYGROUND asks one question
    outside of any benchmark; its answers are streamed.
    """

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
    """The level at which results of a run depend on each other. Intervals count dependent results as one cluster.

    CASE: all answers to a case form a cluster. CONVERSATION: all cases of a conversation do. DOCUMENT: all cases about
    a document do. METADATA: the run names a metadata key, and all cases with the same value of this key form a cluster.
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
    """The states of an item. SKIPPED: the item was not asked, because a gate between tasks of its suite failed."""

    NEW = "NEW"
    IN_PROGRESS = "IN_PROGRESS"
    WAITING_FOR_JUDGE = "WAITING_FOR_JUDGE"
    JUDGING = "JUDGING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    SKIPPED = "SKIPPED"


class TaskGateStatus(StrEnum):
    """The states of a gate between two tasks of a suite run, for one target. OPEN: the gate is not decided yet."""

    OPEN = "OPEN"
    PASSED = "PASSED"
    FAILED = "FAILED"


class ScoreStatus(StrEnum):
    NEW = "NEW"
    IN_PROGRESS = "IN_PROGRESS"
    SCORED = "SCORED"
    FAILED = "FAILED"


class WebhookStatus(StrEnum):
    """The states of a webhook's delivery. FAILED: the delivery failed, and no further attempt is made."""

    PENDING = "PENDING"
    DELIVERED = "DELIVERED"
    FAILED = "FAILED"
