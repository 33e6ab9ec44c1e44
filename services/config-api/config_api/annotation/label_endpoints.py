"""Define the endpoints of `/v1/annotations/tasks` for annotators. An annotator sees one item at a time, and no labels
of other people."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, Response

from config_api import state
from config_api.annotation.labelling import Labelling
from config_api.annotation.schemas import AnnotationIn, Draft, NextItem, Saved, Submitted, Undone, WorkList
from config_api.annotation.task_endpoints import PATH
from config_api.problems import INVALID, MISSING, answers
from llmbench.access import Resource, Verb
from llmbench.http.service_router import ServiceRouter, needs

work_router = ServiceRouter(
    prefix="/v1/annotations", tags=["annotation"], resource=Resource.ANNOTATIONS, responses=INVALID
)
router = ServiceRouter(
    prefix=f"{PATH}/{{task_id}}", tags=["annotation"], resource=Resource.ANNOTATIONS, responses=MISSING | INVALID
)

_NOT_ACTIVE = answers(409, "The task gives out no items now.") | answers(403, "This annotator is given no items.")
_NOT_YOURS = answers(409, "This person was never given the item.") | answers(403, "This annotator is not active.")

Labeller = Annotated[
    UUID | None,
    Query(description="The annotator who labels. Leave it out if you have signed in: you are the annotator then."),
]


# This function is async, because FastAPI would otherwise run it in a thread. That takes a fifth of the time of storing
# a label.
async def _service(request: Request) -> Labelling:
    return Labelling(state.labelling_engine(request))


Service = Annotated[Labelling, Depends(_service)]


@work_router.get("/work")
async def list_work(service: Service, annotator_id: Labeller = None) -> WorkList:
    """List the ACTIVE tasks, with the number of items that this annotator has labelled or skipped in each."""
    return await service.work(annotator_id)


# This GET leases an item, so the right to read is not enough.
@router.get(
    "/next",
    responses=_NOT_ACTIVE | {204: {"description": "There is nothing left for this person."}},
    openapi_extra=needs(Verb.CREATE),
)
async def next_annotation_item(
    task_id: UUID, service: Service, response: Response, annotator_id: Labeller = None
) -> NextItem | None:
    """Return the item that is leased to this annotator. If there is none, lease the next item to them."""
    item = await service.next(task_id, annotator_id)
    if item is None:
        response.status_code = 204
    return item


@router.post("/items/{item_id}", responses=_NOT_YOURS)
async def submit_annotation(
    task_id: UUID, item_id: UUID, body: AnnotationIn, service: Service, annotator_id: Labeller = None
) -> Submitted:
    """Store the labels of an item, and return the next item. A repeated request replaces the annotator's own labels."""
    return await service.submit(task_id, item_id, annotator_id, body)


@router.put("/items/{item_id}/draft", responses=_NOT_YOURS)
async def save_annotation_draft(
    task_id: UUID, item_id: UUID, body: Draft, service: Service, annotator_id: Labeller = None
) -> Saved:
    """Save labels that are not finished, and extend the lease of the item."""
    return await service.save(task_id, item_id, annotator_id, body)


@router.post("/undo", responses=_NOT_YOURS)
async def undo_annotation(task_id: UUID, service: Service, annotator_id: Labeller = None) -> Undone:
    """Remove this annotator's last labels, and lease the item to them again."""
    return await service.undo(task_id, annotator_id)
