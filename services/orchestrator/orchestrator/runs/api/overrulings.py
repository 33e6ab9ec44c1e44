"""`/api/runs/{run_id}/items/{item_id}/overrulings`: the scores that people give instead of a judge's."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final
from uuid import UUID

from fastapi import Query
from pydantic import Field

from llmbench.access import Resource, Verb
from llmbench.errors import Problem
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter, needs
from llmbench.organisation import bound_actor
from orchestrator.runs.api.input import Input
from orchestrator.runs.handlers import commands
from orchestrator.runs.handlers.commands import CommandParts
from orchestrator.runs.handlers.overrule import WantedScore, overrule, withdraw
from orchestrator.runs.ports.overrulings import Author, ItemOverrulings, OverrulingReader

_NAME: Final = r"^[^\x00-\x1f\x7f]*$"
_STATE: Final = answers(409, "The run is not over, the evaluator is no judge, or it gave this answer no score.")
_BY: Final = (
    "The name of the person, if nobody is signed in. With sign-in it is the person who signed in: leave it out."
)


class Overrule(Input):
    """The request to replace a judge's score by a person's `score`, which is on the judge's scale."""

    score: float = Field(allow_inf_nan=False)
    reason: str = Field(min_length=1, max_length=2_000)
    by: str | None = Field(default=None, min_length=1, max_length=120, pattern=_NAME, description=_BY)


@dataclass(frozen=True)
class OverrulingServices:
    """The dependencies of the endpoints, created when the service starts."""

    commands: CommandParts
    reader: OverrulingReader


def router(services: Callable[[], OverrulingServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/runs/{run_id}/items/{item_id}/overrulings", tags=["runs"], resource=Resource.RUNS)

    @api.get("", operation_id="listOverrulings")
    async def list_overrulings(run_id: UUID, item_id: UUID) -> ItemOverrulings:
        """List the scores that people gave an item instead of a judge's, with their reasons, the newest first.
        Scores that were replaced or withdrawn stay in the list."""
        return await _of_item(run_id, item_id)

    @api.put("/{revision_id}", operation_id="overruleScore", responses=_STATE)
    async def put(run_id: UUID, item_id: UUID, revision_id: UUID, body: Overrule) -> ItemOverrulings:
        """Overrule a judge's score for an item of a run that is over. `revision_id` is the judge's evaluator revision.

        The judge's scores stay. The person's score is stored in a separate evaluator revision, which has copies of the
        judge's scores for all other items. `POST /api/runs/{run_id}/promote` makes this revision the primary one.
        """
        wanted = WantedScore(body.score, body.reason)
        order = partial(overrule, item_id=item_id, revision_id=revision_id, wanted=wanted, author=_author(body.by))
        await commands.give(services().commands, run_id, order)
        return await _of_item(run_id, item_id)

    @api.delete("/{revision_id}", operation_id="withdrawOverruling", responses=_STATE, openapi_extra=needs(Verb.UPDATE))
    async def delete(
        run_id: UUID,
        item_id: UUID,
        revision_id: UUID,
        by: Annotated[str | None, Query(min_length=1, max_length=120, pattern=_NAME, description=_BY)] = None,
    ) -> ItemOverrulings:
        """Withdraw a person's score, so that the judge's score counts again. The history keeps both scores."""
        order = partial(withdraw, item_id=item_id, revision_id=revision_id, author=_author(by))
        await commands.give(services().commands, run_id, order)
        return await _of_item(run_id, item_id)

    async def _of_item(run_id: UUID, item_id: UUID) -> ItemOverrulings:
        found = await services().reader.of_item(run_id, item_id)
        if found is None:
            raise Problem(404, "No such item", f"The run {run_id} has no item {item_id}.")
        return found

    return api


def _author(name: str | None) -> Author:
    return Author(bound_actor(), (name.strip() or None) if name else None)
