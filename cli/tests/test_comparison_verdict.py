"""Test the exit code of `llmbench compare`."""

from typing import Any

from llmbench_cli.runs.comparison import judged


def answer(
    *,
    regressed: list[str],
    cases: int = 40,
    margin: float = 0.0,
    note: str | None = None,
    withheld: str | None = None,
    coverage: float = 1,
) -> dict[str, Any]:
    """Return a response of the compare endpoint with one comparison. `regressed` lists the labels that got worse."""
    score = None if note else {"cases": cases, "verdict": "low coverage" if coverage < 0.9 else "better"}
    one = {"column": 1, "note": note, "withheld": withheld, "score": score, "coverage": coverage, "cases_in_both": 100}
    return {
        "margin": margin,
        "regressed": bool(regressed),
        "runs": [],
        "comparisons": [{"comparisons": [one], "regressed": regressed}],
    }


def test_regression_has_exit_code_100_and_names_the_target() -> None:
    assert judged(answer(regressed=[])) == (0, [])
    assert judged(answer(regressed=["small"])) == (100, ["small: worse than the baseline"])
    assert judged(answer(regressed=["small"], margin=0.02))[1] == ["small: worse than the baseline by more than 0.02"]


def test_comparison_without_a_verdict_has_exit_code_1() -> None:
    assert judged(answer(regressed=[], note="Two judges.")) == (1, ["Two judges."])
    assert judged(answer(regressed=[], cases=0)) == (1, ["no case is scored in both"])
    assert judged(answer(regressed=[], withheld="'Today' is running.")) == (1, ["'Today' is running."])
    code, (reason,) = judged(answer(regressed=[], coverage=0.2))
    assert (code, "only 20% of the 100 cases" in reason) == (1, True)
