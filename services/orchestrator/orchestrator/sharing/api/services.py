"""The dependencies of the endpoints that share reports."""

from dataclasses import dataclass

from orchestrator.results.ports.queries import ExportReader, RunReader
from orchestrator.sharing.ports.report_links import ReportLinkStore


@dataclass(frozen=True)
class SharingServices:
    """The dependencies of the endpoints, created when the service starts: the store of links, and the readers of runs
    and reports."""

    links: ReportLinkStore
    runs: RunReader
    exports: ExportReader
