"""Test docs/requirements.md: every requirement and endpoint has a row, and every row names tests that exist."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from llmbench_cli.embedded.binaries import checkout

ROOT = checkout()
PAGE = ROOT / "docs" / "requirements.md"
OPENAPI = ROOT / "web" / "openapi" / "llmbench.json"
NOT_BUILT = "not built"

PLATFORM = (
    *(f"FR-{number:02}" for number in (*range(1, 6), *range(10, 22), *range(30, 35))),
    *(f"NFR-{number:02}" for number in range(1, 6)),
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
)
EVALUATION_SERVICE = (
    "POST /v1/evaluations",
    "GET /v1/evaluations/{evaluation_id}",
    "POST /v1/evaluations/batch",
    "GET /v1/evaluations/batch/{job_id}",
    "GET /v1/evaluations",
    "POST /v1/datasets",
    "POST /v1/datasets/{dataset_id}/versions",
    "GET /v1/datasets/{dataset_id}/versions/{version_number}",
    "GET /v1/datasets/{dataset_id}/versions/{version_number}/cases",
    "POST /v1/datasets/{dataset_id}/versions/{version_number}/sample",
    "POST /v1/experiments",
    "POST /v1/experiments/{experiment_id}/start",
    "GET /v1/experiments/{experiment_id}/results",
    "POST /v1/experiments/{experiment_id}/conclude",
    "POST /v1/annotations/tasks",
    "GET /v1/annotations/tasks/{task_id}/next",
    "POST /v1/annotations/tasks/{task_id}/items/{item_id}",
    "GET /v1/annotations/tasks/{task_id}/progress",
    "POST /v1/annotations/tasks/{task_id}/export",
    "GET /v1/benchmarks/suites",
    "POST /v1/benchmarks/runs",
    "GET /v1/benchmarks/runs/{run_id}",
    "POST /v1/benchmarks/compare",
    *("Organization", "Dataset", "DatasetVersion", "TestCase", "GroundTruth", "EvaluationRun", "EvaluationResult"),
    *("Experiment", "Variant", "AnnotationTask", "HumanAnnotation", "Annotator", "BenchmarkSuite", "BenchmarkTask"),
    *("G-Eval", "Krippendorff's alpha", "A/B significance", "DAG scheduling"),
    *("BLEU", "ROUGE-L", "BERTScore", "Semantic similarity"),
    *("ClickHouse `evaluation_results`", "ClickHouse `evaluation_run_stats`", "ClickHouse `daily_org_stats`"),
)
FILES = (
    *("Metadata record", "Result record", "Summary record", "View `benchmarks`"),
    *("BenchmarkQuestion", "GroundTruthDataset", "TestResult", "BenchmarkReport", "CitationReference"),
    *("LLMModel", "EvalSettings", "LLMEvalConfig", "GroundingDocument", "ConversationTurn", "Conversation"),
    *("QuestionDataset", "RAGMetrics", "EvaluationResult of the tool", "EvaluationRun of the tool", "RunStatus"),
)
REQUIRED = (*PLATFORM, *EVALUATION_SERVICE, *FILES)

ROW = re.compile(r"^\| ([^|]+?) \| [^|]+ \| (.+) \|$", re.MULTILINE)
ROUTE = re.compile(r"`((?:GET|POST|PUT|PATCH|DELETE) /[^`\s]+)`")
BROWSER_TEST = re.compile(r"`([\w.-]+\.(?:spec|test)\.tsx?)::([^`]+)`")
PYTHON_TEST = re.compile(r"`(test_\w+)`")
LINK = re.compile(r"\]\(")
SKIPPED = frozenset({"node_modules", "dist", ".venv"})


@cache
def rows() -> dict[str, str]:
    """Return the table rows of docs/requirements.md: the last cell of each row by its first cell."""
    page = PAGE.read_text("utf-8")
    cells = [
        (name.strip("`") if " `" not in name else name, here)
        for name, here in ROW.findall(page)
        if name not in {"requirement", "endpoint"}
    ]
    assert len(dict(cells)) == len(cells), "a row is there twice"
    return dict(cells)


@cache
def routes() -> frozenset[str]:
    """Return every route of the OpenAPI document as "METHOD path", without the names of path parameters."""
    paths = json.loads(OPENAPI.read_text("utf-8"))["paths"]
    return frozenset(unnamed(f"{method.upper()} {path}") for path, methods in paths.items() for method in methods)


def unnamed(route: str) -> str:
    return re.sub(r"\{[^}]+\}", "{}", route)


def test_every_requirement_has_a_row() -> None:
    assert set(REQUIRED) <= set(rows())


def test_every_row_names_an_implementation_or_says_not_built() -> None:
    silent = [
        name
        for name, here in rows().items()
        if not any((here.startswith(NOT_BUILT), ROUTE.search(here), PYTHON_TEST.search(here), LINK.search(here)))
        and not BROWSER_TEST.search(here)
    ]
    assert not silent


@pytest.mark.parametrize("row", PLATFORM)
def test_every_platform_requirement_has_a_test(row: str) -> None:
    assert PYTHON_TEST.search(rows()[row]) or BROWSER_TEST.search(rows()[row]), f"no test shows {row}"


def test_mentioned_routes_exist() -> None:
    named = {route for here in rows().values() for route in ROUTE.findall(here)}
    assert not {route for route in named if unnamed(route) not in routes()}


def test_endpoints_exist_unless_marked_as_not_built() -> None:
    endpoints = [(name, here) for name, here in rows().items() if ROUTE.fullmatch(f"`{name}`")]
    wrong = [name for name, here in endpoints if (unnamed(name) in routes()) == here.startswith(NOT_BUILT)]
    assert not wrong


@pytest.mark.parametrize(("file", "name"), sorted(set(BROWSER_TEST.findall(PAGE.read_text("utf-8")))))
def test_mentioned_browser_tests_exist(file: str, name: str) -> None:
    texts = [path.read_text("utf-8") for path in web_files() if path.name == file]
    assert any(f"{call}({quote}{name}" in text for text in texts for call in ("test", "it") for quote in "\"'`")


@cache
def web_files() -> list[Path]:
    return list(walked(ROOT / "web"))


def walked(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir() and path.name not in SKIPPED:
            yield from walked(path)
        elif path.name.endswith((".ts", ".tsx")):
            yield path
