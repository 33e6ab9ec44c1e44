"""Define the bodies and responses of sign-in through issuers."""

from uuid import UUID

from pydantic import BaseModel, Field

from identity.bodies import Input, Token
from llmbench.contracts.base import UtcTime


class IssuerOut(BaseModel):
    """An issuer at which people may sign in."""

    name: str
    title: str


class IssuersOut(BaseModel):
    items: list[IssuerOut]


class Begin(Input):
    next: str = Field(
        default="/runs",
        max_length=2000,
        description="The path here to open afterwards. Anything else leads to the runs.",
    )


class BeginSignIn(Begin):
    invitation: Token | None = Field(
        default=None, description="The token of an invitation, to accept it with the account at the issuer."
    )


class Begun(BaseModel):
    location: str = Field(description="The issuer's address, which the browser has to open.")


class LoginOut(BaseModel):
    """An identity at an issuer with which you can sign in."""

    id: UUID
    issuer: str = Field(description="The issuer's title; its address if it is no longer configured.")
    created_at: UtcTime
    last_used_at: UtcTime


class LoginsOut(BaseModel):
    items: list[LoginOut]


class SignedOut(BaseModel):
    location: str | None = Field(description="The address at which the issuer's session ends, if it offers one.")
