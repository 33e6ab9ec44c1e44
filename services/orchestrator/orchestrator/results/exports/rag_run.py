"""Write a run in the format "RAG evaluation tool" (docs/requirements.md): one result per model, conversation and turn.

The format has four metrics on a scale of 1…5. The value of a metric is the score of the evaluator with the metric's
name, or of G-Eval with that criterion. The format requires all four and the latency; if one is missing, `metrics` is
null.

The conversation id comes from the case, else from `conversation_id` in its metadata. A case without a conversation id
is a separate conversation. If a turn has no number, the number is derived from the earlier turns in the case's input.
"""

from collections.abc import AsyncIterator
from typing import Any, Final

from llmbench.contracts.base import rfc3339
from llmbench.contracts.case import Case
from llmbench.contracts.run_words import RunOutcome, RunStatus
from orchestrator.kernel.domain.overall import deciding_scores
from orchestrator.results.exports.base import ExportFormat
from orchestrator.results.exports.record import chunked, failure_text, of_epoch, to_json
from orchestrator.results.ports.queries import ExportLine, ExportScore, ExportSource
from orchestrator.results.ports.schemas import RunSummary

METRICS: Final = ("groundedness", "relevance", "coherence", "fluency")
_STATUS: Final = {
    RunStatus.QUEUED: "pending",
    RunStatus.PENDING: "pending",
    RunStatus.RUNNING: "running",
    RunStatus.PAUSING: "running",
    RunStatus.PAUSED: "running",
    RunStatus.CANCELLED: "failed",
}
_OUTCOME: Final = {
    RunOutcome.COMPLETE: "completed",
    RunOutcome.PARTIAL: "partial",
    RunOutcome.FAILED: "failed",
}


async def write(run: RunSummary, source: ExportSource) -> AsyncIterator[bytes]:
    async def parts() -> AsyncIterator[str]:
        sources = [version.version_id for version in run.dataset_versions] + [
            collection.id for collection in run.collections
        ]
        head = {
            "run_id": str(run.id),
            "dataset_id": ",".join(map(str, sources)),
            "model_names": [target.label for target in run.targets],
            "status": _OUTCOME[run.outcome] if run.outcome else _STATUS[run.status],
            "started_at": rfc3339(run.started_at or run.created_at),
            "completed_at": rfc3339(run.finished_at) if run.finished_at else None,
        }
        yield f'{to_json(head)[:-1]},"results":['
        separator = "\n"
        async for line in source.lines():
            yield separator + to_json(_result(line))
            separator = ",\n"
        yield "\n]}\n"

    async for chunk in chunked(parts()):
        yield chunk


def _result(line: ExportLine) -> dict[str, Any]:
    item = line.item
    conversation, turn = _place(item.case)
    scores = {_metric(score): score for score in reversed(deciding_scores(line.scores))}
    unscored = [score for name in METRICS if (score := scores.get(name)) and score.normalised is None]
    error = failure_text(line)
    if unscored and error is None:
        error = f"{unscored[0].evaluator}: {unscored[0].error or unscored[0].status.value}"
    return {
        "model_name": item.target_label,
        "conversation_id": of_epoch(conversation, line),
        "turn_number": turn,
        "question": item.case.question,
        "ground_truth": ground_truth(item.case),
        "model_response": line.answer,
        "metrics": _metrics(line, scores),
        "error": error,
    }


def _metrics(line: ExportLine, scores: dict[str, ExportScore]) -> dict[str, float] | None:
    scores_of_metrics = {
        name: round(1 + 4 * value, 9) for name in METRICS if (value := _normalised(scores.get(name))) is not None
    }
    if len(scores_of_metrics) < len(METRICS) or line.item.figures.time_ms is None:
        return None
    return {"latency_ms": line.item.figures.time_ms, **scores_of_metrics}


def _normalised(score: ExportScore | None) -> float | None:
    return score.normalised if score else None


def _metric(score: ExportScore) -> str:
    return str(score.details.get("criterion", score.evaluator)).strip().casefold()


def _place(case: Case) -> tuple[str, int]:
    """Return the conversation and the turn number. If the case has no turn number, count the turns in its input."""
    before = sum(message.role == "user" for message in case.conversation)
    named = case.metadata.get("conversation_id")
    conversation = named if isinstance(named, str) and named.strip() else case.task_id
    return case.conversation_id or conversation, case.turn or before + 1


def ground_truth(case: Case) -> str:
    """Return the expected answer of the case: the best of its references, or an empty text if it has none."""
    known = case.ground_truth.answer if case.ground_truth else None
    return known or case.expected_output or case.excellent or case.good or case.pass_ or ""


FORMAT = ExportFormat(
    name="rag-run",
    title="RAG run",
    description="One result per model, conversation and turn, with the metrics of a RAG evaluation.",
    media_type="application/json",
    extension="json",
    write=write,
    json_schema="rag-run",
)
