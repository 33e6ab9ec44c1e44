"""Write one JSON document: the run, the filter and the items."""

from collections.abc import AsyncIterator

from orchestrator.results.exports.base import ExportFormat
from orchestrator.results.exports.record import chunked, records, to_json
from orchestrator.results.ports.filter_query import as_query
from orchestrator.results.ports.queries import ExportSource
from orchestrator.results.ports.schemas import RunSummary


async def write(run: RunSummary, source: ExportSource) -> AsyncIterator[bytes]:
    async def parts() -> AsyncIterator[str]:
        head = {"run": run.model_dump(mode="json"), "filter": as_query(source.items)}
        yield f'{to_json(head)[:-1]},"items":['
        separator = "\n"
        async for record in records(source):
            yield separator + to_json(record)
            separator = ",\n"
        yield "\n]}\n"

    async for chunk in chunked(parts()):
        yield chunk


FORMAT = ExportFormat(
    name="json",
    title="JSON",
    description="One document with the run, the filter and every field of the items.",
    media_type="application/json",
    extension="json",
    write=write,
)
