"""One item as the formats for programs write it: names and units of the API."""

import json
from collections.abc import AsyncIterator
from typing import Any

from orchestrator.exports.base import CHUNK_BYTES
from orchestrator.ports.queries import ExportLine


def record(line: ExportLine) -> dict[str, Any]:
    """What is null is left out of nothing: every record has every field."""
    item = line.item
    return item.row().model_dump(mode="json") | {
        "reason": item.reason,
        "system_prompt": item.params.system_prompt,
        "case": item.case.model_dump(mode="json"),
        "answer": line.answer,
        "scores": [score.model_dump(mode="json") for score in line.scores],
    }


def failure_text(line: ExportLine) -> str | None:
    failure = line.item.failure
    return f"{failure.kind}: {failure.message}" if failure else None


def of_epoch(name: str, line: ExportLine) -> str:
    """Names are told apart where a case is asked more than once."""
    return name if line.item.epoch == 1 else f"{name} (epoch {line.item.epoch})"


def to_json(value: Any) -> str:
    """One line. A half of a surrogate pair, which models do send, stays escaped and readable."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace").decode()


async def chunked(parts: AsyncIterator[str]) -> AsyncIterator[bytes]:
    """Small texts to chunks worth sending."""
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
