"""`/api/trends`: how the scores of runs with one name developed."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import BaseModel

from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter
from orchestrator.kernel.api.query import Limit, clean_text
from orchestrator.results.api.services import ResultServices
from orchestrator.results.api.shared_answers import SharedAnswers
from orchestrator.results.ports.trends import Trend, TrendName


class TrendNames(BaseModel):
    items: list[TrendName]


def router(services: Callable[[], ResultServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/trends", tags=["results"], resource=Resource.RUNS)
    shared = SharedAnswers()

    @api.get("", operation_id="getTrend", response_model=Trend)
    async def get(
        request: Request,
        name: Annotated[str, Query(min_length=1, max_length=255, description="The name of the runs.")],
        limit: Annotated[int, Query(ge=2, le=100, description="The number of runs, the newest ones.")] = 30,
    ) -> Response:
        """Return score, cost and speed of each target label over the last finished runs of a name, and what changed
        between two runs. Scores before and after a change are not comparable."""

        async def trend() -> Trend:
            return await services().trends.trend(clean_text(name) or "", limit)

        return await shared(request, trend)

    @api.get("/names", operation_id="listTrendNames")
    async def list_names(limit: Limit = 100) -> TrendNames:
        """List the names of at least two finished runs, the last one first."""
        return TrendNames(items=list(await services().trends.names(limit)))

    return api
