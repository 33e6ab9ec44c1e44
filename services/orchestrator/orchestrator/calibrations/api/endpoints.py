"""`/api/calibrations`: how far a judge agrees with people."""

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from fastapi import Query, Request, Response
from fastapi.responses import StreamingResponse

from llmbench.access import Resource, Verb
from llmbench.files.csv_text import line_of, neutral
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter, needs
from orchestrator.calibrations.api.bodies import CreateCalibration, RenameCalibration
from orchestrator.calibrations.api.label_file import LABELS_BODY, read_request
from orchestrator.calibrations.handlers.create_calibration import (
    CalibrationParts,
    GivenRows,
    WantedCalibration,
    create_calibration,
)
from orchestrator.calibrations.handlers.plan_labels import plan_labels
from orchestrator.calibrations.handlers.refusals import no_calibration
from orchestrator.calibrations.ports.schemas import CalibrationOut, CalibrationPage, JudgesOfRuns, PlannedLabels
from orchestrator.calibrations.ports.store import AnswerRow, CalibrationFilter
from orchestrator.kernel.api.cursor import encode, id_cursor
from orchestrator.kernel.api.json_or_form import SPOOLED_BYTES
from orchestrator.kernel.api.query import CursorText, Limit

PATH: Final = "/api/calibrations"
_GOES_ON: Final = answers(409, "The run goes on, or the annotation task is not completed.")
_COLUMNS: Final = ("item_id", "case", "target", "epoch", "annotator", "label", "consensus", "judge", "audit")
_FILES: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"text/csv": {}, "application/json": {}}}}
MOST_RUNS: Final = 200
Cost = Annotated[float, Query(ge=0, le=1e6, allow_inf_nan=False)]


def router(services: Callable[[], CalibrationParts]) -> ServiceRouter:
    api = ServiceRouter(prefix=PATH, tags=["calibrations"], resource=Resource.ANNOTATION_TASKS)

    @api.get("", operation_id="listCalibrations")
    async def list_calibrations(
        run_id: Annotated[
            UUID | None, Query(description="Only calibrations of this run's judges, also those made on other runs.")
        ] = None,
        evaluator_revision_id: UUID | None = None,
        annotation_task_id: UUID | None = None,
        limit: Limit = 50,
        cursor: CursorText = None,
    ) -> CalibrationPage:
        """List calibrations, the newest first."""
        chosen = CalibrationFilter(run_id, evaluator_revision_id, annotation_task_id)
        found = await services().store.page(chosen, before=id_cursor(cursor), limit=limit + 1)
        return CalibrationPage(items=found[:limit], next_cursor=encode(found[limit - 1].id) if found[limit:] else None)

    @api.post("", status_code=201, operation_id="createCalibration", responses=_GOES_ON, openapi_extra=LABELS_BODY)
    async def create(request: Request, response: Response) -> CalibrationOut:
        """Measure a judge of a run against people. The labels come from a completed annotation task about the run's
        answers, from the JSON body, or from a file of at most 4 MiB. If rows of the file are bad, the request is
        refused, and the response lists them."""
        with tempfile.SpooledTemporaryFile(max_size=SPOOLED_BYTES) as spool:
            body, given = await read_request(request, spool)
        id_ = await create_calibration(services(), _wanted(body, given))
        response.headers["Location"] = f"{PATH}/{id_}"
        return await _calibration(id_)

    @api.get("/judges", operation_id="listJudgesOfRuns", openapi_extra=needs(Verb.READ, Resource.RUNS))
    async def list_judges(
        run_id: Annotated[list[UUID], Query(min_length=1, max_length=MOST_RUNS, description="The runs, repeated.")],
    ) -> JudgesOfRuns:
        """List the judges on whose scores the figures of these runs are based, and whether each was measured against
        people. Unknown runs are ignored."""
        return JudgesOfRuns(judges=await services().store.judges(run_id))

    @api.get("/{id}", operation_id="getCalibration")
    async def get(id: UUID) -> CalibrationOut:
        return await _calibration(id)

    @api.patch("/{id}", operation_id="renameCalibration")
    async def rename(id: UUID, body: RenameCalibration) -> CalibrationOut:
        """Change the name of a calibration. Its labels and figures never change."""
        if not await services().store.rename(id, body.name):
            raise no_calibration(id)
        return await _calibration(id)

    @api.delete("/{id}", status_code=204, operation_id="deleteCalibration")
    async def delete(id: UUID) -> None:
        """Delete a calibration with its copies of labels. The annotation task stays."""
        if not await services().store.delete(id):
            raise no_calibration(id)

    @api.get("/{id}/export", operation_id="exportCalibration", response_class=StreamingResponse, responses=_FILES)
    async def export(id: UUID, format: Literal["json", "csv"] = "csv") -> StreamingResponse:
        """Download the labels with the judge's scores. CSV has one row per label. JSON also has the figures."""
        found = await _calibration(id)
        rows = services().store.answers(id)
        stream = _csv(rows) if format == "csv" else _json(found, rows)
        media_type = "text/csv; charset=utf-8" if format == "csv" else "application/json"
        headers = {"Content-Disposition": f'attachment; filename="calibration-{id}.{format}"'}
        return StreamingResponse(stream, media_type=media_type, headers=headers)

    @api.get("/{id}/plan", operation_id="planLabels")
    async def plan(
        id: UUID,
        half_width: Annotated[
            float,
            Query(gt=0, le=1e6, allow_inf_nan=False, description="Half the width of the interval."),
        ] = 0.05,
        measure: Literal["pass_rate", "mean"] = "pass_rate",
        answers: Annotated[int | None, Query(ge=2, le=10_000_000, description="Answers of the run to correct.")] = None,
        label_cost: Cost = 1.0,
        judge_cost: Annotated[
            float | None,
            Query(ge=0, le=1e6, allow_inf_nan=False, description="By default the mean cost of a verdict."),
        ] = None,
        budget: Annotated[float | None, Query(gt=0, le=1e9, allow_inf_nan=False)] = None,
    ) -> PlannedLabels:
        """Plan how many answers people have to label for an interval of ± `half_width`. If a `budget` is given, also
        plan how to divide it best between people and the judge. Costs are in a unit of your choice."""
        found = await _calibration(id)
        # numpy is loaded at the first use, in a thread.
        return await asyncio.to_thread(
            plan_labels,
            found,
            measure=measure,
            half_width=half_width,
            budget=budget,
            answers=answers,
            label_cost=label_cost,
            judge_cost=judge_cost,
        )

    async def _calibration(id_: UUID) -> CalibrationOut:
        found = await services().store.get(id_)
        if found is None:
            raise no_calibration(id_)
        return found

    return api


def _wanted(body: CreateCalibration, given: GivenRows | None) -> WantedCalibration:
    return WantedCalibration(
        name=body.name,
        run_id=body.run_id,
        revision_id=body.evaluator_revision_id,
        annotation_task_id=body.annotation_task_id,
        field=body.field,
        values=body.values,
        scale=None if body.scale is None else (body.scale.min, body.scale.max),
        pass_mark=body.pass_mark,
        given=given,
    )


async def _csv(rows: AsyncIterator[AnswerRow]) -> AsyncIterator[str]:
    yield line_of(iter(_COLUMNS))
    async for row in rows:
        for line in _lines(row):
            yield line


def _lines(row: AnswerRow) -> Iterator[str]:
    for annotator, label in sorted(row.labels.items()):
        texts = (str(row.item_id), neutral(row.task_id), neutral(row.target), str(row.epoch), neutral(annotator))
        numbers = (f"{label:g}", f"{row.consensus:g}", f"{row.judge:g}", str(row.is_audit).lower())
        yield line_of(iter((*texts, *numbers)))


async def _json(found: CalibrationOut, rows: AsyncIterator[AnswerRow]) -> AsyncIterator[str]:
    yield json.dumps(found.model_dump(mode="json"), ensure_ascii=False)[:-1] + ', "rows": ['
    separator = "\n"
    async for row in rows:
        values = vars(row) | {"item_id": str(row.item_id), "labels": dict(row.labels)}
        yield separator + json.dumps(values, ensure_ascii=False)
        separator = ",\n"
    yield "\n]}\n"
