"""`/api/runs/{run_id}/items/{item_id}/comments`: the comments that people write on an item."""

from collections.abc import Callable
from typing import Final, NoReturn
from uuid import UUID

from pydantic import Field

from llmbench.access import Resource, Verb
from llmbench.errors import Problem
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter, needs
from orchestrator.runs.api.input import Input
from orchestrator.runs.ports.comments import MOST_COMMENTS, CommentOut, CommentStore, ItemComments, NotDone

_MOST_CHARACTERS: Final = 4_000
_FULL: Final = answers(409, f"The item has {MOST_COMMENTS} comments, the most that it may have.")


class NewComment(Input):
    """The request to add a comment to an item."""

    text: str = Field(min_length=1, max_length=_MOST_CHARACTERS)
    by: str | None = Field(
        default=None,
        min_length=1,
        max_length=120,
        pattern=r"^[^\x00-\x1f\x7f]*$",
        description="The name of the person, if nobody is signed in. With sign-in it is ignored.",
    )


def router(store: Callable[[], CommentStore]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/runs/{run_id}/items/{item_id}/comments", tags=["comments"], resource=Resource.RUNS)

    @api.get("", operation_id="listComments")
    async def list_comments(run_id: UUID, item_id: UUID) -> ItemComments:
        """List the comments on an item, the oldest first."""
        found = await store().of_item(run_id, item_id)
        if found is None:
            _refuse(NotDone.NO_ITEM, run_id, item_id)
        return found

    @api.post("", status_code=201, operation_id="addComment", responses=_FULL, openapi_extra=needs(Verb.UPDATE))
    async def add(run_id: UUID, item_id: UUID, body: NewComment) -> CommentOut:
        """Write a comment on an item. It changes no score."""
        done = await store().add(run_id, item_id, body.text, body.by)
        if isinstance(done, NotDone):
            _refuse(done, run_id, item_id)
        return done

    @api.delete("/{comment_id}", status_code=204, operation_id="deleteComment", openapi_extra=needs(Verb.UPDATE))
    async def delete(run_id: UUID, item_id: UUID, comment_id: UUID) -> None:
        """Delete your own comment. A comment that was written without sign-in may be deleted by everybody who may write
        comments."""
        refused = await store().delete(run_id, item_id, comment_id)
        if refused is not None:
            _refuse(refused, run_id, item_id)

    return api


def _refuse(reason: NotDone, run_id: UUID, item_id: UUID) -> NoReturn:
    match reason:
        case NotDone.NO_ITEM:
            raise Problem(404, "No such item", f"The run {run_id} has no item {item_id}.")
        case NotDone.NO_COMMENT:
            raise Problem(404, "No such comment", f"The item {item_id} has no such comment. It may have been deleted.")
        case NotDone.NOT_OWN:
            raise Problem(403, "Not your comment", "Only the person who wrote a comment can delete it.")
        case NotDone.TOO_MANY:
            detail = f"The item has {MOST_COMMENTS} comments, the most that it may have. Delete one that is settled."
            raise Problem(409, "Too many comments", detail)
