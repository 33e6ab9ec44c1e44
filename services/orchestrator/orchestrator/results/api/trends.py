"""`/api/trends`: how the scores of runs with one name, or of one suite, developed."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import BaseModel

from llmbench.access import Resource
from llmbench.errors import FieldError
from llmbench.http.service_router import ServiceRouter
from orchestrator.kernel.api.query import Limit, clean_text
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.results.api.services import ResultServices
from orchestrator.results.ports.trends import Trend, TrendName


class TrendNames(BaseModel):
    """The names that at least two finished runs share, and the suites with at least two finished runs."""

    items: list[TrendName]
    suites: list[TrendName]


def router(services: Callable[[], ResultServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/trends", tags=["results"], resource=Resource.RUNS)

    @api.get("", operation_id="getTrend", response_model=Trend)
    async def get(
        request: Request,
        name: Annotated[str | None, Query(min_length=1, max_length=255, description="The name of the runs.")] = None,
        suite: Annotated[
            str | None, Query(min_length=1, max_length=255, description="Instead: the suite of the runs, by its name.")
        ] = None,
        limit: Annotated[int, Query(ge=2, le=100, description="The number of runs, the newest ones.")] = 30,
    ) -> Response:
        """Return score, cost and speed of each target label over the last finished runs with one name or of one suite,
        and what changed from one run to the next. Scores before and after a change are not comparable."""
        if (name is None) == (suite is None):
            raise invalid([FieldError("name", "choose the runs either by their name or by their suite")], "trend")

        async def trend() -> Trend:
            reader = services().trends
            if suite is not None:
                return await reader.trend_of_suite(clean_text(suite) or "", limit)
            return await reader.trend(clean_text(name) or "", limit)

        return await services().shared(request, trend)

    @api.get("/names", operation_id="listTrendNames")
    async def list_names(limit: Limit = 100) -> TrendNames:
        """List the names that at least two finished runs share, and the suites with at least two finished runs. The
        name of the latest run comes first."""
        reader = services().trends
        return TrendNames(items=list(await reader.names(limit)), suites=list(await reader.suites(limit)))

    return api
