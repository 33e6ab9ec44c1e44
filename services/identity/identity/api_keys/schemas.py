"""Define the bodies and responses of `/api/api-keys`."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, BaseModel, Field

from identity.bodies import Input, Name
from llmbench.access import unknown_scopes
from llmbench.contracts.base import UtcTime


def _known(scopes: list[str]) -> list[str]:
    if unknown := unknown_scopes(scopes):
        raise ValueError(f"there is no {unknown[0]}; a scope is a pair such as runs:create")
    return sorted(set(scopes))


Scopes = Annotated[
    list[Annotated[str, Field(max_length=60)]], Field(min_length=1, max_length=100), AfterValidator(_known)
]


class ApiKeyIn(Input):
    name: Name
    scopes: Scopes | None = Field(
        default=None, description="Pairs `resource:verb` that the key may use; null for all that your role allows."
    )
    expires_at: AwareDatetime | None = Field(default=None, description="Null: the key does not expire.")
    service_account_id: UUID | None = Field(
        default=None, description="The service account that the key acts for; null for yourself."
    )


class ApiKeyOut(BaseModel):
    """An API key. It acts for a person or a service account, with the role that the person or account has now. The
    key's scopes limit these rights."""

    id: UUID
    name: str
    person_id: UUID
    person_name: str
    scopes: list[str] | None
    created_at: UtcTime
    expires_at: UtcTime | None
    last_used_at: UtcTime | None


class ApiKeyCreated(ApiKeyOut):
    key: str = Field(description="The key, shown only now: only its hash is stored.")
