"""The dependencies of the endpoints that read results."""

from dataclasses import dataclass, field

from orchestrator.results.api.shared_answers import SharedAnswers
from orchestrator.results.ports.queries import ExportReader, ItemReader, RunReader
from orchestrator.results.ports.trends import TrendReader


@dataclass(frozen=True)
class ResultServices:
    """Readers of results, created when the service starts."""

    runs: RunReader
    items: ItemReader
    exports: ExportReader
    trends: TrendReader
    shared: SharedAnswers = field(default_factory=SharedAnswers)
