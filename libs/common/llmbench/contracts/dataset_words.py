"""The words of datasets: types, and the states of a version."""

from enum import StrEnum


class DatasetType(StrEnum):
    EVALUATION = "EVALUATION"
    BENCHMARK = "BENCHMARK"
    GOLDEN_SET = "GOLDEN_SET"
    ANNOTATION_QUEUE = "ANNOTATION_QUEUE"


class VersionStatus(StrEnum):
    """DRAFT → PUBLISHED → DEPRECATED. From PUBLISHED on nothing in it changes; runs take only PUBLISHED ones."""

    DRAFT = "DRAFT"
    PUBLISHED = "PUBLISHED"
    DEPRECATED = "DEPRECATED"


class ValidationStatus(StrEnum):
    """PENDING is seen by nobody but the transaction that reads the file."""

    PENDING = "PENDING"
    VALID = "VALID"
    INVALID = "INVALID"


class TruthSource(StrEnum):
    HUMAN_CONSENSUS = "HUMAN_CONSENSUS"
    EXPERT = "EXPERT"
    AUTOMATED = "AUTOMATED"
    IMPORTED = "IMPORTED"
