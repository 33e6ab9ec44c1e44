"""The states of a run and its parts, in the words of the API, the events and the tables."""

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
    """What a run is for: a BENCHMARK asks its targets; SINGLE and BATCH are evaluations of answers that
    were given, one or many."""

    BENCHMARK = "BENCHMARK"
    SINGLE = "SINGLE"
    BATCH = "BATCH"


class RunPhase(StrEnum):
    BENCHMARKING = "BENCHMARKING"
    JUDGING = "JUDGING"


class RunOutcome(StrEnum):
    """How a finished run ended: every item COMPLETED, some of them, or none."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"


class ClusterLevel(StrEnum):
    """What results of a run are not independent of each other: those of one case (its epochs, and the answers of
    several targets), of one conversation, of one document, or of one value of the metadata key that the run names."""

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
    NEW = "NEW"
    IN_PROGRESS = "IN_PROGRESS"
    WAITING_FOR_JUDGE = "WAITING_FOR_JUDGE"
    JUDGING = "JUDGING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"


class ScoreStatus(StrEnum):
    NEW = "NEW"
    IN_PROGRESS = "IN_PROGRESS"
    SCORED = "SCORED"
    FAILED = "FAILED"


class WebhookStatus(StrEnum):
    """FAILED: every attempt did, or the receiver wants no more."""

    PENDING = "PENDING"
    DELIVERED = "DELIVERED"
    FAILED = "FAILED"
