"""The enumerations of annotation, as the API and tables write them."""

from enum import StrEnum


class AnnotationStatus(StrEnum):
    """The states of an annotation task. Items are given out only while it is ACTIVE. A COMPLETED task has all labels,
    or a person ended it."""

    DRAFT = "DRAFT"
    ACTIVE = "ACTIVE"
    PAUSED = "PAUSED"
    COMPLETED = "COMPLETED"


class AnnotatorStatus(StrEnum):
    """The states of an annotator. Only an ACTIVE one is given items. The labels of a BLOCKED annotator no longer
    count."""

    ACTIVE = "ACTIVE"
    INACTIVE = "INACTIVE"
    BLOCKED = "BLOCKED"


class AnswerPriority(StrEnum):
    """The order in which answers of a run are chosen for people. Some answers, the audit slice, are drawn at random
    instead.

    CONFIDENCE begins with the answers about whose scores the judge is least certain. DISAGREEMENT begins with the
    answers on which judges differ most. For an answer with a single judge, DISAGREEMENT compares the scores of all
    targets in the same case. PASS_MARK begins with the answers whose scores are nearest to the pass mark.
    """

    CONFIDENCE = "confidence"
    DISAGREEMENT = "disagreement"
    PASS_MARK = "pass_mark"  # noqa: S105
