"""Define the endpoints of invitation links: for people who create the links, and for people who label with a link.

People with a link need no sign-in. The edge passes on their requests without asking who makes them, and the token in
the header is the only credential.
"""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Header, Request, Response

from config_api import state
from config_api.annotation.invitation_schemas import (
    AnnotationInvitationCreated,
    AnnotationInvitationIn,
    AnnotationInvitations,
    InvitedTo,
)
from config_api.annotation.invitations import InvitationService, InvitedLabelling
from config_api.annotation.schemas import AnnotationIn, Draft, NextItem, Saved, Submitted, Undone
from config_api.annotation.task_endpoints import PATH
from config_api.problems import INVALID, MISSING, answers
from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter

INVITED_PATH = "/v1/annotations/invited"
router = ServiceRouter(
    prefix=f"{PATH}/{{task_id}}/invitations",
    tags=["annotation"],
    resource=Resource.ANNOTATION_TASKS,
    responses=MISSING | INVALID,
)
_GONE = answers(410, "The link is unknown, expired or revoked.")
invited_router = ServiceRouter(prefix=INVITED_PATH, tags=["annotation"], resource=None, responses=_GONE | INVALID)

_REFUSED = answers(409, "The task gives out no items now, or this item is not held.") | answers(403, "Blocked.")
Token = Annotated[
    str, Header(alias="Llmbench-Invitation", max_length=200, description="The token of the invitation link.")
]


def _invitations(request: Request) -> InvitationService:
    return InvitationService(state.engine(request))


# This function is async, because FastAPI would otherwise run it in a thread. That takes a fifth of the time of storing
# a label.
async def _labelling(request: Request) -> InvitedLabelling:
    return InvitedLabelling(state.labelling_engine(request))


Invitations = Annotated[InvitationService, Depends(_invitations)]
Labelling = Annotated[InvitedLabelling, Depends(_labelling)]


@router.get("")
async def list_annotation_invitations(task_id: UUID, invitations: Invitations) -> AnnotationInvitations:
    """List the invitation links of a task, newest first, without their tokens."""
    return await invitations.list(task_id)


@router.post("", status_code=201, responses=answers(409, "Another annotator has this e-mail address."))
async def invite_annotator(
    task_id: UUID, body: AnnotationInvitationIn, invitations: Invitations
) -> AnnotationInvitationCreated:
    """Create a link with which one person labels this task without signing in. The token is shown only now."""
    return await invitations.create(task_id, body)


@router.delete("/{invitation_id}", status_code=204)
async def revoke_annotation_invitation(task_id: UUID, invitation_id: UUID, invitations: Invitations) -> None:
    """Revoke a link at once. The labels that were given with it are kept."""
    await invitations.revoke(task_id, invitation_id)


@invited_router.get("")
async def read_annotation_invitation(token: Token, labelling: Labelling) -> InvitedTo:
    """Return the task of an invitation link."""
    return await labelling.about(token)


@invited_router.get("/next", responses=_REFUSED | {204: {"description": "There is nothing left for this person."}})
async def next_invited_item(token: Token, labelling: Labelling, response: Response) -> NextItem | None:
    """Return the item that is leased to the invited person. If there is none, lease the next item to them."""
    item = await labelling.next(token)
    if item is None:
        response.status_code = 204
    return item


@invited_router.post("/items/{item_id}", responses=_REFUSED | MISSING)
async def submit_invited_annotation(item_id: UUID, body: AnnotationIn, token: Token, labelling: Labelling) -> Submitted:
    """Store the labels of an item, and return the next item."""
    return await labelling.submit(token, item_id, body)


@invited_router.put("/items/{item_id}/draft", responses=_REFUSED)
async def save_invited_draft(item_id: UUID, body: Draft, token: Token, labelling: Labelling) -> Saved:
    """Save labels that are not finished, and extend the lease of the item."""
    return await labelling.save(token, item_id, body)


@invited_router.post("/undo", responses=_REFUSED)
async def undo_invited_annotation(token: Token, labelling: Labelling) -> Undone:
    """Remove the invited person's last labels, and lease the item to them again."""
    return await labelling.undo(token)
