"""Test the tables and exit codes of `llmbench judge`."""

from typing import Any

from rich.console import Console

from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.judge_view import cases_table, exit_code, report, side_by_side

RATE = {"value": 0.875, "low": 0.8, "high": 0.93, "cases": 120}
NO_RATE = {"value": None, "low": None, "high": None, "cases": 0}
NAMES = (
    *("accuracy", "pairs", "answers", "verdict_accuracy", "swap_consistency", "first_chosen", "longer_chosen"),
    *("right_longer", "right_shorter", "injection", "too_lenient", "too_strict", "self_agreement"),
)


def check(**more: Any) -> dict[str, Any]:
    figures = dict.fromkeys(NAMES, RATE) | {
        "cases": 120,
        "asked": 240,
        "outcomes": {"scored": 240},
        "longer_right": 0.5,
        "cost_usd": 1.2,
        "cost_per_verdict_usd": 0.005,
        "categories": [{"category": "[red]terse", "cases": 10, "accuracy": NO_RATE}],
    }
    return {
        "id": "0193a000-0000-7000-8000-000000000001",
        "status": "FINISHED",
        "status_reason": None,
        "judge": {"provider_name": "openai", "model": "gpt"},
        "set": {"name": "ours", "cases": 120, "digest": "abcdef0123"},
        "repeats": 2,
        "figures": figures | more.pop("figures", {}),
    } | more


def printed(table: Any, *, width: int = 200) -> str:
    console = Console(width=width, record=True)
    console.print(table)
    return console.export_text()


def test_report_shows_rates_with_intervals_and_what_is_fair() -> None:
    text = printed(report(check()))
    assert "openai/gpt on ours" in text
    assert "87.5%" in text
    assert "80.0 to 93.0" in text
    assert "fair: 50.0%" in text
    assert "$0.005 a verdict" in text


def test_judges_stand_side_by_side_and_wrong_cases_are_readable() -> None:
    assert "ours (abcdef)" in printed(side_by_side([check(), check()]))
    verdicts = [{"choices": ["first", "second"], "verdict": "tie", "outcome": "scored", "score": 0.5, "reason": "So."}]
    text = printed(cases_table([{"id": "t-1", "question": "1\n+ 1?", "right": "first", "verdicts": verdicts}]))
    assert "first then second" in text
    assert "1 + 1?" in text


def test_tables_are_readable_in_80_columns() -> None:
    judge = {"provider_name": "My Ollama", "model": "qwen3:8b"}
    text = printed(side_by_side([check(judge=judge)]), width=80)
    for whole in ("My Ollama/qwen3:8b", "ours (abcdef)", "0193a000-0000", "injection", "87.5%", "$0.005"):
        assert whole in text
    lines = printed(report(check()), width=80).splitlines()
    assert any("pairs, each order by itself" in line and "guessing: 50%" in line for line in lines)
    assert any("Chose the longer text" in line and "fair: 50.0%" in line for line in lines)


def test_one_case_is_not_plural() -> None:
    text = printed(report(check(set={**check()["set"], "cases": 1}, repeats=1)))
    assert "1 case, judged 1 time" in text
    assert "times" not in text


def test_exit_codes_name_the_reason() -> None:
    assert exit_code(check(), None) == (ExitCode.OK, None)
    assert exit_code(check(), 0.8) == (ExitCode.OK, None)
    assert exit_code(check(), 0.9)[0] == ExitCode.MISSED
    assert exit_code(check(status="PAUSED", status_reason="the budget is spent"), None)[0] == ExitCode.FAILED
    assert exit_code(check(figures={"outcomes": {"scored": 200, "unparsed": 40}}), None)[0] == ExitCode.LOW_COVERAGE
    assert exit_code(check(figures={"accuracy": NO_RATE}), 0.5)[0] == ExitCode.MISSED
