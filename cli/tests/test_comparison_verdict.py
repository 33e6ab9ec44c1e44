"""Test the exit code of `llmbench compare`."""

from typing import Any

from llmbench_cli.runs.comparison import outcome, with_largest_differences


def answer(
    *,
    regressed: list[str],
    cases: int = 40,
    margin: float = 0.0,
    note: str | None = None,
    withheld: str | None = None,
    coverage: float = 1,
    task: str | None = None,
) -> dict[str, Any]:
    score = None if note else {"cases": cases, "verdict": "low coverage" if coverage < 0.9 else "better"}
    one = {"column": 1, "note": note, "withheld": withheld, "score": score, "coverage": coverage, "cases_in_both": 100}
    one["least_covered"] = task
    return {
        "margin": margin,
        "regressed": bool(regressed),
        "runs": [],
        "comparisons": [{"comparisons": [one], "regressed": regressed}],
    }


def test_a_regression_is_100_and_names_what_is_worse() -> None:
    assert outcome(answer(regressed=[])) == (0, [])
    assert outcome(answer(regressed=["small"])) == (100, ["small: worse than the baseline"])
    assert outcome(answer(regressed=["small"], margin=0.02))[1] == ["small: worse than the baseline by more than 0.02"]


def test_what_was_not_compared_is_no_pass() -> None:
    assert outcome(answer(regressed=[], note="Two judges.")) == (1, ["Two judges."])
    assert outcome(answer(regressed=[], cases=0)) == (1, ["no case is scored in both"])
    assert outcome(answer(regressed=[], withheld="'Today' is running.")) == (1, ["'Today' is running."])
    code, (reason,) = outcome(answer(regressed=[], coverage=0.2))
    assert (code, "only 20 of the 100 cases that both have are scored in both, and 90 % are needed" in reason) == (
        1,
        True,
    )
    code, (reason,) = outcome(answer(regressed=[], coverage=0.2, task="sums"))
    assert (code, "only 20% of the cases of the task 'sums' that both have" in reason) == (1, True)


def evaluator_row(name: str, mean: float | None, verdict: str | None) -> tuple[str, dict[str, Any]]:
    return name, {"name": name, "score": {"mean": mean, "verdict": verdict}}


def test_of_many_evaluators_the_certain_and_the_largest_differences_are_shown_in_their_order() -> None:
    rows = [evaluator_row(f"e{number}", number / 100, "not separable") for number in range(40)]
    rows[0] = evaluator_row("worse", -0.01, "worse")
    rows[1] = evaluator_row("unknown", None, None)
    shown = [name for name, _ in with_largest_differences(rows)]
    assert shown == ["worse", *(f"e{number}" for number in range(29, 40))]
    certain = [evaluator_row(f"e{number}", 0.1, "better") for number in range(20)]
    assert len(with_largest_differences(certain)) == 20
    assert with_largest_differences(rows[:12]) == rows[:12]
