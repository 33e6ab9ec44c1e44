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
    token: Token = Field(description="From the link that the first start printed.")
    email: Email
    name: Name
    password: NewPassword
    organisation: Name = Field(description="The name of the organisation; it gets what is already there.")


class AcceptInvitation(Input):
    token: Token = Field(description="From the link of the invitation.")
    name: Name
    email: Email
    password: NewPassword = Field(description="A new one; or your own, if the address already has an account.")
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
    required: bool = Field(description="The organisation asks everybody for one.")
    lacking: bool = Field(description="This session needs one before it may do anything.")


Right = Annotated[str, Field(json_schema_extra={"enum": sorted(SCOPES)})]


class SessionOut(BaseModel):
    """The person who has signed in. Without a session only `auth`, `signed_in` and `first_owner_needed` have values."""

    auth: Literal["on", "off"]
    signed_in: bool
    first_owner_needed: bool = Field(description="True until somebody has used the link of the first start.")
    person: PersonOut | None = None
    organisation: OrganisationOut | None = None
    role: Role | None = None
    organisations: list[MembershipOut] = []
    csrf_token: str | None = Field(
        default=None, description="To be sent as X-CSRF-Token with every request that changes something."
    )
    second_factor: SecondFactorState | None = None
    sign_in: Literal["password", "proxy"] = Field(
        default="password", description="`proxy`: a proxy in front of the platform signs people in."
    )
    refused: str | None = Field(default=None, description="Why the person whom the proxy names has no session.")
    allowed: list[Right] = Field(default=[], description="Pairs `resource:verb` that the role allows.")
