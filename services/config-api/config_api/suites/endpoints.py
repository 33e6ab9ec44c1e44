"""Define the endpoints of `/api/suites`."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, Query, Request, Response

from config_api import state
from config_api.bodies import Search
from config_api.paging import CursorText, Limit
from config_api.problems import CHANGED, INVALID, MISSING, TAKEN, answers
from config_api.suites.checking import EvaluatorChecks
from config_api.suites.schemas import (
    Applied,
    ApplySuite,
    SuiteIn,
    SuiteOut,
    SuitePage,
    schema,
)
from config_api.suites.service import SuiteService
from config_api.versions import IfMatch, show_created, show_version
from llmbench.access import Resource
from llmbench.contracts.suite import SuiteStatus
from llmbench.http.service_router import ServiceRouter

PATH = "/api/suites"
router = ServiceRouter(prefix=PATH, tags=["suites"], resource=Resource.SUITES, responses=INVALID)

_PUBLISHED = answers(409, "The version is published and never changes, or the name is taken.")
_HAS_BASELINE = answers(409, "The suite has a baseline, and this is its last version.")
_ONE_DRAFT = answers(409, "The suite has a draft already.")


def _service(request: Request) -> SuiteService:
    return SuiteService(state.engine(request), EvaluatorChecks(state.nats(request)))


Service = Annotated[SuiteService, Depends(_service)]


@router.get("")
async def list_suites(
    service: Service,
    limit: Limit = 50,
    cursor: CursorText = None,
    q: Annotated[Search | None, Query(description="Searched in the name, ignoring case.")] = None,
    status: Annotated[SuiteStatus | None, Query(description="The newest version in this state.")] = None,
) -> SuitePage:
    """List suites, each in its newest version, sorted by name."""
    return await service.list(q=q, status=status, cursor=cursor, limit=limit)


@router.get("/schema")
async def suite_schema() -> Mapping[str, Any]:
    """Return the JSON Schema of a suite's YAML file, with which editors can validate and complete the file."""
    return schema()


@router.post("", status_code=201, responses=TAKEN)
async def create_suite(body: SuiteIn, service: Service, response: Response) -> SuiteOut:
    """Create the first version of a suite, as a draft."""
    suite = await service.create(body)
    show_created(response, suite, PATH)
    return suite


@router.post("/apply", responses=TAKEN)
async def apply_suite(body: ApplySuite, service: Service, response: Response) -> Applied:
    """Create or change the suite of this name, so that its content equals the request's. A repeated request changes
    nothing.

    A published version never changes. If its content differs from the request's, a new version is created.
    """
    applied = await service.apply(body)
    show_version(response, applied.suite)
    return applied


@router.get("/{id}", responses=MISSING)
async def get_suite(id: UUID, service: Service, response: Response) -> SuiteOut:
    suite = await service.get(id)
    show_version(response, suite)
    return suite


@router.put("/{id}", responses=MISSING | _PUBLISHED | CHANGED)
async def update_suite(
    id: UUID, body: SuiteIn, service: Service, response: Response, if_match: IfMatch = None
) -> SuiteOut:
    """Replace the content of a draft."""
    suite = await service.replace(id, body, if_match=if_match)
    show_version(response, suite)
    return suite


@router.delete("/{id}", status_code=204, responses=MISSING | _HAS_BASELINE)
async def delete_suite(id: UUID, service: Service) -> None:
    """Delete a version of a suite. Its runs stay. The last version of a suite cannot be deleted while the suite has a
    baseline."""
    await service.delete(id)


@router.post("/{id}/publish", responses=MISSING)
async def publish_suite(id: UUID, service: Service, response: Response) -> SuiteOut:
    """Publish a draft version, so that it can run. From then on the version never changes."""
    suite = await service.publish(id)
    show_version(response, suite)
    return suite


@router.get("/{id}/versions", responses=MISSING)
async def list_suite_versions(id: UUID, service: Service) -> SuitePage:
    """List all versions of the suite, newest first."""
    return await service.versions(id)


@router.post("/{id}/versions", status_code=201, responses=MISSING | _ONE_DRAFT)
async def create_suite_version(id: UUID, service: Service, response: Response) -> SuiteOut:
    """Create the next version of the suite: a draft with the content of this version."""
    suite = await service.new_version(id)
    show_created(response, suite, PATH)
    return suite
