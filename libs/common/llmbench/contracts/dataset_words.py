"""The enumerations of datasets: types and version states."""

from enum import StrEnum


class DatasetType(StrEnum):
    EVALUATION = "EVALUATION"
    BENCHMARK = "BENCHMARK"
    GOLDEN_SET = "GOLDEN_SET"
    ANNOTATION_QUEUE = "ANNOTATION_QUEUE"


class VersionStatus(StrEnum):
    """The states of a dataset version: DRAFT → PUBLISHED → DEPRECATED. A published version is immutable; runs accept
    only PUBLISHED ones."""

    DRAFT = "DRAFT"
    PUBLISHED = "PUBLISHED"
    DEPRECATED = "DEPRECATED"


class ValidationStatus(StrEnum):
    """The result of validation. PENDING is visible only within the transaction that reads the file."""

    PENDING = "PENDING"
    VALID = "VALID"
    INVALID = "INVALID"


class TruthSource(StrEnum):
    HUMAN_CONSENSUS = "HUMAN_CONSENSUS"
    EXPERT = "EXPERT"
    AUTOMATED = "AUTOMATED"
    IMPORTED = "IMPORTED"
