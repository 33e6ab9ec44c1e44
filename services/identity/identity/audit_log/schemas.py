"""Define the responses of `/api/audit-log`."""

from typing import Any
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import UtcTime


class EntryOut(BaseModel):
    id: UUID
    at: UtcTime
    person_id: UUID | None
    person_name: str
    address: str | None
    action: str = Field(description="In the past tense, such as `created`.")
    resource: str
    resource_id: str | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None
