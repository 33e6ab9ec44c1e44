"""Define the bodies and responses of `/api/invitations`."""

from uuid import UUID

from pydantic import BaseModel, Field

from identity.bodies import Input
from llmbench.access import Role
from llmbench.contracts.base import UtcTime
from llmbench.http.email_address import Email


class InvitationIn(Input):
    role: Role
    email: Email | None = Field(
        default=None, description="The address of the invited person. It is shown in the list, and not checked."
    )
    expires_in_days: int = Field(default=7, ge=1, le=30)


class InvitationOut(BaseModel):
    """An unused invitation."""

    id: UUID
    role: Role
    email: str | None
    created_by: UUID | None
    created_at: UtcTime
    expires_at: UtcTime


class InvitationCreated(InvitationOut):
    token: str = Field(
        description="Shown only now. It belongs in the fragment of the link, which browsers do not send."
    )
    path: str = Field(description="The link's path and fragment, which follow the platform's address.")
