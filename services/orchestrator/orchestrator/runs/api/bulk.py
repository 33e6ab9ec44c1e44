"""The endpoints of `/api/runs` that change or delete several runs at once."""

from collections.abc import Callable
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field, model_validator

from llmbench.access import Resource, Verb
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter, needs
from orchestrator.runs.api.bodies import Tag
from orchestrator.runs.api.endpoints import RunServices
from orchestrator.runs.api.input import Input
from orchestrator.runs.domain.tags import MOST_TAGS, TagChange

MOST_RUNS = 100
_REFUSED = answers(409, "Some of the runs cannot be deleted, and none was; `refused` names each with the reason.")
_NO_RUN = answers(404, "Some of the runs do not exist, and none was changed.")

RunIds = Annotated[list[UUID], Field(min_length=1, max_length=MOST_RUNS)]


class TagRuns(Input):
    """The request to add tags to runs and to remove tags from them. A run keeps its other tags."""

    run_ids: RunIds
    add: list[Tag] = Field(default_factory=list, max_length=MOST_TAGS)
    remove: list[Tag] = Field(default_factory=list, max_length=MOST_TAGS)

    @model_validator(mode="after")
    def _changes_something(self) -> "TagRuns":
        if not self.add and not self.remove:
            raise ValueError("name tags to add, tags to remove, or both")
        if both := sorted({*self.add} & {*self.remove}):
            raise ValueError(f"a tag is either added or removed, and not both: {', '.join(both[:5])}")
        return self


class RunsTagged(BaseModel):
    changed: int = Field(description="How many runs have other tags than before.")


class DeleteRuns(Input):
    run_ids: RunIds


class RunsDeleted(BaseModel):
    deleted: list[UUID]
    missing: list[UUID] = Field(description="Runs that do not exist, for instance because they are deleted already.")


def router(services: Callable[[], RunServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/runs", tags=["runs"], resource=Resource.RUNS)

    @api.post("/tag", operation_id="tagRuns", responses=_NO_RUN, openapi_extra=needs(Verb.UPDATE))
    async def tag(body: TagRuns) -> RunsTagged:
        """Add tags to up to 100 runs, and remove tags from them, in one transaction: all of them change, or none."""
        change = TagChange(tuple(body.add), tuple(body.remove))
        return RunsTagged(changed=await services().commands.factory.tag(body.run_ids, change))

    @api.post("/delete", operation_id="deleteRuns", responses=_REFUSED, openapi_extra=needs(Verb.DELETE))
    async def delete(body: DeleteRuns) -> RunsDeleted:
        """Delete up to 100 runs with all their data, in one transaction. If one of them is active or a baseline, none
        is deleted (409)."""
        run_ids = list(dict.fromkeys(body.run_ids))
        deleted = await services().commands.leadership.delete_all(run_ids)
        gone = set(deleted)
        return RunsDeleted(deleted=list(deleted), missing=[run_id for run_id in run_ids if run_id not in gone])

    return api
