"""Define the bodies and responses of `/api/auth`."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from identity.bodies import Code, Input, Name, NewPassword, Password, Token
from llmbench.access import SCOPES, Role
from llmbench.http.email_address import Email


class SignIn(Input):
    email: Email
    password: Password
    code: Code | None = Field(default=None, description="The code of the second factor, where the account has one.")


class FirstOwner(Input):
    token: Token = Field(description="The token from the link in the log of the first start.")
    email: Email
    name: Name
    password: NewPassword
    organisation: Name = Field(description="The name of the organisation, which owns all existing data.")


class AcceptInvitation(Input):
    token: Token = Field(description="The token from the link of the invitation.")
    name: Name
    email: Email
    password: NewPassword = Field(description="A new password, or that of your account if the address has one.")
    code: Code | None = Field(default=None, description="The code of the second factor, if that account has one.")


class ChangePassword(Input):
    current: Password
    new: NewPassword


class SwitchOrganisation(Input):
    id: UUID


class PersonOut(BaseModel):
    id: UUID
    name: str
    email: str


class OrganisationOut(BaseModel):
    id: UUID
    name: str
    slug: str


class MembershipOut(OrganisationOut):
    role: Role


class SecondFactorState(BaseModel):
    enabled: bool
    required: bool = Field(description="Whether the organisation requires one of every member.")
    lacking: bool = Field(description="Whether this session needs one before it may do anything.")


Right = Annotated[str, Field(json_schema_extra={"enum": sorted(SCOPES)})]


class SessionOut(BaseModel):
    """A session and its person. Without a session, only the fields that say how a person can sign in, and why not, have
    values: `auth`, `signed_in`, `first_owner_needed`, `sign_in` and `refused`."""

    auth: Literal["on", "off"]
    signed_in: bool
    first_owner_needed: bool = Field(description="True until somebody has used the link of the first start.")
    person: PersonOut | None = None
    organisation: OrganisationOut | None = None
    role: Role | None = None
    organisations: list[MembershipOut] = []
    csrf_token: str | None = Field(
        default=None, description="Every request that changes something sends it as X-CSRF-Token."
    )
    second_factor: SecondFactorState | None = None
    sign_in: Literal["password", "proxy"] = Field(
        default="password", description="`proxy`: a proxy in front of the platform signs people in."
    )
    refused: str | None = Field(default=None, description="Why the person whom the proxy names has no session.")
    allowed: list[Right] = Field(default=[], description="Pairs `resource:verb` that the role allows.")
