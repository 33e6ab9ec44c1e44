"""The type of the field `created_by` in responses: the id of the person who created something. The field is absent if
the person is unknown."""

from typing import Annotated
from uuid import UUID

from pydantic import Field


def _is_unknown(person_id: UUID | None) -> bool:
    return person_id is None


CreatedBy = Annotated[
    UUID | None, Field(exclude_if=_is_unknown, description="The person who created it. Absent if there was no sign-in.")
]
