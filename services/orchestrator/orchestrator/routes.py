"""The routes of all features, and the services that their endpoints need.

The routes exist once per process, although tests start many applications in a process: building the 120 routes takes
0.1 s. So an endpoint gets its services from a context variable, which the middleware `Serving` sets for each request.
"""

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache

from starlette.types import ASGIApp, Receive, Scope, Send

from llmbench.http.service_router import ServiceRouter
from orchestrator.baselines.api import endpoints as baselines
from orchestrator.baselines.handlers.save_gate import GateParts
from orchestrator.calibrations.api import endpoints as calibrations
from orchestrator.calibrations.handlers.create_calibration import CalibrationParts
from orchestrator.comparison.api import endpoints as comparisons
from orchestrator.comparison.api.query import ComparisonServices
from orchestrator.evaluations.api import endpoints as evaluations
from orchestrator.evaluations.api.endpoints import EvaluationServices
from orchestrator.experiments.api import endpoints as experiments
from orchestrator.experiments.api import outside
from orchestrator.experiments.api import results as experiment_results
from orchestrator.experiments.api.services import ExperimentServices
from orchestrator.judges.api import endpoints as judge_checks
from orchestrator.judges.api.endpoints import JudgeCheckServices
from orchestrator.playground.api import endpoints as playground
from orchestrator.playground.api.endpoints import PlaygroundServices
from orchestrator.results.api import endpoints as results
from orchestrator.results.api import export_formats, trends
from orchestrator.results.api import runs as reading
from orchestrator.results.api.services import ResultServices
from orchestrator.runs.api import bulk, comments, overrulings, retention
from orchestrator.runs.api import endpoints as commands
from orchestrator.runs.api.endpoints import RunServices
from orchestrator.runs.api.retention import RetentionServices
from orchestrator.schedules.api import endpoints as schedules
from orchestrator.schedules.api.endpoints import ScheduleServices
from orchestrator.sharing.api import report_links, shared_report
from orchestrator.sharing.api.services import SharingServices
from orchestrator.suites.api import endpoints as suites
from orchestrator.suites.api import leaderboards
from orchestrator.suites.api.endpoints import SuiteServices
from orchestrator.usage.api import endpoints as usage
from orchestrator.usage.api.endpoints import UsageServices


@dataclass(frozen=True)
class Services:
    """The dependencies of the endpoints, by feature."""

    runs: RunServices
    overrulings: overrulings.OverrulingServices
    retention: RetentionServices
    results: ResultServices
    sharing: SharingServices
    comparison: ComparisonServices
    baselines: GateParts
    calibrations: CalibrationParts
    evaluations: EvaluationServices
    judge_checks: JudgeCheckServices
    playground: PlaygroundServices
    schedules: ScheduleServices
    suites: SuiteServices
    experiments: ExperimentServices
    usage: UsageServices


_serving: ContextVar[Services] = ContextVar("services of the application that handles the request")


class Serving:
    """Middleware that gives the endpoints the services of its application. `opened` contains them while the application
    runs."""

    def __init__(self, app: ASGIApp, *, opened: Sequence[Services]) -> None:
        self._app = app
        self._opened = opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._opened:
            await self._app(scope, receive, send)
            return
        # Tests send requests to several applications from one task.
        before = _serving.set(self._opened[0])
        try:
            await self._app(scope, receive, send)
        finally:
            _serving.reset(before)


def _served() -> Services:
    return _serving.get()


@cache
def routers() -> tuple[ServiceRouter, ...]:
    """Return the routers of all endpoints, which all applications of this process share."""
    return (
        commands.router(lambda: _served().runs),
        overrulings.router(lambda: _served().overrulings),
        comments.router(lambda: _served().runs.comments),
        bulk.router(lambda: _served().runs),
        reading.router(lambda: _served().results),
        results.router(lambda: _served().results),
        export_formats.router(),
        report_links.router(lambda: _served().sharing),
        shared_report.router(lambda: _served().sharing),
        trends.router(lambda: _served().results),
        comparisons.router(lambda: _served().comparison),
        baselines.router(lambda: _served().baselines),
        calibrations.router(lambda: _served().calibrations),
        evaluations.router(lambda: _served().evaluations),
        judge_checks.router(lambda: _served().judge_checks),
        playground.router(lambda: _served().playground),
        suites.router(lambda: _served().suites),
        leaderboards.router(lambda: _served().suites),
        retention.router(lambda: _served().retention),
        schedules.router(lambda: _served().schedules),
        experiments.router(lambda: _served().experiments),
        experiment_results.router(lambda: _served().experiments),
        outside.router(lambda: _served().experiments),
        usage.router(lambda: _served().usage),
    )
