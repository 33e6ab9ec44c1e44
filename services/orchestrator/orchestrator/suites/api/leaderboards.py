"""`GET /api/leaderboards`: the results of a suite by target label, with rank sets."""

from collections.abc import Callable
from typing import Annotated
from uuid import UUID

from fastapi import Query, Request, Response

from llmbench.access import Resource
from llmbench.errors import Problem
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter
from orchestrator.kernel.api.query import Moment, Words, clean, clean_text
from orchestrator.suites.api.endpoints import SuiteServices
from orchestrator.suites.handlers.show_leaderboard import show_leaderboard
from orchestrator.suites.ports.leaderboards import Leaderboard, LeaderboardFilter


def router(services: Callable[[], SuiteServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/leaderboards", tags=["suites"], resource=Resource.RUNS)

    @api.get(
        "",
        operation_id="getLeaderboard",
        response_model=Leaderboard,
        responses=answers(404, "There is no such suite."),
    )
    async def get(
        request: Request,
        suite: Annotated[
            str, Query(min_length=1, max_length=255, description="The suite's name, or the id of one of its versions.")
        ],
        version: Annotated[int | None, Query(ge=1, le=2**31 - 1, description="Only runs of this version.")] = None,
        provider_id: Annotated[
            list[UUID] | None, Query(max_length=100, description="Only targets of one of these providers.")
        ] = None,
        since: Annotated[Moment | None, Query(description="Only runs that finished at this time or later.")] = None,
        category: Annotated[
            str | None, Query(max_length=255, description="Show the scores of this category of tasks.")
        ] = None,
        tag: Words = None,
    ) -> Response:
        """Return the latest complete run of each target label, with its score. Overlapping intervals leave the rank
        open, so the best and the worst possible rank are given.

        Runs are in one list only if they have the same suite version, cases, judge and evaluators. With `tag`, only
        cases count whose `metadata.tags` have all of these tags.
        """

        async def leaderboard() -> Leaderboard:
            reader = services().leaderboards
            name = await reader.name_of(clean_text(suite) or "")
            if name is None:
                raise Problem(404, "No such suite", f"There is no suite {suite!r}, and no run of one.")
            chosen = LeaderboardFilter(version, provider_id or (), since, clean_text(category), clean(tag))
            return await show_leaderboard(reader, name, chosen)

        return await services().shared(request, leaderboard)

    return api
