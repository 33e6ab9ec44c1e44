"""Test `llmbench sql`: the view's columns, the printed rows, and forbidden queries."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from llmbench_cli import rows
from llmbench_cli.benchmark_view import ask, opened
from llmbench_cli.errors import CommandFailed

IDENTITY = {"benchmark_id": "bench_20261121_201405_abc123", "timestamp": "2026-11-21T20:14:05.000Z"}
COLUMNS = [
    *("ts", "suite", "type", "benchmark_id", "benchmark_timestamp", "provider", "model", "sample_tag"),
    *("avg_score", "pass_rate", "data"),
]


def result(tag: str, avg_score: float | None) -> dict[str, Any]:
    return {
        "provider_config": {"provider": "Mock", "model": "small", "model_params": {}},
        "sample": {"tag": tag, "output": {"content": "=1+1"}},
        "summary": {"avg_score": avg_score, "pass_rate": 1.0},
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder with one benchmark record. The folder's name has characters with a meaning in a glob pattern."""
    folder = tmp_path / "it's [a] d*ta"
    file = folder / "benchmarks" / "2026-11-21_20-14-05" / "nightly.jsonl"
    file.parent.mkdir(parents=True)
    records = [
        {"type": "metadata", "data": {**IDENTITY, "suite_name": "nightly"}},
        {"type": "result", "data": result("a", 0.5)},
        {"type": "result", "data": result("b", 0.00001)},
        {"type": "result", "data": result("c", None)},
        {"type": "summary", "data": {**IDENTITY, "overall": {"best_provider": None}}},
    ]
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    (tmp_path / "secret.json").write_text('{"key": "hidden"}')
    return folder


def query_records(data: Path, query: str) -> list[dict[str, Any]]:
    with opened(data) as connection:
        ask(connection, query)
        found: list[dict[str, Any]] = json.loads("".join(rows.as_json(connection)))
        return found


def test_view_has_every_documented_column(data: Path) -> None:
    found = query_records(data, "SELECT * FROM benchmarks ORDER BY sample_tag NULLS FIRST, type")
    assert [list(row) for row in found] == [COLUMNS] * 5
    assert found[2] == {
        "ts": "2026-11-21_20-14-05",
        "suite": "nightly",
        "type": "result",
        "benchmark_id": IDENTITY["benchmark_id"],
        "benchmark_timestamp": IDENTITY["timestamp"],
        "provider": "Mock",
        "model": "small",
        "sample_tag": "a",
        "avg_score": 0.5,
        "pass_rate": 1.0,
        "data": result("a", 0.5),
    }
    assert {row["benchmark_id"] for row in found} == {IDENTITY["benchmark_id"]}


def test_metrics_are_stored_as_numbers(data: Path) -> None:
    """Metrics are stored as numbers: sorted as texts, 0.5 would come before 1e-05."""
    found = query_records(data, "SELECT sample_tag FROM benchmarks WHERE avg_score IS NOT NULL ORDER BY avg_score")
    assert [row["sample_tag"] for row in found] == ["b", "a"]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_json('../secret.json')",
        "SELECT * FROM read_json('benchmarks/../../secret.json')",
        "SELECT * FROM read_text('benchmarks/*/../../../*.json')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_csv('http://127.0.0.1:1/x.csv')",
        "SELECT * FROM '../secret.json'",
        "SELECT * FROM glob('/*')",
        "COPY (SELECT 1) TO 'benchmarks/new.csv'",
        "COPY (SELECT 1) TO '/tmp/new.csv'",
        "ATTACH 'benchmarks/new.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "CREATE TABLE t AS SELECT 1",
        "DROP VIEW benchmarks",
        "PRAGMA database_list",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO 'benchmarks/new.csv'",
        "SELECT 1; SELECT 2",
        "",
        "SELEC 1",
        "SELECT nothing FROM benchmarks",
        "SELECT CAST(type AS INTEGER) FROM benchmarks",
        "SELECT 1 AS a, 2 AS a",
    ],
)
def test_query_that_does_more_than_read_the_records_is_refused(data: Path, query: str) -> None:
    before = sorted(data.rglob("*"))
    with pytest.raises(CommandFailed):
        query_records(data, query)
    assert sorted(data.rglob("*")) == before


def test_rows_are_printed_as_a_table_and_as_csv(data: Path) -> None:
    query = "SELECT sample_tag AS tag, data->'sample'->'output'->>'content' AS answer, avg_score FROM benchmarks"
    with opened(data) as connection:
        ask(connection, f"{query} WHERE sample_tag = 'c'")
        (heading, row) = csv.reader(io.StringIO("".join(rows.as_csv(connection))))
        assert (heading, row) == (["tag", "answer", "avg_score"], ["c", "'=1+1", ""])
        ask(connection, f"{query} WHERE type = 'result' ORDER BY tag")
        page = Console(width=80, record=True, file=io.StringIO())
        page.print(rows.as_table(connection))
        lines = page.export_text().splitlines()
        assert lines[0].split() == ["tag", "answer", "avg_score"]
        assert lines[-1].split() == ["c", "=1+1", "-"]
        ask(connection, "SELECT 'x\x1b[2J' || repeat('y', 500) AS long FROM range(600)")
        page.print(rows.as_table(connection))
        text = page.export_text()
        assert "\x1b" not in text
        assert "The first 500 rows" in text


def test_missing_records_are_reported_with_the_command_that_writes_them(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match="`llmbench report RUN` writes one"), opened(tmp_path):
        pass


def test_averages_are_shown_without_float_noise(data: Path) -> None:
    """A sum of 0.30000000000000004 is shown as 0.3. A small number, such as a price per token, keeps its digits."""
    query = """SELECT 0.1::DOUBLE + 0.2 AS sum, [0.1::DOUBLE + 0.2] AS list, {'mean': 0.1::DOUBLE * 3} AS record,
               1.5e-7::DOUBLE AS price, 0.1::DOUBLE + 0.2 - 0.3 AS noise, 1763856000123.0::DOUBLE AS moment"""
    with opened(data) as connection:
        ask(connection, query)
        (row,) = json.loads("".join(rows.as_json(connection)))
    assert row == {
        "sum": 0.3,
        "list": [0.3],
        "record": {"mean": 0.3},
        "price": 1.5e-07,
        "noise": 0.0,
        "moment": 1763856000123.0,
    }
