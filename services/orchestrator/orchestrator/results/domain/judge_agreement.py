"""Describe how far a judge agrees with people, for reports that show its scores."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from orchestrator.kernel.domain.html_page import percent


@dataclass(frozen=True)
class JudgeAgreement:
    """The agreement of a judge with people, by the judge's newest calibration on answers of the run that is shown. If
    there is none, its newest calibration on another run is used, and `of_run` is the name of that run.

    `answers` is null if the judge has no calibration. `kappa` is null if it is not defined. `low` and `high` are the
    ends of kappa's interval, null with few answers. `corrected` maps a target's label to its corrected pass rate, with
    the ends of that rate's interval. It is empty if the calibration is on another run.
    """

    title: str
    judge_model: str
    answers: int | None = None
    of_run: str | None = None
    kappa: float | None = None
    low: float | None = None
    high: float | None = None
    corrected: Mapping[str, tuple[float, float | None, float | None]] = field(default_factory=dict)

    def in_words(self) -> str:
        """Return how far the judge agrees with people, as sentences."""
        name = f"The judge {self.judge_model} ({self.title})"
        if self.answers is None:
            return f"{name} is not measured against people: how far its scores can be trusted is not known."
        of_run = "" if self.of_run is None else f" of the run {self.of_run}"
        if self.kappa is None:
            return f"{name} was measured against people on {self.answers:,} answers{of_run}; its kappa is not defined."
        between = "" if self.low is None or self.high is None else f" ({self.low:.2f} to {self.high:.2f})"
        sentences = f"{name} agrees with people: kappa {self.kappa:.2f}{between} on {self.answers:,} answers{of_run}."
        for label, (value, low, high) in self.corrected.items():
            interval = "" if low is None or high is None else f" ({_rate(low)} to {_rate(high)})"
            sentences += f" Corrected pass rate of {label}: {_rate(value)}{interval}."
        return sentences


def _rate(value: float) -> str:
    """Return a rate in percent. Corrected estimates can leave the range from 0 to 1; they are cut to it."""
    return percent(min(1.0, max(0.0, value)))
