"""Define the bodies and responses of links by which people choose a new password."""

from uuid import UUID

from pydantic import BaseModel, Field

from identity.bodies import Input, NewPassword, Token
from llmbench.contracts.base import UtcTime


class PasswordResetIn(Input):
    person_id: UUID = Field(description="A person who is a member of this organisation only.")
    second_factor: bool = Field(
        default=False, description="True also removes the second factor, for instance of a lost device."
    )


class PasswordResetOut(BaseModel):
    person_id: UUID
    second_factor: bool
    expires_at: UtcTime
    token: str = Field(
        description="Shown only now. It belongs in the fragment of the link, which browsers do not send."
    )
    path: str = Field(description="The link's path and fragment, which follow the platform's address.")


class ResetPassword(Input):
    token: Token = Field(description="The token from the link that an admin has passed on.")
    password: NewPassword
