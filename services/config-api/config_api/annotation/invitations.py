"""Let people without an account label one task: create a link for each of them, and serve the requests of people with
such a link.

An invited person is an annotator, and sees only the task of the link, one item at a time. The link is the only
credential: these requests need no sign-in.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.annotation import annotator_store, invitation_store
from config_api.annotation.invitation_schemas import (
    AnnotationInvitationCreated,
    AnnotationInvitationIn,
    AnnotationInvitationOut,
    AnnotationInvitations,
    InvitedTo,
)
from config_api.annotation.labelling import Labelling
from config_api.annotation.schemas import AnnotationIn, Draft, NextItem, Saved, Submitted, Undone
from config_api.annotation.tasks import require_task
from config_api.conflicts import unique
from config_api.versions import missing
from llmbench.errors import Problem
from llmbench.ids import DEFAULT_ORG_ID
from llmbench.link_tokens import new_token, organisation_of, token_hash
from llmbench.organisation import asked_by, bound_organisation, working_for

PAGE = "/annotate"
"""The page of the web application for invited people. The token follows `#`, which browsers send to no server."""


class InvitationService:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def list(self, task_id: UUID) -> AnnotationInvitations:
        async with self._engine.connect() as connection:
            await require_task(connection, task_id)
            rows = await invitation_store.list_invitations(connection, task_id)
        return AnnotationInvitations(invitations=[_out(row) for row in rows])

    async def create(self, task_id: UUID, body: AnnotationInvitationIn) -> AnnotationInvitationCreated:
        """Create an invitation. If the body names a new annotator, create the annotator, too.

        Raises a 404 problem for an unknown task or annotator, and a 409 problem if the e-mail address is taken.
        """
        token = new_token(bound_organisation() or DEFAULT_ORG_ID)
        with unique(annotator_store.UNIQUE_EMAIL, what="annotator", field="email", value=body.email or ""):
            async with self._engine.begin() as connection:
                await require_task(connection, task_id)
                annotator_id = body.annotator_id
                if annotator_id is None:
                    made = await annotator_store.insert_annotator(connection, {"name": body.name, "email": body.email})
                    annotator_id = made.annotator_id
                elif await annotator_store.find_annotator(connection, annotator_id) is None:
                    raise missing("annotator", annotator_id)
                values = {"task_id": task_id, "annotator_id": annotator_id, "token_hash": token_hash(token)}
                row = await invitation_store.insert_invitation(connection, values, hours=body.expires_in_hours)
        return AnnotationInvitationCreated(invitation=_out(row), token=token, path=f"{PAGE}#{token}")

    async def revoke(self, task_id: UUID, id_: UUID) -> None:
        """Revoke an invitation at once. Labels that were given with it are kept."""
        async with self._engine.begin() as connection:
            if not await invitation_store.revoke(connection, task_id, id_):
                raise missing("invitation of this task", id_)


def _out(row: Row[Any]) -> AnnotationInvitationOut:
    return AnnotationInvitationOut.model_validate(dict(row._mapping))


@dataclass(frozen=True)
class _Invited:
    task_id: UUID
    annotator_id: UUID


class InvitedLabelling:
    """Offer an invited person the actions of `Labelling`, limited to the task and the annotator of their token.

    Each method raises a 410 problem for a token that is unknown, expired or revoked.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._labelling = Labelling(engine)

    async def about(self, token: str) -> InvitedTo:
        with _of_token(token):
            async with self._engine.begin() as connection:
                row = _require_open(await invitation_store.find_by_hash(connection, token_hash(token)))
                await invitation_store.mark_used(connection, row.id)
        return InvitedTo.model_validate(dict(row._mapping))

    async def next(self, token: str) -> NextItem | None:
        async with self._invited(token) as invited:
            return await self._labelling.next(invited.task_id, invited.annotator_id)

    async def submit(self, token: str, item_id: UUID, body: AnnotationIn) -> Submitted:
        async with self._invited(token) as invited:
            return await self._labelling.submit(invited.task_id, item_id, invited.annotator_id, body)

    async def save(self, token: str, item_id: UUID, body: Draft) -> Saved:
        async with self._invited(token) as invited:
            return await self._labelling.save(invited.task_id, item_id, invited.annotator_id, body)

    async def undo(self, token: str) -> Undone:
        async with self._invited(token) as invited:
            return await self._labelling.undo(invited.task_id, invited.annotator_id)

    @asynccontextmanager
    async def _invited(self, token: str) -> AsyncIterator[_Invited]:
        """Bind the organisation of the token within the `async with` block. Yield the task and the annotator of its
        invitation."""
        with _of_token(token), asked_by(None):
            async with self._engine.connect() as connection:
                row = _require_open(await invitation_store.find_by_hash(connection, token_hash(token)))
            yield _Invited(row.task_id, row.annotator_id)


def _of_token(token: str) -> AbstractContextManager[None]:
    organisation = organisation_of(token)
    if organisation is None:
        raise _gone("Link not valid", "This link is incomplete. Copy it again from the message that you got.")
    return working_for(organisation)


def _require_open(row: Row[Any] | None) -> Row[Any]:
    ask = "Ask the person who invited you for a new one."
    if row is None:
        raise _gone("Link not valid", f"Nobody knows this link: the task may have been deleted. {ask}")
    if row.status == "EXPIRED":
        raise _gone("Link expired", f"This link has expired. What you labelled is kept. {ask}")
    if row.status == "REVOKED":
        raise _gone("Link revoked", f"This link was revoked. What you labelled is kept. {ask}")
    return row


def _gone(title: str, detail: str) -> Problem:
    return Problem(410, title, detail)
