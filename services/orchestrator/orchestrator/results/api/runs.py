"""`GET /api/runs` and `GET /api/runs/{id}`: the list of runs, and one run with its statistics."""

from collections.abc import Callable
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Query, Request, Response

from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter
from orchestrator.kernel.api.cursor import encode
from orchestrator.kernel.api.query import CursorText, Limit
from orchestrator.kernel.domain.refusal import no_run
from orchestrator.results.api.answers import RunGroupOut, RunGroups, RunPage
from orchestrator.results.api.cursors import group_cursor, run_cursor, run_place
from orchestrator.results.api.filters import ChosenRuns, GroupsOfRuns, OrderOfRuns
from orchestrator.results.api.services import ResultServices
from orchestrator.results.ports.schemas import RunDetail


def router(services: Callable[[], ResultServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/runs", tags=["runs"], resource=Resource.RUNS)

    @api.get("", operation_id="listRuns", response_model=RunPage)
    async def list_runs(
        request: Request, chosen: ChosenRuns, order: OrderOfRuns, limit: Limit = 50, cursor: CursorText = None
    ) -> Response:
        """List runs, newest first unless `sort` and `order` say otherwise. Runs without a value of the sort key come
        last."""
        after = run_cursor(cursor, order)

        async def page() -> RunPage:
            found = await services().runs.runs(chosen, order=order, after=after, limit=limit)
            return RunPage(items=list(found.runs), next_cursor=run_place(found.last, order) if found.last else None)

        return await services().shared(request, page)

    @api.get("/groups", operation_id="listRunGroups", response_model=RunGroups)
    async def list_groups(
        request: Request, chosen: ChosenRuns, grouping: GroupsOfRuns, limit: Limit = 50, cursor: CursorText = None
    ) -> Response:
        """List the groups of runs by tag, suite or day, with the number of runs in each. A run with several tags is in
        several groups."""
        after = group_cursor(cursor, grouping)

        async def page() -> RunGroups:
            found = await services().runs.groups(chosen, grouping, after=after, limit=limit + 1)
            last = found[limit - 1].key if len(found) > limit else None
            groups = [RunGroupOut.model_validate(group) for group in found[:limit]]
            return RunGroups(items=groups, next_cursor=encode(grouping.by, last) if last is not None else None)

        return await services().shared(request, page)

    @api.get("/queue", operation_id="listQueue", response_model=RunPage)
    async def list_queue(request: Request, limit: Limit = 100) -> Response:
        """List the queued runs in the order in which they start. A run's `queue` has its position, counted from 1, and
        its expected start."""

        async def page() -> RunPage:
            return RunPage(items=await services().runs.queue(limit), next_cursor=None)

        return await services().shared(request, page)

    @api.get("/{run_id}", operation_id="getRun", response_model=RunDetail)
    async def get(
        request: Request,
        run_id: UUID,
        include: Annotated[
            list[Literal["tasks", "case_tags"]] | None,
            Query(
                max_length=10,
                description="`tasks`: the figures of every task as well. `case_tags`: those by tag of the cases.",
            ),
        ] = None,
    ) -> Response:
        """Return the run with its statistics: in total, per target, per category and per evaluator."""

        async def detail() -> RunDetail:
            parts = include or []
            found = await services().runs.detail(run_id, tasks="tasks" in parts, case_tags="case_tags" in parts)
            if found is None:
                raise no_run(run_id)
            return found

        return await services().shared(request, detail)

    return api
