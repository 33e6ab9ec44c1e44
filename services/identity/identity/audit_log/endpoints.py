"""Define the endpoints of `/api/audit-log`."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query
from fastapi.responses import StreamingResponse
from pydantic import AwareDatetime

from identity.audit_log.schemas import EntryOut
from identity.audit_log.service import AuditLogService, Filter
from identity.bodies import Cursor, Limit, Page
from identity.state import Opened
from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter

router = ServiceRouter(prefix="/api/audit-log", tags=["audit log"], resource=Resource.AUDIT_LOG)


def _service(opened: Opened) -> AuditLogService:
    return AuditLogService(opened)


def _filter(
    person_id: Annotated[UUID | None, Query(description="Only what this person did.")] = None,
    resource: Annotated[
        str | None, Query(max_length=60, pattern="^[a-z-]+$", description="Only this kind, such as `member`.")
    ] = None,
    since: Annotated[AwareDatetime | None, Query(description="Only from this time on.")] = None,
) -> Filter:
    return Filter(person_id, resource, since)


Service = Annotated[AuditLogService, Depends(_service)]
Which = Annotated[Filter, Depends(_filter)]


@router.get("")
async def list_audit_entries(
    service: Service, which: Which, limit: Limit = 50, cursor: Cursor = None
) -> Page[EntryOut]:
    """List what people did with accounts, roles, keys and the organisation, the latest first."""
    return await service.list(which, cursor=cursor, limit=limit)


@router.get("/export", response_class=StreamingResponse, responses={200: {"content": {"text/csv": {}}}})
async def export_audit_log(service: Service, which: Which) -> StreamingResponse:
    """Download the audit log as CSV."""
    headers = {"Content-Disposition": 'attachment; filename="audit-log.csv"'}
    return StreamingResponse(service.csv(which), media_type="text/csv; charset=utf-8", headers=headers)
