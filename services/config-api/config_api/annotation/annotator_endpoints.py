"""Define the endpoints of `/v1/annotations/annotators`."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, Response

from config_api import state
from config_api.annotation.annotators import AnnotatorService
from config_api.annotation.schemas import AnnotatorIn, AnnotatorOut, AnnotatorPage, AnnotatorPatch
from config_api.bodies import Search
from config_api.datasets.endpoints import Offset
from config_api.problems import CHANGED, INVALID, MISSING, answers
from config_api.versions import IfMatch
from llmbench.access import Resource
from llmbench.contracts.annotation_words import AnnotatorStatus
from llmbench.http.service_router import ServiceRouter

PATH = "/v1/annotations/annotators"
router = ServiceRouter(prefix=PATH, tags=["annotation"], resource=Resource.ANNOTATION_TASKS, responses=INVALID)

_TAKEN = answers(409, "Another annotator has this e-mail address.")


def _service(request: Request) -> AnnotatorService:
    return AnnotatorService(state.engine(request))


Service = Annotated[AnnotatorService, Depends(_service)]


@router.get("")
async def list_annotators(
    service: Service,
    q: Annotated[Search | None, Query(description="Searched in the name, ignoring case.")] = None,
    status: AnnotatorStatus | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    offset: Offset = 0,
) -> AnnotatorPage:
    """List annotators, sorted by name."""
    return await service.list(q=q, status=status, limit=limit, offset=offset)


@router.post("", status_code=201, responses=_TAKEN)
async def create_annotator(body: AnnotatorIn, service: Service, response: Response) -> AnnotatorOut:
    """Create an annotator. A person who signs in becomes an annotator automatically when they get their first item."""
    annotator = await service.create(body)
    response.headers["Location"] = f"{PATH}/{annotator.annotator_id}"
    return _with_version(response, annotator)


@router.get("/{annotator_id}", responses=MISSING)
async def get_annotator(annotator_id: UUID, service: Service, response: Response) -> AnnotatorOut:
    return _with_version(response, await service.get(annotator_id))


@router.patch("/{annotator_id}", responses=MISSING | _TAKEN | CHANGED)
async def change_annotator(
    annotator_id: UUID, body: AnnotatorPatch, service: Service, response: Response, if_match: IfMatch = None
) -> AnnotatorOut:
    """Change an annotator. Missing fields stay unchanged. A BLOCKED annotator gets no items, and their labels do not
    count."""
    return _with_version(response, await service.change(annotator_id, body, if_match=if_match))


def _with_version(response: Response, annotator: AnnotatorOut) -> AnnotatorOut:
    response.headers["ETag"] = f'"{annotator.version}"'
    return annotator
