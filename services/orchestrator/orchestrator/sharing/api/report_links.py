"""`/api/runs/{run_id}/report-links`: the links with which people read the report of a run without signing in."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.access import Resource, Verb
from llmbench.errors import Problem
from llmbench.http.authentication import require_allowed
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter
from llmbench.ids import DEFAULT_ORG_ID
from llmbench.link_tokens import new_token, token_hash
from llmbench.organisation import bound_organisation
from orchestrator.kernel.domain.refusal import no_run
from orchestrator.runs.api.input import Input
from orchestrator.sharing.api.services import SharingServices
from orchestrator.sharing.ports.report_links import MOST_LINKS, ReportLinkOut, ReportLinks

PAGE: Final = "/shared-report"
"""The page of the web application for people with a link. The token follows `#`, which browsers send to no server."""
_MOST_DAYS: Final = 90
_DEFAULT_DAYS: Final = 7
_FULL: Final = answers(409, f"The run has {MOST_LINKS} links that work, the most that it may have.")


class NewReportLink(Input):
    """The request to create a link to the report of a run."""

    expires_in_days: int = Field(default=_DEFAULT_DAYS, ge=1, le=_MOST_DAYS)


class ReportLinkCreated(BaseModel):
    """The created link with its token, which only this response contains. To open the report, append `path` to the
    address of the platform."""

    link: ReportLinkOut
    token: str
    path: str


def router(services: Callable[[], SharingServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/runs/{run_id}/report-links", tags=["sharing"], resource=Resource.RUNS)

    @api.get("", operation_id="listReportLinks")
    async def list_links(run_id: UUID) -> ReportLinks:
        """List the valid links to the report of a run, the newest first. The tokens of the links are not returned."""
        if not await services().runs.exists(run_id):
            raise no_run(run_id)
        return await services().links.of_run(run_id)

    @api.post("", status_code=201, operation_id="createReportLink", responses=_FULL)
    async def create(run_id: UUID, body: NewReportLink) -> ReportLinkCreated:
        """Create a link with which people read the report of this run without signing in. Only this response contains
        the link's token. The caller also needs the right to read runs."""
        # Otherwise a key that may only create runs could read their reports.
        require_allowed(Resource.RUNS, Verb.READ)
        token = new_token(bound_organisation() or DEFAULT_ORG_ID)
        link = await services().links.add(run_id, token_hash(token), days=body.expires_in_days)
        if link is None:
            detail = f"The run has {MOST_LINKS} links that work, the most that it may have. Revoke one first."
            raise Problem(409, "Too many links", detail)
        return ReportLinkCreated(link=link, token=token, path=f"{PAGE}#{token}")

    @api.delete("/{link_id}", status_code=204, operation_id="revokeReportLink")
    async def revoke(run_id: UUID, link_id: UUID) -> None:
        """Revoke a link, so that it stops working at once."""
        if not await services().links.revoke(run_id, link_id):
            raise Problem(404, "No such link", f"The run {run_id} has no such link. It may have expired.")

    return api
