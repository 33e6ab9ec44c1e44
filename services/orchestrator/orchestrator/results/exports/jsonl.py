"""Write JSON Lines (https://jsonlines.org): one record per item."""

from collections.abc import AsyncIterator

from orchestrator.results.exports.base import ExportFormat
from orchestrator.results.exports.record import chunked, records, to_json
from orchestrator.results.ports.queries import ExportSource
from orchestrator.results.ports.schemas import RunSummary


async def write(run: RunSummary, source: ExportSource) -> AsyncIterator[bytes]:
    async def parts() -> AsyncIterator[str]:
        async for record in records(source):
            yield to_json({"run_id": str(run.id), **record}) + "\n"

    async for chunk in chunked(parts()):
        yield chunk


FORMAT = ExportFormat(
    name="jsonl",
    title="JSON Lines",
    description="One record per item and line, with every field.",
    media_type="application/x-ndjson",
    extension="jsonl",
    write=write,
)
