"""CSV (RFC 4180, UTF-8): one line per item.

Model output is hostile: a cell that a spreadsheet would run as a formula gets a leading quote
(https://owasp.org/www-community/attacks/CSV_Injection).
"""

import csv
import io
from collections.abc import AsyncIterator
from typing import Final

from orchestrator.exports.base import ExportFormat
from orchestrator.ports.queries import ExportLine

COLUMNS: Final = (
    "item_id",
    "task_id",
    "category",
    "subcategory",
    "target",
    "model",
    "epoch",
    "status",
    "question",
    "answer",
    "score",
    "score_normalised",
    "passed",
    "reason",
    "error_phase",
    "error_kind",
    "error",
    "time_ms",
    "first_token_ms",
    "prompt_tokens",
    "completion_tokens",
    "tokens_per_second",
    "finish_reason",
    "attempts",
)
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def neutralise(cell: object) -> object:
    """Numbers stay numbers; a text that would be a formula becomes a text."""
    if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS):
        return f"'{cell}"
    return cell


def _cells(line: ExportLine) -> list[object]:
    item, failure = line.item, line.item.failure
    return [
        item.id,
        item.case.task_id,
        item.case.category,
        item.case.subcategory,
        item.target_label,
        item.model,
        item.epoch,
        item.status.value,
        item.case.question,
        line.answer,
        item.score,
        item.score_normalised,
        item.passed,
        item.reason,
        failure.phase.value if failure else None,
        failure.kind if failure else None,
        failure.message if failure else None,
        item.time_ms,
        item.first_token_ms,
        item.prompt_tokens,
        item.completion_tokens,
        item.tokens_per_second,
        item.finish_reason,
        item.attempts,
    ]


async def write(lines: AsyncIterator[ExportLine]) -> AsyncIterator[bytes]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(COLUMNS)
    async for line in lines:
        writer.writerow([neutralise(cell) for cell in _cells(line)])
        if buffer.tell() > 64 * 1024:
            yield buffer.getvalue().encode("utf-8", errors="replace")
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode("utf-8", errors="replace")


FORMAT = ExportFormat(name="csv", media_type="text/csv; charset=utf-8", extension="csv", write=write)
