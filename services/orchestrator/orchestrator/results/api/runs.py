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
from orchestrator.results.api.answers import RunPage
from orchestrator.results.api.cursors import run_cursor
from orchestrator.results.api.filters import ChosenRuns
from orchestrator.results.api.services import ResultServices
from orchestrator.results.api.shared_answers import SharedAnswers
from orchestrator.results.ports.schemas import RunDetail


def router(services: Callable[[], ResultServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/runs", tags=["runs"], resource=Resource.RUNS)
    shared = SharedAnswers()

    @api.get("", operation_id="listRuns", response_model=RunPage)
    async def list_runs(request: Request, chosen: ChosenRuns, limit: Limit = 50, cursor: CursorText = None) -> Response:
        """List runs, newest first."""
        after = run_cursor(cursor)

        async def page() -> RunPage:
            runs = await services().runs.runs(chosen, after=after, limit=limit + 1)
            last = runs[limit - 1] if len(runs) > limit else None
            place = encode(last.created_at.isoformat(), last.id) if last else None
            return RunPage(items=runs[:limit], next_cursor=place)

        return await shared(request, page)

    @api.get("/queue", operation_id="listQueue", response_model=RunPage)
    async def list_queue(request: Request, limit: Limit = 100) -> Response:
        """List the queued runs in the order of their turns. `queue` has each one's place and expected start."""

        async def page() -> RunPage:
            return RunPage(items=await services().runs.queue(limit), next_cursor=None)

        return await shared(request, page)

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

        return await shared(request, detail)

    return api
