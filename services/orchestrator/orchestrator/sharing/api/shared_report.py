"""`/api/runs/shared/report`: the report of a run, for people who have a link and do not sign in.

The edge (the public reverse proxy) lets people without sign-in reach this path only. The token of the link is the only
credential. It is sent in a header or a form and not in the URL, because URLs end up in logs.
"""

from collections.abc import Callable
from typing import Annotated, Final
from uuid import UUID

from fastapi import Form, Header
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from llmbench.contracts.base import UtcTime
from llmbench.errors import Problem
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter
from llmbench.link_tokens import organisation_of, token_hash
from llmbench.organisation import working_for
from orchestrator.results.exports.base import formats
from orchestrator.results.ports.queries import ItemFilter
from orchestrator.sharing.api.bounded_response import BoundedResponse
from orchestrator.sharing.api.services import SharingServices
from orchestrator.sharing.ports.report_links import SharedRun

PATH: Final = "/api/runs/shared/report"
_MOST_CHARACTERS: Final = 200
_HEADERS: Final = {
    # The report is shown at the platform's own address, and needs no script: the browser must run none.
    "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
    "Content-Disposition": "inline",
}
_GONE: Final = answers(410, "The link is unknown, expired or revoked, or its run was deleted.")


class SharedReport(BaseModel):
    """The run whose report a link shows."""

    name: str
    expires_at: UtcTime


def router(services: Callable[[], SharingServices]) -> ServiceRouter:
    api = ServiceRouter(prefix=PATH, tags=["sharing"], resource=None, responses=_GONE)

    @api.get("", operation_id="readSharedReport")
    async def about(
        token: Annotated[
            str, Header(alias="Llmbench-Report-Link", max_length=_MOST_CHARACTERS, description="The token of the link.")
        ],
    ) -> SharedReport:
        """Return the name of the run whose report a link shows."""
        with working_for(_organisation(token)):
            shared = await _find(token)
        return SharedReport(name=shared.run_name, expires_at=shared.expires_at)

    @api.post(
        "",
        operation_id="openSharedReport",
        response_class=StreamingResponse,
        responses={200: {"description": "The report", "content": {"text/html": {"schema": {"type": "string"}}}}},
    )
    async def opened(
        token: Annotated[str, Form(max_length=_MOST_CHARACTERS, description="The token of the link.")],
    ) -> StreamingResponse:
        """Return the report as an HTML page. The token is sent in a form: a browser can submit a form and show the
        page, and no URL contains the token."""
        organisation = _organisation(token)
        with working_for(organisation):
            shared = await _find(token)
            summary = await services().runs.run(shared.run_id)
            if summary is None:
                raise _gone()
            await services().links.mark_opened(shared.link_id)
        written = formats()["report-html"].write(summary, services().exports.chosen(shared.run_id, ItemFilter()))
        return BoundedResponse(written, organisation=organisation, places=services().places, headers=_HEADERS)

    async def _find(token: str) -> SharedRun:
        shared = await services().links.find(token_hash(token))
        if shared is None:
            raise _gone()
        return shared

    return api


def _organisation(token: str) -> UUID:
    organisation = organisation_of(token)
    if organisation is None:
        raise _gone()
    return organisation


def _gone() -> Problem:
    return Problem(
        410,
        "The link does not work",
        "It has expired, it was revoked, its run was deleted, or it is incomplete. Ask the person who sent it for a "
        "new one.",
    )
