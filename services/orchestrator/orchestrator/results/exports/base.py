"""Define the interface of export formats, and find the formats: every module of this folder that has a `FORMAT`."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cache

import orchestrator.results.exports
from llmbench.plugins import plugins
from orchestrator.results.ports.queries import ExportSource
from orchestrator.results.ports.schemas import RunSummary


@dataclass(frozen=True)
class ExportFormat:
    """An export format. `write` turns a run's items into chunks of bytes. The memory that it needs does not grow with
    the run.

    `shown` turns the bytes into text for `docs/generated/exports.md`, which shows an example of each format. If the
    format follows a published specification, `json_schema` names its schema in `docs/schemas`. The schema applies to
    the file or to each line. If `one_target` is true, a file can contain only one target. If `evaluator` is set, only a
    run with an evaluator of this kind has anything to write.
    """

    name: str
    title: str
    description: str
    media_type: str
    extension: str
    write: Callable[[RunSummary, ExportSource], AsyncIterator[bytes]]
    shown: Callable[[bytes], str] = bytes.decode
    json_schema: str | None = None
    one_target: bool = False
    evaluator: str | None = None


CHUNK_BYTES = 64 * 1024


@cache
def formats() -> dict[str, ExportFormat]:
    skipped = {"base", "record", "samples"}
    return plugins(
        orchestrator.results.exports,
        "FORMAT",
        ExportFormat,
        key=lambda export_format: export_format.name,
        skipped=skipped,
    )
