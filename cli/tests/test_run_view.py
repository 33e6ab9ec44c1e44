"""Test the live view of a run that is in progress, on a terminal and without one."""

import io
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from rich.console import Console

from llmbench_cli.runs.follow import Progress
from llmbench_cli.runs.progress_view import RunView
from llmbench_cli.safe_text import safe, safe_json, safe_line

CURRENT = {"group_status": "OPEN", "model": "m", "target_label": "cool", "task_id": "sum-1", "backoff_until": None}


def _progress(
    answered: int = 0, through: int = 0, phase: str = "BENCHMARKING", cost: float = 0, **current: object
) -> Progress:
    return Progress(phase, 40, answered, through, cost, {**CURRENT, **current})


def test_progress_without_a_terminal_is_a_few_lines() -> None:
    output = io.StringIO()
    with RunView(Console(file=output, width=200)) as view:
        for answered in range(41):
            view.progress(_progress(answered, cost=0.01 * answered))
        for through in range(41):
            view.progress(_progress(40, through, "JUDGING", cost=0.5))
        view.status("PAUSED", "JUDGING", "asked for")
    lines = output.getvalue().splitlines()
    assert lines[0] == "  Answering  0/40  cool · sum-1"
    assert lines[10] == "  Answering  40/40  $0.4 · cool · sum-1"
    assert lines[11].startswith("  Judging    0/40")
    assert "paused: `llmbench resume` or the browser continues it (asked for)" in lines[-1]
    assert len(lines) == 23


def test_backoff_is_printed_once_with_its_end() -> None:
    output = io.StringIO()
    until = datetime.now(UTC) + timedelta(minutes=5)
    with RunView(Console(file=output, width=200)) as view:
        for _ in range(3):
            view.progress(_progress(1, backoff_until=until.isoformat(), backoff_reason="429 Too Many Requests"))
    assert output.getvalue().count("m: backing off until") == 1
    assert f"{until.astimezone():%H:%M:%S} (429 Too Many Requests)" in output.getvalue()


def test_line_shows_every_group_at_work_and_a_backoff_only_when_all_wait() -> None:
    until = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    second = CURRENT | {"model": "n", "target_label": "warm", "task_id": "sum-2"}
    waiting = second | {"backoff_until": until}
    output = io.StringIO()
    with RunView(Console(file=output, width=200)) as view:
        for answered, others in ((0, [second]), (4, [waiting])):
            view.progress(replace(_progress(answered), others=others))
        view.progress(replace(_progress(8, backoff_until=until), others=[waiting]))
    lines = output.getvalue().splitlines()
    assert lines[:2] == ["  Answering  0/40  cool · sum-1; warm · sum-2", "  Answering  4/40  cool · sum-1"]
    assert [line for line in lines if "m: backing off" in line and "n: backing off" in line]


def test_place_in_the_queue_is_printed_when_it_changes() -> None:
    output = io.StringIO()
    with RunView(Console(file=output, width=200)) as view:
        view.status("QUEUED", "BENCHMARKING", None)
        view.progress(Progress("BENCHMARKING", 40, 0, 0, 0, None))
        for position in (2, 2, 1):
            view.queued({"position": position, "priority": 0, "estimated_start": None})
        view.status("RUNNING", "BENCHMARKING", None)
    assert [line.strip() for line in output.getvalue().splitlines()[1:]] == [
        "number 2 in the queue; its start cannot be estimated yet",
        "number 1 in the queue; its start cannot be estimated yet",
        "The run is running.",
    ]


def test_unreachable_platform_is_printed_once() -> None:
    output = io.StringIO()
    with RunView(Console(file=output, width=200)) as view:
        view.found()
        view.lost("connection refused")
        view.lost("connection refused")
        view.found()
    assert [line.strip() for line in output.getvalue().splitlines()] == [
        "The platform does not answer (connection refused); trying until it does.",
        "The platform answers again.",
    ]


def test_progress_bars_on_a_terminal_fit_80_columns() -> None:
    output = io.StringIO()
    console = Console(file=output, width=80, force_terminal=True, color_system=None)
    with RunView(console) as view:
        view.progress(_progress(20, task_id="a-task-with-a-long-name-" * 5))
        view.progress(_progress(40, 12, "JUDGING", task_id="[red]not markup[/red] " * 5))
    shown = output.getvalue()
    assert "━" in shown
    assert "40/40" in shown
    assert "12/40" in shown


def test_control_characters_for_the_terminal_are_escaped() -> None:
    assert safe("a\x1b[2Jb\x9b1m\x07\r\nc\td") == "a\\x1b[2Jb\\x9b1m\\x07\\x0d\nc\td".replace("\\x0d", "\\r")
    assert safe("\u202ereversed\u2066 \u200f \ud800 \U000e0041") == "\\u202ereversed\\u2066 \\u200f \\ud800 \\U000e0041"
    assert safe("Größe 日本語 👩‍🔬 עברית") == "Größe 日本語 👩‍🔬 עברית"
    assert safe_line("a\n\n b" * 3, most=6) == "a ba b"[:5] + "…"
    assert safe_json({"a": ["\x1b", 1, None]}) == {"a": ["\\x1b", 1, None]}
    assert safe_json([{"\x1b[2J\n": {"\u202e": 1}}]) == [{"\\x1b[2J": {"\\u202e": 1}}]
