"""Read trends: how results change from run to run. A trend of a suite also has the suite's scores."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from orchestrator.results.adapters.trends import SuiteScore, TrendQueries
from orchestrator.suites.adapters.suite_results import suite_of_run


def trend_queries(engine: AsyncEngine) -> TrendQueries:
    return TrendQueries(engine, _suite_scores)


async def _suite_scores(connection: AsyncConnection, run_id: UUID) -> Mapping[UUID, SuiteScore]:
    suite = await suite_of_run(connection, run_id)
    if suite is None:
        return {}
    return {
        result.target_id: SuiteScore(
            value=result.score,
            interval=result.interval,
            missing=[each.task for each in result.missing],
            completeness=result.completeness,
        )
        for result in suite.targets
    }
