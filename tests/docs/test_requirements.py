"""docs/requirements.md: every requirement and endpoint has its row, and every row tests that exist."""

import re
from functools import cache

import pytest

from llmbench_cli.embedded.binaries import checkout

ROOT = checkout()
PAGE = ROOT / "docs" / "requirements.md"

REQUIREMENTS = (
    *(f"FR-{number:02}" for number in (*range(1, 6), *range(10, 22), *range(30, 35))),
    *(f"NFR-{number:02}" for number in range(1, 6)),
)
ENDPOINTS = (
    "GET /api/providers",
    "POST /api/providers",
    "PUT /api/providers/{id}",
    "DELETE /api/providers/{id}",
    "GET /api/providers/{id}/models",
    "GET /api/tasks",
    "POST /api/tasks",
    "PUT /api/tasks/{id}",
    "DELETE /api/tasks/{id}",
    "GET /api/collections",
    "POST /api/collections",
    "PUT /api/collections/{id}",
    "DELETE /api/collections/{id}",
    "PATCH /api/collections/{id}/tasks",
    "GET /api/runs",
    "POST /api/runs",
    "GET /api/runs/{id}",
    "POST /api/runs/{id}/pause",
    "POST /api/runs/{id}/resume",
    "POST /api/runs/{id}/retry-judging",
    "DELETE /api/runs/{id}",
    "GET /api/runs/{id}/export",
    "POST /v1/benchmarks/compare",
    "POST /v1/evaluations",
    "GET /v1/evaluations",
    "GET /v1/evaluations/{evaluation_id}",
    "POST /v1/evaluations/batch",
    "GET /v1/evaluations/batch/{job_id}",
    "POST /v1/datasets",
    "POST /v1/datasets/{dataset_id}/versions",
    "GET /v1/datasets/{dataset_id}/versions/{version_number}",
    "GET /v1/datasets/{dataset_id}/versions/{version_number}/cases",
    "POST /v1/datasets/{dataset_id}/versions/{version_number}/sample",
)
ROW = re.compile(r"^\| `?((?:N?FR-\d\d)|(?:[A-Z]+ /(?:api|v1)/[^`|]+?))`? \| [^|]+ \|(.*)\|$", re.MULTILINE)
SHOWN_BY = re.compile(r"`([^`]+?)::([^`]+)`")


@cache
def rows() -> dict[str, list[tuple[str, str]]]:
    """Requirement → (file, name) of its tests."""
    return {row: SHOWN_BY.findall(cell) for row, cell in ROW.findall(PAGE.read_text("utf-8"))}


def test_every_requirement_has_its_row() -> None:
    assert tuple(rows()) == (*REQUIREMENTS, *ENDPOINTS)


@pytest.mark.parametrize("row", [*REQUIREMENTS, *ENDPOINTS])
def test_a_requirement_is_shown_by_tests_that_exist(row: str) -> None:
    tests = rows()[row]
    assert tests, f"no test shows {row}"
    for file, name in tests:
        assert _exists(file, name), f"{file}::{name}"


@pytest.mark.parametrize(("file", "name"), SHOWN_BY.findall(PAGE.read_text("utf-8")))
def test_whatever_the_page_names_exists(file: str, name: str) -> None:
    assert _exists(file, name)


def test_what_does_not_exist_is_noticed() -> None:
    file, name = rows()["FR-01"][0]
    assert not _exists(file, f"{name}_or_not")
    assert not _exists(f"{file}.old", name)


def _exists(file: str, name: str) -> bool:
    path = ROOT / file
    if not path.is_file():
        return False
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return re.search(rf"^\s*(?:async )?def {re.escape(name)}\(", text, re.MULTILINE) is not None
    return any(f"test({quote}{name}" in text or f"it({quote}{name}" in text for quote in "\"'`")
