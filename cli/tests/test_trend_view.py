"""Test the tables of `llmbench trends`: rows of equal widths, and a line wherever scores are not comparable."""

from typing import Any

from rich.console import Console, Group

from llmbench_cli import trend_view

INTERVAL = {"low": 0.4, "high": 0.9}


def point(number: int, *breaks: str, **more: Any) -> dict[str, Any]:
    return {
        "run_id": f"0193a000-000{number}-7000-8000-000000000001",
        "at": f"2026-01-0{number}T12:00:00.000Z",
        "items": 40,
        "scored": 38,
        "mean_score": 0.5 + number / 10,
        "mean_score_interval": INTERVAL,
        "pass_rate": None,
        "pass_rate_interval": None,
        "priced": 40,
        "cost_usd": 0.4,
        "mean_time_ms": 1200,
        "mean_tokens_per_second": 30,
        "breaks": list(breaks),
        "completeness": None,
    } | more


def printed(found: dict[str, Any], *, width: int = 120) -> list[str]:
    console = Console(width=width, no_color=True)
    with console.capture() as capture:
        console.print(Group(*trend_view.series(found)))
    return [line.rstrip() for line in capture.get().splitlines() if line.strip()]


def trend(*points: dict[str, Any], **more: Any) -> dict[str, Any]:
    series = [{"label": "model-a", "points": list(points)}] if points else []
    return {"name": "Nightly", "runs": len(points), "more": False, "series": series} | more


def test_break_is_a_line_between_the_runs_that_are_not_comparable() -> None:
    lines = printed(trend(point(1), point(2), point(3, "judge", "cases"), point(4, mean_score=None)))
    assert lines[0] == "model-a (95 % intervals)"
    kinds = [line.split()[0] for line in lines[3:]]
    assert kinds == ["0193a000-0001", "0193a000-0002", "──", "0193a000-0003", "0193a000-0004"]
    assert lines[5] == "── another judge, other cases or dataset versions: not comparable"
    assert "60% [40, 90]" in lines[3]
    assert "$0.01" in lines[3]
    times = {line.index("1.2 s") for line in lines if "1.2 s" in line}
    assert len(times) == 1, "the columns of all parts are in line"


def test_rows_stay_in_line_in_a_narrow_terminal() -> None:
    lines = printed(trend(point(1), point(2, "prompt"), point(3)), width=80)
    assert max(map(len, lines)) <= 80
    assert sum("0193a000" in line for line in lines) == 3


def test_notes_name_incomplete_scores_and_what_is_left_out() -> None:
    half = "The score covers 1 of 2 tasks."
    incomplete = trend(point(1), point(2, completeness=half), more=True)
    assert trend_view.notes(incomplete, is_suite=True) == [
        "* model-a: The score covers 1 of 2 tasks.",
        "only the newest 2 runs are shown; --limit shows more",
    ]
    assert any(line.count("*") == 1 for line in printed(incomplete))
    twice = trend(point(1, completeness=half), point(2, completeness=half))
    assert trend_view.notes(twice, is_suite=True) == ["* model-a, 2 runs: The score covers 1 of 2 tasks."]
    (empty,) = trend_view.notes(trend(), is_suite=True)
    assert empty.startswith("no finished run has the suite 'Nightly'")


def test_every_break_of_the_api_has_words() -> None:
    from orchestrator.results.domain.trend import Break

    assert set(trend_view.BREAKS) == {each.value for each in Break}
