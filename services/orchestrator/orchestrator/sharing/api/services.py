"""The dependencies of the endpoints that share reports."""

import asyncio
from dataclasses import dataclass, field
from typing import Final

from orchestrator.results.ports.queries import ExportReader, RunReader
from orchestrator.sharing.ports.report_links import ReportLinkStore

MOST_AT_ONCE: Final = 2
"""The maximum number of reports that are written at the same time. Many readers of shared reports therefore leave
database connections to people who have signed in. `BoundedResponse` ends reports whose readers are too slow."""


@dataclass(frozen=True)
class SharingServices:
    """The dependencies of the endpoints, created when the service starts: the store of links, and the readers of runs
    and reports."""

    links: ReportLinkStore
    runs: RunReader
    exports: ExportReader
    places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE))
    """Limits how many shared reports are written at once."""
