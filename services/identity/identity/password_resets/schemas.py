"""Define the bodies and responses of links by which people choose a new password."""

from uuid import UUID

from pydantic import BaseModel, Field

from identity.bodies import Input, NewPassword, Token
from llmbench.contracts.base import UtcTime


class PasswordResetIn(Input):
    person_id: UUID = Field(description="A member of the organisation, and of no other one.")
    second_factor: bool = Field(default=False, description="True to remove the second factor, too: a lost device.")


class PasswordResetOut(BaseModel):
    person_id: UUID
    second_factor: bool
    expires_at: UtcTime
    token: str = Field(description="Shown once. It belongs into the fragment of the link, which is never sent.")
    path: str = Field(description="The link's path and fragment, to be put behind the platform's address.")


class ResetPassword(Input):
    token: Token = Field(description="From the link that an admin has passed on.")
    password: NewPassword
