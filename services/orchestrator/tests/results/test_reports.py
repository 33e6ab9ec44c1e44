"""Test the values in reports without a server, and that reports of a large run need little memory."""

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import pyarrow.parquet

from llmbench.contracts.case import Case
from llmbench.contracts.chat import ChatMessage
from llmbench.contracts.run_words import ScoreStatus
from orchestrator.results.domain.benchmark_summary import BenchmarkSummary, Metric
from orchestrator.results.exports.base import formats
from orchestrator.results.exports.rag_run import METRICS, ground_truth
from orchestrator.results.exports.samples import LINES, RUBRIC, RUN, Given
from orchestrator.results.ports.queries import ExportLine, ExportScore

ANSWERED, FAILED = LINES


def score(kind: str, name: str, value: float | None, **details: Any) -> ExportScore:
    return ExportScore(
        evaluator=name,
        evaluator_revision_id=UUID(int=7),
        judge_model=None,
        primary=True,
        whole=True,
        status=ScoreStatus.FAILED if value is None else ScoreStatus.SCORED,
        outcome="unparsed" if value is None else "scored",
        raw=value,
        normalised=value,
        passed=None if value is None else value >= 0.5,
        reason=None,
        error="no JSON" if value is None else None,
        kind=kind,
        details=details,
    )


async def written(format_: str, lines: Iterable[ExportLine], *kinds: str) -> Any:
    evaluators = [RUBRIC.model_copy(update={"name": kind, "kind": kind}) for kind in kinds]
    run = RUN.model_copy(update={"evaluators": evaluators or RUN.evaluators})
    made = b"".join([chunk async for chunk in formats()[format_].write(run, Given(lines))]).decode()
    return json.loads(made)


async def test_accuracy_is_the_fuzzy_match_and_citations_are_counted_where_expected() -> None:
    def line(value: float | None, status: str, time_ms: int, *, cached: bool = False) -> ExportLine:
        found = [{"document": "a.md", "section": ""}] if status == "PRESENT" else []
        fuzzy = score("fuzzy_match", "alike", value, **({} if value is None else {"threshold": 0.8}))
        citations = score("citations", "cites", 1.0, status=status, citations_found=found)
        figures = ANSWERED.item.figures.model_copy(update={"time_ms": time_ms, "cached": cached})
        return replace(ANSWERED, item=replace(ANSWERED.item, figures=figures), scores=[fuzzy, citations])

    lines = [
        line(None, "MISSING", 100),
        line(0.9, "PRESENT", 200),
        line(0.4, "INVALID", 300),
        line(0.9, "PRESENT", 9_000, cached=True),
        FAILED,
    ]
    report = await written("regression-report", lines, "fuzzy_match", "citations")
    assert [result["accuracy_status"] for result in report["results"]] == ["ERROR", "PASS", "FAIL", "PASS", "ERROR"]
    assert [result["citation_status"] for result in report["results"]] == [
        "MISSING",
        "PRESENT",
        "INVALID",
        "PRESENT",
        None,
    ]
    assert report["results"][0]["error_message"] == "no JSON"
    assert report["results"][1]["citations_found"] == [{"document": "a.md", "section": ""}]
    assert report["summary"] == {
        "total_questions": 5,
        "passed_questions": 2,
        "accuracy_percentage": 40.0,
        "citation_coverage_percentage": 50.0,
    }
    assert report["performance"]["median"] == 200, "an answer from the cache was not timed"
    assert report["performance"]["std_dev"] == 100
    assert (report["config"]["fuzzy_threshold"], report["config"]["retries"]) == (0.8, 2)


async def test_score_without_a_pass_threshold_is_an_error() -> None:
    unsaid = replace(ANSWERED, item=replace(ANSWERED.item, passed=None))
    (result,) = (await written("regression-report", [unsaid], "g_eval"))["results"]
    assert (result["accuracy_status"], result["accuracy_score"]) == ("ERROR", 0.3)
    assert "pass_threshold" in result["error_message"]


async def test_rag_metrics_are_scaled_to_1_to_5_and_omitted_if_one_is_missing() -> None:
    def scores(*values: float | None) -> Sequence[ExportScore]:
        pairs = zip(METRICS, values, strict=False)
        named = [score("g_eval", f"my {name}", value, criterion=name) for name, value in pairs]
        return [*named, score("latency", "latency", 1.0)]

    turn = ANSWERED.item.case.model_copy(update={"conversation_id": "c-1", "turn": 2})
    given = ANSWERED.item.case.model_copy(
        update={"conversation": (ChatMessage(role="user", content="1?"), ChatMessage(role="assistant", content="2"))}
    )
    second, named = replace(ANSWERED.item, case=turn), {"conversation_id": "c-2", "turn": 2}
    lines = [
        replace(ANSWERED, scores=scores(1.0, 0.5, 0.75, 0.0)),
        replace(ANSWERED, item=second, scores=scores(1.0, 0.5, 0.75)),
        replace(ANSWERED, item=replace(ANSWERED.item, case=given), scores=scores(1.0, 0.5, 0.75, None)),
        replace(ANSWERED, item=replace(ANSWERED.item, case=given.model_copy(update={"metadata": named}))),
        FAILED,
    ]
    complete, partial, unparsed, by_metadata, failed = (await written("rag-run", lines, "g_eval"))["results"]
    assert complete["metrics"] == {
        "latency_ms": 412,
        "groundedness": 5,
        "relevance": 3,
        "coherence": 4,
        "fluency": 1,
    }
    assert (partial["metrics"], partial["error"]) == (None, None)
    assert (partial["conversation_id"], partial["turn_number"]) == ("c-1", 2)
    assert (unparsed["conversation_id"], unparsed["turn_number"]) == ("sum-1", 2), "after a turn that it was given"
    assert (by_metadata["conversation_id"], by_metadata["turn_number"]) == ("c-2", 2)
    assert (unparsed["metrics"], unparsed["error"]) == (None, "my fluency: no JSON")
    assert (failed["model_response"], failed["error"]) == (None, "timed_out: no answer within 60 s")


def test_ground_truth_prefers_the_expected_output() -> None:
    case = Case(id=UUID(int=1), task_id="a", category="c", question="?", good="good")
    assert ground_truth(case) == "good"
    assert ground_truth(case.model_copy(update={"expected_output": "expected"})) == "expected"


def test_summary_means_ignore_missing_values_and_best_is_the_highest_mean() -> None:
    summary = BenchmarkSummary()
    for provider, value, passed, latency_ms in (
        ("a/x", 1.0, True, 100),
        ("a/x", None, None, None),
        ("b/y", 0.5, True, 300),
        ("b/y", 0.0, False, 500),
    ):
        metrics = [Metric("quality", value, passed, None), Metric("unasked", None, None, None)]
        summary.add(provider, metrics, latency_ms=latency_ms, cost_usd=None)
    found = summary.as_document()
    assert found["provider_summaries"]["a/x"] == {
        "total_evaluations": 2,
        "avg_pass_rate": 1.0,
        "avg_latency_ms": 100,
        "total_cost": None,
        "metrics": {
            "quality": {"pass_rate": 1.0, "avg_score": 1.0},
            "unasked": {"pass_rate": None, "avg_score": None},
        },
    }
    assert found["metric_comparisons"] == {
        "quality": {"best_provider": "a/x", "worst_provider": "b/y", "spread": 0.75},
        "unasked": {"best_provider": None, "worst_provider": None, "spread": None},
    }
    assert found["overall"] == {
        "best_provider": "a/x",
        "worst_provider": "b/y",
        "avg_duration_ms": 300,
        "total_duration_ms": 900,
    }


def test_providers_that_share_the_highest_mean_are_not_the_best() -> None:
    summary = BenchmarkSummary()
    for provider, value in (("a/x", 0.9), ("b/y", 0.9), ("c/z", 0.1)):
        summary.add(provider, [Metric("quality", value, value > 0.5, None)], latency_ms=None, cost_usd=None)
    found = summary.as_document()
    for ranked in (found["metric_comparisons"]["quality"], found["overall"]):
        assert (ranked["best_provider"], ranked["worst_provider"]) == (None, "c/z")


async def test_parquet_is_written_row_group_by_row_group() -> None:
    longest = replace(ANSWERED, answer="x" * 1_000_000)
    read = 0

    def given() -> Iterator[ExportLine]:
        nonlocal read
        for read in range(1, 13):  # noqa: B007  # the number of lines requested so far
            yield longest

    chunks, places = [], []
    async for chunk in formats()["parquet"].write(RUN, Given(given())):
        chunks.append(chunk)
        places.append(read)
    assert places == [4, 8, 12, 12], "a few at a time, and the end"
    file = pyarrow.parquet.ParquetFile(io.BytesIO(b"".join(chunks)))
    assert (file.num_row_groups, file.metadata.num_rows) == (3, 12)
