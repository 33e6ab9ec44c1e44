"""Write the report that the specification "The regression suite" defines (see docs/requirements.md): each question's
accuracy, citations and latency, then the summary.

Accuracy is the fuzzy match's score if the run has one, else the overall score. Unmeasured values are null: citations in
a run that does not check them, and percentages with a denominator of 0.

A refused or malformed answer is a FAIL with a score of 0. Any other item without an answer or a verdict is an ERROR.
The format requires numbers for score and latency, so an unknown score or latency is 0; such a zero enters no mean. The
latency of a cached answer enters no mean either. The summary comes last, because it is computed while the results are
streamed.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

from llmbench.contracts.base import rfc3339
from orchestrator.kernel.domain.overall import deciding_scores, failed_by_itself
from orchestrator.results.domain.latencies import Latencies
from orchestrator.results.exports.base import ExportFormat
from orchestrator.results.exports.record import chunked, failure_text, of_epoch, to_json
from orchestrator.results.ports.queries import ExportLine, ExportScore, ExportSource
from orchestrator.results.ports.schemas import RunSummary

_ACCURACY: Final = "fuzzy_match"
_CITATIONS: Final = "citations"
_PRESENT: Final = "PRESENT"


@dataclass
class _Counts:
    questions: int = 0
    passed: int = 0
    looked_for_citations: int = 0
    cited: int = 0


async def write(run: RunSummary, source: ExportSource) -> AsyncIterator[bytes]:
    async def parts() -> AsyncIterator[str]:
        counts, latencies = _Counts(), Latencies()
        api_url, config = "", _config(run)
        yield f'{{"timestamp":{to_json(rfc3339(run.started_at or run.created_at))},"results":['
        separator = "\n"
        async for line in source.lines():
            result = _result(run, line)
            api_url = api_url or line.url
            config |= _of_target(line, config)
            counts.questions += 1
            counts.passed += result["accuracy_status"] == "PASS"
            counts.looked_for_citations += result["citation_status"] is not None
            counts.cited += result["citation_status"] == _PRESENT
            call = line.item.figures
            if call.time_ms is not None and not call.cached:
                latencies.add(call.time_ms)
            yield separator + to_json(result)
            separator = ",\n"
        figures = {"summary": _summary(counts), "performance": latencies.figures()}
        rest = {"api_url": api_url, **figures, "config": config}
        yield f"\n],{to_json(rest)[1:]}\n"

    async for chunk in chunked(parts()):
        yield chunk


def _summary(counts: _Counts) -> dict[str, Any]:
    return {
        "total_questions": counts.questions,
        "passed_questions": counts.passed,
        "accuracy_percentage": _percentage(counts.passed, counts.questions),
        "citation_coverage_percentage": _percentage(counts.cited, counts.looked_for_citations),
    }


def _percentage(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def _result(run: RunSummary, line: ExportLine) -> dict[str, Any]:
    item = line.item
    deciding = {score.kind: score for score in reversed(deciding_scores(line.scores))}
    citations = deciding.get(_CITATIONS)
    details = citations.details if citations else {}
    return {
        "question_id": of_epoch(item.case.task_id, line),
        "question_text": item.case.question,
        "llm_response": line.answer or "",
        "citations_found": details.get("citations_found", []),
        **_accuracy(run, line, deciding.get(_ACCURACY)),
        "citation_status": details.get("status"),
        "latency_ms": item.figures.time_ms or 0,
        "timestamp": rfc3339(line.finished_at or item.completed_at or run.started_at or run.created_at),
    }


def _accuracy(run: RunSummary, line: ExportLine, fuzzy: ExportScore | None) -> dict[str, Any]:
    item = line.item
    by_fuzzy_match = any(evaluator.kind == _ACCURACY for evaluator in run.evaluators)
    if by_fuzzy_match:
        score, passed = (fuzzy.normalised, fuzzy.passed) if fuzzy else (None, None)
        lacking = fuzzy.error if fuzzy else None
    else:
        score, passed, lacking = item.score_normalised, item.passed, None
    if score is not None and passed is not None:
        return {
            "accuracy_status": "PASS" if passed else "FAIL",
            "accuracy_score": score,
            "error_message": None,
        }
    if item.failure is not None:
        lacking = lacking or failure_text(line)
        if failed_by_itself(item.failure):
            return {"accuracy_status": "FAIL", "accuracy_score": 0.0, "error_message": lacking}
    elif score is not None:
        lacking = "its evaluators give no verdict: one of them needs a pass_threshold"
    return {
        "accuracy_status": "ERROR",
        "accuracy_score": 0.0 if score is None else score,
        "error_message": lacking or f"no score yet: the item is {item.status.value}",
    }


def _config(run: RunSummary) -> dict[str, Any]:
    """Return the settings that influence the results. The settings of the target are null; `_of_target` returns
    them."""
    fuzzy = next((evaluator for evaluator in run.evaluators if evaluator.kind == _ACCURACY), None)
    return {
        "run_id": str(run.id),
        "accuracy_of": fuzzy.name if fuzzy else "overall score",
        "fuzzy_threshold": fuzzy.pass_threshold if fuzzy else None,
        "target": None,
        "model": None,
        "timeout": None,
        "retries": None,
    }


def _of_target(line: ExportLine, config: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that depend on the target. The threshold of the evaluator `fuzzy_match` is that of the run;
    if the run sets none, it is read from the score."""
    item = line.item
    threshold = next((score.details.get("threshold") for score in line.scores if score.kind == _ACCURACY), None)
    return {
        "fuzzy_threshold": threshold if config["fuzzy_threshold"] is None else config["fuzzy_threshold"],
        "target": item.target_label,
        "model": item.model,
        "timeout": item.timeout_s,
        "retries": item.max_attempts - 1,
    }


FORMAT = ExportFormat(
    name="regression-report",
    title="Regression report",
    description="Accuracy, citation coverage and latency percentiles of one target.",
    media_type="application/json",
    extension="json",
    write=write,
    json_schema="regression-report",
    one_target=True,
)
