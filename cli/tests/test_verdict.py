"""Test the exit code of a run: 0 only if everything was scored and every threshold is reached."""

from typing import Any

import pytest

from llmbench_cli.runs.run_file import Thresholds
from llmbench_cli.runs.verdict import verdict


def _run(outcome: str | None = "complete", status: str = "FINISHED", **figures: Any) -> dict[str, Any]:
    result = {"label": "a", "mean_score": 0.8, "pass_rate": 0.9, **figures}
    return {
        "status": status,
        "status_reason": "the cost limit is reached" if status == "PAUSED" else None,
        "outcome": outcome,
        "totals": {"items": 10, "failed": 0 if outcome == "complete" else 3},
        "results": [result, {**result, "label": "b", "mean_score": 0.6}],
    }


@pytest.mark.parametrize(
    ("run", "wanted", "code", "reason"),
    [
        (_run(), {}, 0, ""),
        (_run(), {"min_score": 0.6, "min_pass_rate": 0.9}, 0, ""),
        (_run(), {"min_score": 0.61}, 100, "b: mean score 0.6, wanted 0.61"),
        (_run(), {"min_pass_rate": 0.95}, 100, "a: pass rate 90.0%, wanted 95.0%"),
        (_run("partial"), {}, 1, "3 of 10 items failed"),
        (_run("partial"), {"min_score": 0.9}, 1, "3 of 10 items failed"),
        (_run("partial"), {"allow_partial": True}, 0, ""),
        (_run("partial"), {"allow_partial": True, "min_score": 0.7}, 100, "b: mean score 0.6"),
        (_run("partial", pass_rate=None), {"allow_partial": True, "min_pass_rate": 0}, 100, "pass rate nothing"),
        (_run("failed"), {"allow_partial": True}, 1, "no answer was scored"),
        (_run(None, "CANCELLED"), {"allow_partial": True}, 1, "the run is cancelled"),
        (_run(None, "PAUSED"), {}, 1, "the run is paused: the cost limit is reached"),
    ],
)
def test_verdicts(run: dict[str, Any], wanted: dict[str, Any], code: int, reason: str) -> None:
    got, reasons = verdict(run, Thresholds(**wanted))
    assert got == code
    assert reason in "; ".join(reasons)
    assert bool(reasons) == (code != 0)


def test_noise_of_floats_misses_no_threshold() -> None:
    run = _run(mean_score=0.6999999999999998)
    run["results"].pop()
    assert verdict(run, Thresholds(min_score=0.7)) == (0, [])
    assert verdict(run, Thresholds(min_score=0.701))[0] == 100
