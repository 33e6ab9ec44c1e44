"""The enumerations of datasets, as the API, files and tables write them."""

from enum import StrEnum


class DatasetType(StrEnum):
    EVALUATION = "EVALUATION"
    BENCHMARK = "BENCHMARK"
    GOLDEN_SET = "GOLDEN_SET"
    ANNOTATION_QUEUE = "ANNOTATION_QUEUE"


class VersionStatus(StrEnum):
    """The states of a dataset version: DRAFT → PUBLISHED → DEPRECATED. The content of a published version never
    changes; a new run accepts only PUBLISHED versions."""

    DRAFT = "DRAFT"
    PUBLISHED = "PUBLISHED"
    DEPRECATED = "DEPRECATED"


class ValidationStatus(StrEnum):
    """The result of checking a version's file. PENDING is visible only within the transaction that reads the file."""

    PENDING = "PENDING"
    VALID = "VALID"
    INVALID = "INVALID"


class TruthSource(StrEnum):
    HUMAN_CONSENSUS = "HUMAN_CONSENSUS"
    EXPERT = "EXPERT"
    AUTOMATED = "AUTOMATED"
    IMPORTED = "IMPORTED"
