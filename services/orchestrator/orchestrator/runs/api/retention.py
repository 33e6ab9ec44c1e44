"""`/api/retention`: preview the runs that are old enough to be removed, and remove them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from llmbench.access import Resource, Verb
from llmbench.http.service_router import ServiceRouter, needs
from orchestrator.runs.handlers.retention import Retention
from orchestrator.runs.ports.retention import MOST_DAYS, Pruned, RetentionPreview, RetentionStore

Days = Annotated[float, Field(gt=0, le=MOST_DAYS, allow_inf_nan=False, description="Days since the run was over.")]


class PruneRuns(BaseModel):
    model_config = ConfigDict(extra="forbid")

    older_than_days: Days


@dataclass(frozen=True)
class RetentionServices:
    """The dependencies of the endpoints, created when the service starts."""

    store: RetentionStore
    retention: Retention


def router(services: Callable[[], RetentionServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/retention", tags=["retention"], resource=Resource.STORAGE)

    @api.get("", operation_id="previewRetention")
    async def preview(
        older_than_days: Annotated[
            float | None,
            Query(gt=0, le=MOST_DAYS, allow_inf_nan=False, description="By default the setting's days."),
        ] = None,
    ) -> RetentionPreview:
        """Return the runs that `POST /prune` would remove now, and the reason why each other run is kept. Nothing is
        removed."""
        return await services().store.preview(older_than_days)

    @api.post("/prune", operation_id="pruneRuns", openapi_extra=needs(Verb.DELETE))
    async def prune(body: PruneRuns) -> Pruned:
        """Remove finished and cancelled runs that are old enough, with their calls and events, the oldest first.

        A run is kept if it is a baseline or an anchor, or if it is compared with a baseline. Repeat the request until
        `left` is 0.
        """
        return await services().retention.prune(body.older_than_days)

    return api
