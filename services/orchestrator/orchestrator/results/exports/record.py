"""Convert items to the records that several export formats share, with the names and units of the API."""

import json
from collections.abc import AsyncIterator
from typing import Any, Final

from llmbench.contracts.case import Case
from llmbench.contracts.item_changed import ItemRow
from llmbench.contracts.item_failure import ItemFailure
from orchestrator.results.exports.base import CHUNK_BYTES
from orchestrator.results.ports.queries import ExportLine, ExportRow, ExportSource, PlainScore

COLUMNS: Final = (*ItemRow.model_fields, "system_prompt", "case", "answer", "reasoning", "notes", "redactions")
_IDS: Final = ("id", "target_id", "score_revision_id")
_OF_SCORE: Final = ("judge_model", "status", "outcome", "raw", "normalised", "passed", "reason", "error", "by_person")


async def records(source: ExportSource) -> AsyncIterator[dict[str, Any]]:
    """Yield one record per item. Every record has every field; a field without a value is null."""
    async for rows in source.rows(COLUMNS):
        for row in rows:
            yield _record(row)


def _record(row: ExportRow) -> dict[str, Any]:
    found = dict(zip(COLUMNS, row.values, strict=True))
    for name in _IDS:
        found[name] = found[name] and str(found[name])
    found["failure"] = found["failure"] and ItemFailure.model_validate(found["failure"]).model_dump(mode="json")
    found["case"] = Case.model_validate(found["case"]).model_dump(mode="json")
    found["scores"] = [_score(score) for score in row.scores]
    return found


def _score(score: PlainScore) -> dict[str, Any]:
    whose: dict[str, Any] = {"evaluator": score.slot, "evaluator_revision_id": str(score.evaluator_revision_id)}
    whose["corrects"] = str(score.corrects) if score.corrects else None
    return whose | {name: getattr(score, name) for name in _OF_SCORE} | {"extraction": score.extracted()}


def failure_text(line: ExportLine) -> str | None:
    failure = line.item.failure
    return f"{failure.grouped_by()}: {failure.message}" if failure else None


def of_epoch(name: str, line: ExportLine) -> str:
    """Return `name` for the item. From the second epoch on, the epoch is appended to keep names unique."""
    return name if line.item.epoch == 1 else f"{name} (epoch {line.item.epoch})"


def to_json(value: Any) -> str:
    """Return the value as one line of JSON. Unpaired surrogates, which models do send, are escaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace").decode()


async def chunked(parts: AsyncIterator[str]) -> AsyncIterator[bytes]:
    """Combine small texts into larger chunks of UTF-8."""
    waiting: list[str] = []
    size = 0
    async for part in parts:
        waiting.append(part)
        size += len(part)
        if size >= CHUNK_BYTES:
            yield "".join(waiting).encode("utf-8", "replace")
            waiting.clear()
            size = 0
    yield "".join(waiting).encode("utf-8", "replace")
