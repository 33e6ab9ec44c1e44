"""`/api/runs`: create and start, look, pause, resume, cancel, export."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse

from llmbench.contracts.run_words import ItemStatus, RunStatus
from llmbench.errors import FieldError, Problem
from orchestrator.entrypoints import cursor as cursors
from orchestrator.exports.base import formats
from orchestrator.handlers import orders
from orchestrator.handlers.create_run import (
    Judge,
    ModelDirectory,
    NewRun,
    NewTarget,
    RunFactory,
    create_run,
    second_run,
)
from orchestrator.handlers.lead import Order
from orchestrator.handlers.leadership import Leadership
from orchestrator.ports.queries import ItemReader, RunReader
from orchestrator.ports.schemas import (
    CreateRun,
    ItemDetail,
    ItemPage,
    RunDetail,
    RunEvents,
    RunPage,
    RunSummary,
)
from orchestrator.ports.store import ActiveRunExists

Limit = Annotated[int, Query(ge=1, le=500)]


@dataclass(frozen=True)
class Services:
    """What the endpoints need; made when the service starts."""

    leadership: Leadership
    factory: RunFactory
    directory: ModelDirectory
    runs: RunReader
    items: ItemReader


def router(services: Callable[[], Services]) -> APIRouter:
    api = APIRouter(prefix="/api/runs", tags=["runs"])

    @api.post("", status_code=201, operation_id="createRun")
    async def create(body: CreateRun, response: Response) -> RunSummary:
        """Create a run and start it."""
        run_id = await create_run(services().factory, services().directory, _new_run(body), now=datetime.now(UTC))
        await services().leadership.wake(run_id)
        response.headers["Location"] = f"/api/runs/{run_id}"
        return await _summary(run_id)

    @api.get("", operation_id="listRuns")
    async def list_runs(
        status: Annotated[list[RunStatus] | None, Query()] = None, limit: Limit = 50, cursor: str | None = None
    ) -> RunPage:
        """Newest first."""
        found = await services().runs.runs(statuses=status or [], after=cursors.run_cursor(cursor), limit=limit + 1)
        page, last = found[:limit], found[limit - 1] if len(found) > limit else None
        return RunPage(items=page, next_cursor=cursors.encode(last.created_at.isoformat(), last.id) if last else None)

    @api.get("/{run_id}", operation_id="getRun")
    async def get(run_id: UUID) -> RunDetail:
        detail = await services().runs.detail(run_id)
        if detail is None:
            raise _no_run(run_id)
        return detail

    @api.post("/{run_id}/pause", status_code=202, operation_id="pauseRun")
    async def pause(run_id: UUID) -> RunSummary:
        """No further call starts; PAUSED when those in flight have reported."""
        return await _order(run_id, orders.pause)

    @api.post("/{run_id}/resume", status_code=202, operation_id="resumeRun")
    async def resume(run_id: UUID) -> RunSummary:
        return await _order(run_id, orders.resume)

    @api.post("/{run_id}/cancel", status_code=202, operation_id="cancelRun")
    async def cancel(run_id: UUID) -> RunSummary:
        """Aborts the calls in flight; what was answered stays."""
        return await _order(run_id, orders.cancel)

    @api.get("/{run_id}/items", operation_id="listItems")
    async def list_items(
        run_id: UUID,
        status: Annotated[list[ItemStatus] | None, Query()] = None,
        target_id: UUID | None = None,
        limit: Limit = 100,
        cursor: str | None = None,
    ) -> ItemPage:
        """By position. Rows are summaries; the bodies are with the single item."""
        await _summary(run_id)
        found = await services().items.page(
            run_id,
            statuses=status or [],
            target_id=target_id,
            after_position=cursors.item_cursor(cursor),
            limit=limit + 1,
        )
        page, last = found[:limit], found[limit - 1] if len(found) > limit else None
        return ItemPage(items=page, next_cursor=cursors.encode(last.position) if last else None)

    @api.get("/{run_id}/items/{item_id}", operation_id="getItem")
    async def get_item(run_id: UUID, item_id: UUID) -> ItemDetail:
        detail = await services().items.detail(run_id, item_id)
        if detail is None:
            raise Problem(404, "No such item", f"The run {run_id} has no item {item_id}.")
        return detail

    @api.get("/{run_id}/events", operation_id="listRunEvents")
    async def events(
        run_id: UUID,
        from_seq: Annotated[int, Query(ge=0, le=2**62)] = 1,
        limit: Annotated[int, Query(ge=1, le=1000)] = 500,
    ) -> RunEvents:
        """The run's events from `from_seq` on: the same bodies as on NATS and over the WebSocket."""
        page = await services().runs.events(run_id, from_seq=from_seq, limit=limit)
        if not page.found:
            raise _no_run(run_id)
        return RunEvents(events=list(page.events), next_seq=page.next_seq, last_seq=page.last_seq)

    @api.get(
        "/{run_id}/export",
        operation_id="exportRun",
        response_class=StreamingResponse,
        responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}, "description": "The results"}},
    )
    async def export(run_id: UUID, format: str = "csv") -> StreamingResponse:  # the query's name
        summary = await _summary(run_id)
        chosen = formats().get(format)
        if chosen is None:
            message = f"there is no format '{format}'; there is {', '.join(sorted(formats()))}"
            raise Problem(422, "Unknown format", message, errors=[FieldError("format", message)])
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", summary.name).strip("-.")[:80] or "run"
        return StreamingResponse(
            chosen.write(services().items.export(run_id)),
            media_type=chosen.media_type,
            headers={"Content-Disposition": f'attachment; filename="{name}.{chosen.extension}"'},
        )

    async def _order(run_id: UUID, order: Order) -> RunSummary:
        try:
            found = await services().leadership.order(run_id, order)
        except ActiveRunExists:
            raise await second_run(services().factory) from None
        if not found:
            raise _no_run(run_id)
        return await _summary(run_id)

    async def _summary(run_id: UUID) -> RunSummary:
        summary = await services().runs.run(run_id)
        if summary is None:
            raise _no_run(run_id)
        return summary

    return api


def _no_run(run_id: UUID) -> Problem:
    return Problem(404, "No such run", f"There is no run {run_id}.")


def _new_run(body: CreateRun) -> NewRun:
    labels = [target.label or target.model for target in body.targets]
    return NewRun(
        name=body.name or f"{', '.join(labels[:3])}{' …' if len(labels) > 3 else ''}"[:255],
        judge=Judge(body.judge.provider_id, body.judge.model, body.judge.params),
        targets=[
            NewTarget(target.provider_id, target.model, label[:120], target.params)
            for target, label in zip(body.targets, labels, strict=True)
        ],
        collection_ids=body.collection_ids,
        concurrency=body.concurrency,
        timeout_s=body.timeout_s,
        max_attempts=body.max_attempts,
        max_backoff_s=body.max_backoff_s,
        check_providers=body.check_providers,
    )
