"""What an export format is, and how it is found: a module of this folder with a `FORMAT`."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cache

import orchestrator.exports
from llmbench.plugins import plugins
from orchestrator.ports.queries import ExportLine
from orchestrator.ports.schemas import RunSummary


@dataclass(frozen=True)
class ExportFormat:
    """`write` turns a run's lines into chunks of bytes without holding more than a few of them.
    `example` is what it makes of `samples.RUN` and `samples.LINES`; a conformance test compares."""

    name: str
    media_type: str
    extension: str
    write: Callable[[RunSummary, AsyncIterator[ExportLine]], AsyncIterator[bytes]]
    example: str


CHUNK_BYTES = 64 * 1024


@cache
def formats() -> dict[str, ExportFormat]:
    beside = {"base", "record", "samples"}
    return plugins(orchestrator.exports, "FORMAT", ExportFormat, key=lambda one: one.name, beside=beside)
