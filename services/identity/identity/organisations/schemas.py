"""Define the bodies and responses of `/api/organisations`."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from identity.bodies import Email, Input, Name
from llmbench.contracts.base import UtcTime

Slug = Annotated[str, Field(min_length=1, max_length=100, pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]


class OrganisationIn(Input):
    name: Name
    slug: Slug


class OrganisationChange(Input):
    """The fields to change; others stay as they are."""

    name: Name | None = None
    slug: Slug | None = None
    billing_email: Email | None = None
    require_second_factor: bool | None = Field(
        default=None, description="True asks everybody for a second factor. You need one yourself before."
    )


class OrganisationOut(BaseModel):
    id: UUID
    name: str
    slug: str
    plan: Literal["FREE", "STARTER", "PROFESSIONAL", "ENTERPRISE"]
    billing_email: str | None
    require_second_factor: bool
    version: int
    created_at: UtcTime
    updated_at: UtcTime
