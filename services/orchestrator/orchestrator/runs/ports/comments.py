"""The comments that people write on items: their responses, and the port that stores them."""

from enum import Enum
from typing import Protocol
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import UtcTime
from llmbench.http.created_by import CreatedBy

MOST_COMMENTS = 200
"""The maximum number of comments on one item."""


class CommentOut(BaseModel):
    """A comment on an item. Text and name are untrusted input: show them as text, never as markup."""

    id: UUID
    text: str
    given_name: str | None = Field(description="The name that the person gave, if there was no sign-in.")
    created_at: UtcTime
    created_by: CreatedBy = None
    own: bool = Field(description="True if the requesting person may delete it.")


class ItemComments(BaseModel):
    """All comments on an item, the oldest first."""

    items: list[CommentOut]


class NotDone(Enum):
    """The reasons why a comment was not added or not deleted."""

    NO_ITEM = "no item"
    NO_COMMENT = "no comment"
    TOO_MANY = "too many"
    NOT_OWN = "not own"


class CommentStore(Protocol):
    """Stores the comments on items. A comment belongs to the signed-in person who wrote it. A comment that was written
    without sign-in belongs to everybody."""

    async def of_item(self, run_id: UUID, item_id: UUID) -> ItemComments | None:
        """Return the comments on an item; `None` if the run has no such item."""
        ...

    async def add(self, run_id: UUID, item_id: UUID, text: str, given_name: str | None) -> CommentOut | NotDone:
        """Add a comment. `given_name` is the author's name; it is ignored if a person is signed in."""
        ...

    async def delete(self, run_id: UUID, item_id: UUID, comment_id: UUID) -> NotDone | None:
        """Delete the requesting person's own comment. Return `None` if it is deleted."""
        ...
