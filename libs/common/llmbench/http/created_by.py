"""The field of a response that names the person who created something."""

from typing import Annotated
from uuid import UUID

from pydantic import Field


def _is_unknown(person_id: UUID | None) -> bool:
    return person_id is None


CreatedBy = Annotated[
    UUID | None, Field(exclude_if=_is_unknown, description="The person who created it. Absent if there was no sign-in.")
]
