"""The findings of a job: problems, each at a line of one of its files. Every CI system shows them as annotations."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from llmbench_cli.ci.baseline import same_gate
from llmbench_cli.ci.outcome import ChangedCase, Outcome
from llmbench_cli.ci.wanted import Job
from llmbench_cli.client import Json
from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.runs.words import number
from llmbench_cli.safe_text import safe_line

_MOST_CASES = 10
_LONGEST = 500
_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


class Level(StrEnum):
    """The seriousness of a finding. CI systems show an error in red."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Finding:
    """A problem at a line of the suite's file, such as a failed gate. `check` is the kind of problem, and `subject`
    names the gate, case or result. `path`, `check` and `subject` identify the same problem in later jobs."""

    level: Level
    path: str
    line: int
    check: str
    subject: str
    title: str
    message: str


def findings(job: Job, outcome: Outcome) -> list[Finding]:
    """Return the findings: each gate that does not pass, and at most ten cases with a loss. If no gate failed, the
    reasons for the exit code are findings too."""
    of_gates = [_of_gate(job, gate) for gate in outcome.gates if not gate["passed"]]
    level = Level.ERROR if outcome.code else Level.WARNING
    place = ("thresholds",) if outcome.code == ExitCode.MISSED else ()
    others = [] if of_gates else list(_reasons(job, outcome.reasons, level, place, outcome.headline))
    cases = [case for case in (outcome.changes.cases if outcome.changes else ()) if case.difference < 0]
    return [*of_gates, *others, *(_of_case(job, case) for case in cases[:_MOST_CASES])]


def fault(path: str, line: int, message: str) -> Finding:
    """Return the finding for an error that ended the job, such as an invalid file. `line` is 1 if none is known."""
    return Finding(Level.ERROR, _relative(path), line, "file", f"{line}", "llmbench ci", _short(message))


def _of_gate(job: Job, gate: Json) -> Finding:
    level = Level.ERROR if gate["verdict"] == "worse" else Level.WARNING
    line = next((_line(job, ("gates", at)) for at, wanted in enumerate(job.gates) if same_gate(gate, wanted)), 1)
    against = "the anchor" if gate["role"] == "anchor" else "the baseline"
    return Finding(
        level=level,
        path=_relative(job.file),
        line=line,
        check="gate",
        subject=f"{gate['metric']} {gate['task']} {gate['role']}",
        title=f"{gate['title']}: {gate['verdict']}",
        message=_short(f"against {against}: {gate['sentence']}"),
    )


def _reasons(job: Job, reasons: Sequence[str], level: Level, place: tuple[str, ...], title: str) -> Iterator[Finding]:
    path, line = _relative(job.file), _line(job, place)
    for place_in_list, reason in enumerate(reasons):
        # A reason has figures, which change from job to job, so they do not identify the finding.
        yield Finding(level, path, line, "result", f"{title} {place_in_list}", title, _short(reason))


def _of_case(job: Job, case: ChangedCase) -> Finding:
    suite = job.suite
    before, here = number(case.before.score), number(case.here.score)
    failure = f" ({case.here.failure})" if case.here.failure else ""
    return Finding(
        level=Level.WARNING,
        path=_relative(suite.name if suite else job.file),
        line=suite.line_of_task(case.task) if suite else 1,
        check="case",
        subject=f"{case.target} {case.name}",
        title=_short(f"{case.name}: {before} → {here}"),
        message=_short(f"{case.target}: the score of this case is {here} and was {before} in the baseline{failure}"),
    )


def _line(job: Job, place: tuple[str | int, ...]) -> int:
    while place and place not in job.places:
        place = place[:-1]
    return job.places.get(place, 1)


def _relative(path: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return the path relative to the repository's root, as CI systems expect it. A path outside it is unchanged."""
    root = next((environment[name] for name in _ROOTS if environment.get(name)), os.getcwd())
    try:
        return Path(path).resolve().relative_to(Path(root).resolve()).as_posix()
    except ValueError:
        return path


def _short(text: str) -> str:
    return safe_line(text, most=_LONGEST)
