"""Write CSV (RFC 4180, UTF-8): one line per item. The first columns are the same for every run. The columns of
the run's evaluators follow.

Model output is untrusted: a cell that a spreadsheet would run as a formula gets a leading quote.
"""

import csv
import io
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Final

from llmbench.contracts.outcome import FIGURES
from llmbench.files.formulas import neutralise, neutralised
from orchestrator.kernel.domain.overall import deciding_scores
from orchestrator.results.exports.base import CHUNK_BYTES, ExportFormat
from orchestrator.results.ports.queries import ExportSource, PlainScore
from orchestrator.results.ports.schemas import RunSummary

_FIRST: Final = {
    "item_id": "id",
    "task_id": "task_id",
    "category": "category",
    "subcategory": "subcategory",
    "target": "target_label",
    "model": "model",
    "epoch": "epoch",
    "status": "status",
    "question": "question",
    "answer": "answer",
    "score": "score",
    "score_normalised": "score_normalised",
    "passed": "passed",
    "reason": "reason",
    "error_phase": "failure_phase",
    "error_kind": "failure_kind",
    "error": "failure_message",
    "time_ms": "time_ms",
    "first_token_ms": "first_token_ms",
    "first_content_ms": "first_content_ms",
    "prompt_tokens": "prompt_tokens",
    "completion_tokens": "completion_tokens",
    "reasoning_tokens": "reasoning_tokens",
    "usage_source": "usage_source",
    "tokens_per_second": "tokens_per_second",
    "finish_reason": "finish_reason",
    "attempts": "attempts",
    "cost_usd": "cost_usd",
    "cached": "cached",
    "score_revision_id": "score_revision_id",
    "conversation_id": "conversation_id",
    "turn": "turn",
    "answer_kind": "answer_kind",
    "reasoning": "reasoning",
    "redactions": "redactions",
    "error_cause": "failure_cause",
}
COLUMNS: Final = {
    **_FIRST,
    **{name: name for name in FIGURES if name not in _FIRST},
    "suite_task": "suite_task",
    "notes": "notes",
}
"""The columns, each with the name of the value that it shows. After `_FIRST` follow the remaining values of the call,
then the suite's task and the notes."""
_EXTRACTED: Final = ("answer", "answer_rule", "reference", "reference_rule")
SCORE_COLUMNS: Final = (
    *("score", "score_normalised", "passed", "outcome", "reason", "by_person"),
    *(f"extraction_{name}" for name in _EXTRACTED),
)
"""The columns that each evaluator has. In the file, their names begin with the evaluator's name and a dot."""


def _score_cells(names: Sequence[str], scores: Sequence[PlainScore]) -> Iterator[object]:
    deciding = {score.slot: score for score in deciding_scores(scores)}
    for name in names:
        score = deciding.get(name)
        if score is None:
            yield from (None for _ in SCORE_COLUMNS)
        else:
            yield from (score.raw, score.normalised, score.passed, score.outcome)
            yield from (score.reason or score.error, score.by_person)
            extracted = score.extracted() or {}
            yield from (extracted.get(name) for name in _EXTRACTED)


async def write(run: RunSummary, source: ExportSource) -> AsyncIterator[bytes]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    names = list(dict.fromkeys(evaluator.name for evaluator in run.evaluators))
    writer.writerow([*COLUMNS, *(neutralise(f"{name}.{column}") for name in names for column in SCORE_COLUMNS)])
    async for rows in source.rows(tuple(COLUMNS.values())):
        for row in rows:
            *values, notes = row.values
            writer.writerow(neutralised([*values, "\n".join(notes), *_score_cells(names, row.scores)]))
        if buffer.tell() > CHUNK_BYTES:
            yield buffer.getvalue().encode("utf-8", errors="replace")
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode("utf-8", errors="replace")


FORMAT = ExportFormat(
    name="csv",
    title="CSV",
    description="One row per item, for a spreadsheet.",
    media_type="text/csv; charset=utf-8",
    extension="csv",
    write=write,
)
