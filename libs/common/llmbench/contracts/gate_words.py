"""The result of comparing a finished run with its baselines, as events, the API and tables write it."""

from enum import StrEnum

from llmbench.contracts.base import Value


class GateVerdict(StrEnum):
    """The result of a run's gates.

    PENDING: the run has ended and is not yet compared. FINE: each loss of the margin is ruled out. WORSE: such a loss
    is certain. UNDECIDED: neither. LOW_COVERAGE: too few shared cases are scored in both runs. NOT_JUDGED: the runs
    cannot be compared, for instance because different judges scored them. JUDGE_CHANGED: the judge scores stored
    answers of the baseline differently than it did, so its scores cannot be compared.
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
