"""Define the bodies and responses of invitation links."""

from typing import Literal, Self
from uuid import UUID

from pydantic import BaseModel, Field, model_validator

from config_api.bodies import Input, Name
from llmbench.contracts.base import UtcTime
from llmbench.http.email_address import Email

MOST_HOURS = 24 * 365
DEFAULT_HOURS = 24 * 14


class AnnotationInvitationIn(Input):
    """The request body of a new invitation. The person who gets the link is an existing annotator, or a new one with
    `name`."""

    annotator_id: UUID | None = None
    name: Name | None = None
    email: Email | None = None
    expires_in_hours: int = Field(default=DEFAULT_HOURS, ge=1, le=MOST_HOURS)

    @model_validator(mode="after")
    def _one_person(self) -> Self:
        if (self.annotator_id is None) == (self.name is None):
            raise ValueError("give an annotator_id, or the name of a new annotator: one of the two")
        if self.annotator_id is not None and self.email is not None:
            raise ValueError("an annotator who exists has an e-mail address of their own")
        return self


class AnnotationInvitationOut(BaseModel):
    """An invitation link, without its token."""

    invitation_id: UUID
    annotator_id: UUID
    annotator: str
    status: Literal["OPEN", "EXPIRED", "REVOKED"]
    expires_at: UtcTime
    used_at: UtcTime | None = Field(description="When the link was opened last.")
    created_at: UtcTime


class AnnotationInvitationCreated(BaseModel):
    """The invitation with its token, which is shown only in this response. The link is `path` at the address of the
    platform."""

    invitation: AnnotationInvitationOut
    token: str
    path: str


class AnnotationInvitations(BaseModel):
    """The 200 newest invitations of a task."""

    invitations: list[AnnotationInvitationOut]


class InvitedTo(BaseModel):
    """The task that an invited person labels. It is all that they see of the platform."""

    name: str
    description: str | None
    annotator: str
    expires_at: UtcTime
    total_items: int
    completed_items: int
