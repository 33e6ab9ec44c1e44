"""The result of a CI job, from which its reports are written."""

from collections.abc import Sequence
from dataclasses import dataclass

from llmbench_cli.client import Json
from llmbench_cli.exit_codes import ExitCode


@dataclass(frozen=True)
class Side:
    """The result of a case in one run. `score` is from 0 to 1; it is None if the case has none. `failure` says why an
    answer is missing."""

    score: float | None
    answer: str | None
    failure: str | None


@dataclass(frozen=True)
class ChangedCase:
    """A case whose score differs from that of the baseline by `difference`, which is negative for a loss. `task` is its
    task in the suite. `before` is the result in the baseline run, and `here` the result in the job's run."""

    target: str
    task: str
    name: str
    question: str
    difference: float
    before: Side
    here: Side


@dataclass(frozen=True)
class Changes:
    """The cases that changed, over all targets. `cases` lists the first of them, the greatest loss first. `worse` and
    `better` count all cases with a loss and all with a gain."""

    cases: Sequence[ChangedCase]
    worse: int
    better: int


@dataclass(frozen=True)
class Outcome:
    """The result of a job: its exit code, and the reasons if that is not 0.

    `run` is the run's detail, and `suite` the scores of its suite, both in the API's form. `baseline` is the baseline
    that the run was compared with; None if there was none. `saved` is the file into which the run was written as the
    new baseline.
    """

    code: int
    reasons: Sequence[str]
    run: Json
    suite: Json
    baseline: Json | None = None
    changes: Changes | None = None
    saved: str | None = None

    @property
    def gates(self) -> list[Json]:
        """Return the run's gates with their verdicts; an empty list if it was not compared."""
        return self.run.get("gates") or []

    @property
    def headline(self) -> str:
        """Return the result in a few words."""
        if self.code == ExitCode.OK:
            return "no loss beyond the margins" if self.gates else "passed"
        if self.code == ExitCode.MISSED:
            worse = (self.run.get("gate") or {}).get("verdict") == "worse"
            return "worse than the baseline" if worse else "a threshold is missed"
        if self.code == ExitCode.LOW_COVERAGE and (self.run.get("gate") or {}).get("verdict") == "the judge changed":
            return "the judge changed"
        known = {
            ExitCode.REFUSED: "a gate cannot be relied on",
            ExitCode.UNDECIDED: "undecided",
            ExitCode.LOW_COVERAGE: "not judged",
        }
        return known.get(ExitCode(self.code), "failed")
