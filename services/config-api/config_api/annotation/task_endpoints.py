"""Define the endpoints of `/v1/annotations/tasks` for people who create tasks and read their results."""

from typing import Annotated, Literal
from urllib.parse import urlencode
from uuid import UUID

from fastapi import Depends, Query, Request, Response
from fastapi.responses import StreamingResponse

from config_api import state
from config_api.annotation.evaluating import MethodName
from config_api.annotation.exporting import ExportService, FileFormat
from config_api.annotation.result_schemas import (
    Decision,
    Exported,
    ExportIn,
    ItemOut,
    ItemPage,
    Progress,
    VersionFromConsensus,
)
from config_api.annotation.results import ResultService
from config_api.annotation.run_answers import RunAnswers
from config_api.annotation.schemas import AnnotationTaskIn, AnnotationTaskOut, AnnotationTaskPage, AnnotationTaskPatch
from config_api.annotation.tasks import TaskService
from config_api.bodies import Search
from config_api.datasets.endpoints import Offset
from config_api.datasets.schemas import VersionOut
from config_api.problems import CHANGED, INVALID, MISSING, answers
from config_api.versions import IfMatch
from llmbench.access import Resource, Verb
from llmbench.contracts.annotation_words import AnnotationStatus
from llmbench.http.service_router import ServiceRouter, needs

PATH = "/v1/annotations/tasks"
router = ServiceRouter(prefix=PATH, tags=["annotation"], resource=Resource.ANNOTATION_TASKS, responses=INVALID)

_REFUSED = answers(409, "The state of the task or of its source does not allow it.")
_MEDIA_TYPES = {"JSON": "application/json", "CSV": "text/csv; charset=utf-8"}

Threshold = Annotated[
    float, Query(ge=0, le=1, description="The least confidence at which an item counts as agreed on.")
]
Only = Literal["all", "disagreement", "flagged", "decided"]


def _tasks(request: Request) -> TaskService:
    return TaskService(state.engine(request), RunAnswers(state.nats(request)))


def _results(request: Request) -> ResultService:
    return ResultService(state.engine(request))


def _exports(request: Request) -> ExportService:
    return ExportService(state.engine(request), state.files(request), state.checks(request))


Tasks = Annotated[TaskService, Depends(_tasks)]
Results = Annotated[ResultService, Depends(_results)]
Exports = Annotated[ExportService, Depends(_exports)]


@router.get("")
async def list_annotation_tasks(
    tasks: Tasks,
    q: Annotated[Search | None, Query(description="Searched in the name, ignoring case.")] = None,
    status: AnnotationStatus | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Offset = 0,
) -> AnnotationTaskPage:
    """List annotation tasks, newest first."""
    return await tasks.list(q=q, status=status, limit=limit, offset=offset)


@router.post("", status_code=201, responses=MISSING | _REFUSED)
async def create_annotation_task(body: AnnotationTaskIn, tasks: Tasks, response: Response) -> AnnotationTaskOut:
    """Create an annotation task as a draft, and draw its items: cases of a published version, or answers of a run."""
    task = await tasks.create(body)
    response.headers["Location"] = f"{PATH}/{task.task_id}"
    return _with_version(response, task)


@router.get("/{task_id}", responses=MISSING)
async def get_annotation_task(task_id: UUID, tasks: Tasks, response: Response) -> AnnotationTaskOut:
    return _with_version(response, await tasks.get(task_id))


@router.patch("/{task_id}", responses=MISSING | CHANGED)
async def change_annotation_task(
    task_id: UUID, body: AnnotationTaskPatch, tasks: Tasks, response: Response, if_match: IfMatch = None
) -> AnnotationTaskOut:
    """Change name, description, instructions or time limits of a task. The questions never change, because existing
    labels would no longer fit them."""
    return _with_version(response, await tasks.change(task_id, body, if_match=if_match))


@router.delete("/{task_id}", status_code=204, responses=MISSING | _REFUSED)
async def delete_annotation_task(
    task_id: UUID,
    tasks: Tasks,
    with_labels: Annotated[bool, Query(description="Delete the labels that people gave, too.")] = False,
) -> None:
    """Delete a task. A task with labels is deleted only if `with_labels` is true."""
    await tasks.delete(task_id, with_labels=with_labels)


@router.post("/{task_id}/activate", responses=MISSING | _REFUSED)
async def activate_annotation_task(task_id: UUID, tasks: Tasks, response: Response) -> AnnotationTaskOut:
    """Activate a task, so that annotators get its items. It may be a draft, paused, or ended early."""
    return _with_version(response, await tasks.activate(task_id))


@router.post("/{task_id}/pause", responses=MISSING | _REFUSED)
async def pause_annotation_task(task_id: UUID, tasks: Tasks, response: Response) -> AnnotationTaskOut:
    """Pause a task, so that annotators get no more items of it. Labels of items that are leased now are still
    accepted."""
    return _with_version(response, await tasks.pause(task_id))


@router.post("/{task_id}/complete", responses=MISSING | _REFUSED)
async def complete_annotation_task(
    task_id: UUID, tasks: Tasks, results: Results, response: Response
) -> AnnotationTaskOut:
    """End a task early, while items still lack labels, and store the agreement of each annotator."""
    task = await tasks.complete(task_id)
    await results.settle(task_id)
    return _with_version(response, task)


@router.get("/{task_id}/progress", responses=MISSING)
async def annotation_progress(
    task_id: UUID, results: Results, consensus_threshold: Threshold = 0.8, method: MethodName = "majority"
) -> Progress:
    """Return counts, agreement with its intervals, and the work of each annotator."""
    return await results.progress(task_id, threshold=consensus_threshold, method=method)


@router.get("/{task_id}/items", responses=MISSING)
async def list_annotation_items(
    task_id: UUID,
    results: Results,
    only: Annotated[Only, Query(description="The items to list. `disagreement`: those below the threshold.")] = "all",
    consensus_threshold: Threshold = 0.8,
    method: MethodName = "majority",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Offset = 0,
) -> ItemPage:
    """List items with the labels of all annotators and the consensus, in the order of the task."""
    return await results.items(
        task_id, only=only, threshold=consensus_threshold, method=method, limit=limit, offset=offset
    )


@router.put("/{task_id}/items/{item_id}/decision", responses=MISSING)
async def decide_annotation_item(task_id: UUID, item_id: UUID, body: Decision, results: Results) -> ItemOut:
    """Decide an item on which people disagree. The decision overrides the labels, which are kept."""
    return await results.decide(task_id, item_id, body)


@router.delete("/{task_id}/items/{item_id}/decision", status_code=204, responses=MISSING)
async def withdraw_decision(task_id: UUID, item_id: UUID, results: Results) -> None:
    await results.withdraw(task_id, item_id)


@router.post("/{task_id}/export", responses=MISSING, openapi_extra=needs(Verb.READ))
async def export_annotations(task_id: UUID, body: ExportIn, exports: Exports, results: Results) -> Exported:
    """Count the items on which people agree, and return the address from which a file of these items is downloaded."""
    count = await exports.count(task_id, threshold=body.consensus_threshold, method=body.method)
    await results.settle(task_id)
    query = urlencode({"format": body.format, "consensus_threshold": body.consensus_threshold, "method": body.method})
    return Exported(download_url=f"{PATH}/{task_id}/export?{query}", expires_at=None, item_count=count)


@router.get("/{task_id}/export", responses=MISSING, response_class=StreamingResponse)
async def download_annotations(
    task_id: UUID,
    exports: Exports,
    format: FileFormat = "JSON",
    consensus_threshold: Threshold = 0.8,
    method: MethodName = "majority",
) -> StreamingResponse:
    """Download the items on which people agree, as JSON with all labels, or as CSV with a row for each field of an
    item."""
    blocks = await exports.file(task_id, threshold=consensus_threshold, method=method, format_=format)
    name = f"annotations-{task_id}.{format.lower()}"
    return StreamingResponse(
        blocks,
        media_type=_MEDIA_TYPES[format],
        headers={"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"},
    )


@router.post("/{task_id}/dataset-version", status_code=201, responses=MISSING | _REFUSED)
async def make_version_from_consensus(
    task_id: UUID, body: VersionFromConsensus, exports: Exports, response: Response
) -> VersionOut:
    """Create a version of the dataset with the consensus as ground truth (source HUMAN_CONSENSUS)."""
    version = await exports.new_version(task_id, body)
    response.headers["Location"] = f"/v1/datasets/{version.dataset_id}/versions/{version.version_number}"
    return version


def _with_version(response: Response, task: AnnotationTaskOut) -> AnnotationTaskOut:
    response.headers["ETag"] = f'"{task.version}"'
    return task
