"""Define the bodies and responses of `/api/organisations`."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from identity.bodies import Input, Name
from llmbench.contracts.base import UtcTime
from llmbench.http.email_address import Email

Slug = Annotated[str, Field(min_length=1, max_length=100, pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]


EvaluatorKind = Annotated[str, Field(min_length=1, max_length=64, pattern="^[a-z][a-z0-9_]*$")]


class SettingsChange(Input):
    """The settings to change. A missing setting stays as it is, and null removes a setting."""

    cost_budget_monthly_usd: float | None = Field(
        default=None,
        ge=0,
        le=1_000_000_000,
        allow_inf_nan=False,
        description="US dollars that calls may cost in a month (UTC). At 80 % people are warned. At 100 % no run "
        "starts, and running ones pause.",
    )
    default_evaluators: list[EvaluatorKind] | None = Field(
        default=None, max_length=20, description="Evaluators of runs and evaluations that name none."
    )
    data_retention_days: int | None = Field(
        default=None, ge=1, le=36_500, description="Days after which finished runs are removed."
    )


class SettingsOut(BaseModel):
    cost_budget_monthly_usd: float | None = None
    default_evaluators: list[str] = []
    data_retention_days: int | None = None


class LimitsOut(BaseModel):
    """The limits of the plan. Null: no limit."""

    concurrency: int | None
    runs_a_day: int | None
    storage_bytes: int | None
    members: int | None


class OrganisationIn(Input):
    name: Name
    slug: Slug


class OrganisationChange(Input):
    """The fields to change. A missing field stays as it is."""

    name: Name | None = None
    slug: Slug | None = None
    billing_email: Email | None = None
    settings: SettingsChange | None = None
    require_second_factor: bool | None = Field(
        default=None, description="True requires a second factor of every member. You need one yourself first."
    )


class OrganisationOut(BaseModel):
    id: UUID
    name: str
    slug: str
    plan: Literal["FREE", "STARTER", "PROFESSIONAL", "ENTERPRISE"]
    billing_email: str | None
    settings: SettingsOut
    limits: LimitsOut
    require_second_factor: bool
    closable: bool = Field(description="False for the first organisation of the platform, which stays open.")
    version: int
    created_at: UtcTime
    updated_at: UtcTime
