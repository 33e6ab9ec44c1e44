"""`/api/runs/{id}/…`: the endpoints for the results of one run, such as its items, log and exports."""

from collections.abc import Callable
from typing import Annotated
from uuid import UUID

from fastapi import Query, Request, Response
from fastapi.responses import StreamingResponse

from llmbench.access import Resource
from llmbench.errors import FieldError, Problem
from llmbench.http.service_router import ServiceRouter
from orchestrator.kernel.api.query import CursorText
from orchestrator.kernel.domain.refusal import no_run
from orchestrator.results.api import cursors
from orchestrator.results.api.answers import ItemCount, ItemExcerpts, ItemPage, RunEvents
from orchestrator.results.api.export_names import export_name
from orchestrator.results.api.filters import ChosenItems, OrderOfItems
from orchestrator.results.api.services import ResultServices
from orchestrator.results.exports.base import formats
from orchestrator.results.ports.distribution_schemas import RunDistribution
from orchestrator.results.ports.failure_schemas import RunFailures
from orchestrator.results.ports.item_schemas import ItemDetail
from orchestrator.results.ports.schemas import RunLog, RunSummary


def router(services: Callable[[], ResultServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/runs/{run_id}", tags=["results"], resource=Resource.RUNS)

    @api.get("/items", operation_id="listItems", response_model=ItemPage)
    async def list_items(
        request: Request,
        run_id: UUID,
        chosen: ChosenItems,
        ordered: OrderOfItems,
        limit: Annotated[int, Query(ge=1, le=2000)] = 100,
        cursor: CursorText = None,
    ) -> Response:
        """List items as summaries; `GET …/items/{item_id}` has the texts. Items without a value of the sort key come
        last."""
        after = cursors.item_cursor(cursor, ordered)

        async def page() -> ItemPage:
            await _require(run_id)
            found = await services().items.page(run_id, chosen, order=ordered, after=after, limit=limit + 1)
            last = found[limit - 1] if len(found) > limit else None
            return ItemPage(items=found[:limit], next_cursor=cursors.item_place(last, ordered) if last else None)

        return await services().shared(request, page)

    @api.get("/items/count", operation_id="countItems")
    async def count_items(run_id: UUID, chosen: ChosenItems) -> ItemCount:
        """Count the items that match a filter. Also count each status, as if the filter named no status."""
        await _require(run_id)
        return ItemCount(**(await services().items.count(run_id, chosen))._asdict())

    @api.get("/items/excerpts", operation_id="listItemExcerpts")
    async def list_excerpts(
        run_id: UUID,
        item_id: Annotated[list[UUID], Query(min_length=1, max_length=100, description="The items to read.")],
    ) -> ItemExcerpts:
        """Return, for up to 100 items, the beginnings of their texts, their tags, and what each evaluator extracted and
        scored. An item of another run is left out."""
        await _require(run_id)
        return ItemExcerpts(items=await services().items.excerpts(run_id, item_id))

    @api.get("/items/{item_id}", operation_id="getItem")
    async def get_item(run_id: UUID, item_id: UUID) -> ItemDetail:
        detail = await services().items.detail(run_id, item_id)
        if detail is None:
            raise Problem(404, "No such item", f"The run {run_id} has no item {item_id}.")
        return detail

    @api.get("/distribution", operation_id="getRunDistribution", response_model=RunDistribution)
    async def distribution(request: Request, run_id: UUID) -> Response:
        """Return histograms of scores and times per target, and the mean times of the judges' calls."""

        async def found() -> RunDistribution:
            await _require(run_id)
            return await services().runs.distribution(run_id)

        return await services().shared(request, found)

    @api.get("/failures", operation_id="listFailures", response_model=RunFailures)
    async def failures(request: Request, run_id: UUID) -> Response:
        """Return why items failed: the causes in each phase, the most frequent first."""

        async def found() -> RunFailures:
            await _require(run_id)
            return await services().runs.failures(run_id)

        return await services().shared(request, found)

    @api.get("/log", operation_id="readRunLog")
    async def log(
        run_id: UUID,
        after: Annotated[int, Query(ge=0, le=2**62, description="The `run_seq` of the last known line.")] = 0,
        limit: Annotated[int, Query(ge=1, le=1000)] = 500,
    ) -> RunLog:
        """Return the run's log: prompts, answers, judge prompts, verdicts, and notes about the run itself."""
        lines = await services().runs.log(run_id, after=after, limit=limit)
        if lines is None:
            raise no_run(run_id)
        return lines

    @api.get("/events", operation_id="listRunEvents", response_model=RunEvents)
    async def events(
        request: Request,
        run_id: UUID,
        from_seq: Annotated[int, Query(ge=0, le=2**62)] = 1,
        limit: Annotated[int, Query(ge=1, le=1000)] = 500,
    ) -> Response:
        """Return the run's events from `from_seq` on. Their bodies are the same as on NATS and over the WebSocket."""

        async def page() -> RunEvents:
            events = await services().runs.events(run_id, from_seq=from_seq, limit=limit)
            if not events.found:
                raise no_run(run_id)
            # Skip validation: the events were validated when they were read.
            return RunEvents.model_construct(
                events=list(events.events), next_seq=events.next_seq, last_seq=events.last_seq
            )

        return await services().shared(request, page)

    @api.get(
        "/export",
        operation_id="exportRun",
        response_class=StreamingResponse,
        responses={
            200: {
                "description": "The results, streamed",
                "content": {
                    export_format.media_type.split(";")[0]: {"schema": {"type": "string"}}
                    for export_format in formats().values()
                },
            }
        },
    )
    async def export(
        run_id: UUID, chosen: ChosenItems, format: Annotated[str, Query(max_length=60)] = "csv"
    ) -> StreamingResponse:
        """Export the items that match the filter, ordered by position. The name of the file says the filter."""
        summary = await _summary(run_id)
        writer = formats().get(format)
        if writer is None:
            message = f"there is no format '{format}'; there is {', '.join(sorted(formats()))}"
            raise Problem(422, "Unknown format", message, errors=[FieldError("format", message)])
        if writer.one_target and len(summary.targets) > 1 and len(chosen.target_ids) != 1:
            message = f"'{format}' is a report of one target: choose one of the run's {len(summary.targets)}"
            raise Problem(422, "Several targets", message, errors=[FieldError("target_id", message)])
        name = export_name(summary, chosen)
        return StreamingResponse(
            writer.write(summary, services().exports.chosen(run_id, chosen)),
            media_type=writer.media_type,
            headers={"Content-Disposition": f'attachment; filename="{name}.{writer.extension}"'},
        )

    async def _require(run_id: UUID) -> None:
        if not await services().runs.exists(run_id):
            raise no_run(run_id)

    async def _summary(run_id: UUID) -> RunSummary:
        summary = await services().runs.run(run_id)
        if summary is None:
            raise no_run(run_id)
        return summary

    return api
