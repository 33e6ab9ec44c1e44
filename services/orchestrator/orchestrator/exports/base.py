"""What an export format is, and how it is found: a module of this folder with a `FORMAT`."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cache

import orchestrator.exports
from llmbench.plugins import plugins
from orchestrator.ports.queries import ExportSource
from orchestrator.ports.schemas import RunSummary


@dataclass(frozen=True)
class ExportFormat:
    """`write` turns a run's items into chunks of bytes without holding more than a few of them.

    `example` is what it makes of `samples.RUN` and `samples.LINES`; a conformance test compares, of a binary format
    what `shown` makes of it. A format that follows a document names its JSON Schema in `docs/schemas`: of the whole, or
    of each line where those are records. `one_target`: what it writes has no place for a second one."""

    name: str
    media_type: str
    extension: str
    write: Callable[[RunSummary, ExportSource], AsyncIterator[bytes]]
    example: str
    shown: Callable[[bytes], str] = bytes.decode
    json_schema: str | None = None
    one_target: bool = False


CHUNK_BYTES = 64 * 1024


@cache
def formats() -> dict[str, ExportFormat]:
    beside = {"base", "record", "samples"}
    return plugins(orchestrator.exports, "FORMAT", ExportFormat, key=lambda one: one.name, beside=beside)
