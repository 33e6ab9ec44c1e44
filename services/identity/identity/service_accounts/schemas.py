"""Define the bodies and responses of `/api/service-accounts`."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel

from identity.bodies import Input, Name
from llmbench.access import Role
from llmbench.contracts.base import UtcTime


class ServiceAccountIn(Input):
    name: Name
    role: Literal[Role.ADMIN, Role.MEMBER, Role.VIEWER, Role.ANNOTATOR]


class ServiceAccountOut(BaseModel):
    """An account of a program. It cannot sign in; it acts by API keys."""

    id: UUID
    name: str
    role: Role
    created_at: UtcTime
