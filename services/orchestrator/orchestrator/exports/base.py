"""What an export format is, and how it is found: a module of this folder with a `FORMAT`."""

import importlib
import pkgutil
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cache

import orchestrator.exports
from orchestrator.ports.queries import ExportLine


@dataclass(frozen=True)
class ExportFormat:
    """`write` turns lines into chunks of bytes without holding more than a few of them."""

    name: str
    media_type: str
    extension: str
    write: Callable[[AsyncIterator[ExportLine]], AsyncIterator[bytes]]


@cache
def formats() -> dict[str, ExportFormat]:
    found = (
        importlib.import_module(f"{orchestrator.exports.__name__}.{module.name}")
        for module in pkgutil.iter_modules(orchestrator.exports.__path__)
        if module.name != "base"
    )
    return {module.FORMAT.name: module.FORMAT for module in found}
