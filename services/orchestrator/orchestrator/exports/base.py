"""What an export format is, and how it is found: a module of this folder with a `FORMAT`."""

import importlib
import pkgutil
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cache

import orchestrator.exports
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
    modules = (
        importlib.import_module(f"{orchestrator.exports.__name__}.{module.name}")
        for module in pkgutil.iter_modules(orchestrator.exports.__path__)
    )
    found = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    return {format_.name: format_ for format_ in found}
