"""Define the bodies and responses of `/api/members`."""

from uuid import UUID

from pydantic import BaseModel

from identity.bodies import Input
from llmbench.access import Role
from llmbench.contracts.base import UtcTime


class MemberIn(Input):
    role: Role


class MemberOut(BaseModel):
    """A member of the organisation. `id` is the id of the person."""

    id: UUID
    name: str
    email: str
    role: Role
    created_at: UtcTime
