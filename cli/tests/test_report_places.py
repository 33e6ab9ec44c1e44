"""Test the paths of report files and the API queries for their contents."""

from pathlib import Path
from typing import Any

import pytest

from llmbench_cli.errors import CommandFailed
from llmbench_cli.runs.reports import ReportFormat, planned

RUN: dict[str, Any] = {
    "id": "r",
    "name": "..",
    "created_at": "2026-11-21T19:14:05.000Z",
    "started_at": "2026-11-21T22:14:05.123+02:00",
    "targets": [{"id": "1", "label": "a/b"}, {"id": "2", "label": "a:b"}],
}


def test_report_path_has_the_start_in_utc_and_a_safe_file_name() -> None:
    (record,) = planned(RUN, ReportFormat.BENCHMARK_RECORD, Path("x"))
    assert record.path == Path("x/data/benchmarks/2026-11-21_20-14-05/run.jsonl")
    (rag,) = planned(RUN | {"started_at": None}, ReportFormat.RAG_RUN, Path("x"), target="a:b")
    assert (rag.path, rag.query) == (Path("x/outputs/llm_eval/runs/r.json"), {"target_id": "2"})


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("con", "run-con"),
        ("NUL.", "run-NUL"),
        ("Aux.v2", "run-Aux.v2"),
        ("COM1", "run-COM1"),
        ("lpt9." + "x" * 80, "run-lpt9." + "x" * 71),
        ("console", "console"),
        ("COM10", "COM10"),
        ("con-1", "con-1"),
    ],
)
def test_name_that_windows_reserves_is_no_file_name(name: str, file: str) -> None:
    (record,) = planned(RUN | {"name": name}, ReportFormat.BENCHMARK_RECORD, Path())
    assert record.path.name == f"{file}.jsonl"


def test_report_of_single_targets_is_one_file_per_target() -> None:
    both = planned(RUN, ReportFormat.REGRESSION_REPORT, Path())
    assert [(file.path.name, file.query["target_id"]) for file in both] == [
        ("benchmark_2026-11-21_20-14-05_a-b.json", "1"),
        ("benchmark_2026-11-21_20-14-05_a-b-2.json", "2"),
    ]
    (only,) = planned(RUN | {"targets": RUN["targets"][:1]}, ReportFormat.REGRESSION_REPORT, Path())
    assert only.path == Path("results/benchmark_2026-11-21_20-14-05.json")
    with pytest.raises(CommandFailed, match="no target 'c'; there is 'a/b', 'a:b'"):
        planned(RUN, ReportFormat.REGRESSION_REPORT, Path(), target="c")
