"""The result of comparing a finished run with its baselines, as events, the API and tables write it."""

from enum import StrEnum

from llmbench.contracts.base import Value


class GateVerdict(StrEnum):
    """The result of a run's gates. A gate tests whether a metric is worse than the baseline's by a margin or more.

    PENDING: the run has ended and is not yet compared. FINE: every gate rules out a loss of the margin or more. WORSE:
    such a loss is certain for a gate. UNDECIDED: such a loss is neither ruled out nor certain. LOW_COVERAGE: too few of
    the shared cases are scored in both runs. NOT_JUDGED: the runs cannot be compared, for instance because different
    judges scored them. JUDGE_CHANGED: the judge scores stored answers of the baseline differently than before, so its
    scores cannot be compared.
    """

    PENDING = "pending"
    FINE = "fine"
    WORSE = "worse"
    UNDECIDED = "undecided"
    LOW_COVERAGE = "low coverage"
    NOT_JUDGED = "not judged"
    JUDGE_CHANGED = "the judge changed"


class GateNews(Value):
    """The result of a run's gates, in brief. `sentence` explains it in one line. `passed` and `sentence` are null while
    the result is pending."""

    verdict: GateVerdict
    passed: bool | None = None
    sentence: str | None = None
