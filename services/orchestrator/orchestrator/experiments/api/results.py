"""The endpoints of `/v1/experiments` that read rounds, results, looks and cases, and the decision record."""

from collections.abc import Callable
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Query, Response

from llmbench.access import Resource
from llmbench.errors import Problem
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter
from orchestrator.experiments.api.services import PATH, Offset, found
from orchestrator.experiments.handlers.manage import ExperimentParts
from orchestrator.experiments.handlers.show import shown_round
from orchestrator.experiments.ports.schemas import ExperimentCases, LookPage, ResultsOut, RoundPage

_STATE = answers(409, "The experiment has not been started.")
_RECORD: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The decision record, as Markdown or JSON.",
        "content": {"text/markdown": {"schema": {"type": "string"}}, "application/json": {"schema": {}}},
    }
}
PageLimit = Annotated[int, Query(ge=1, le=500)]


def router(parts: Callable[[], ExperimentParts]) -> ServiceRouter:
    api = ServiceRouter(prefix=PATH, tags=["experiments"], resource=Resource.EXPERIMENTS)

    @api.get("/{experiment_id}/rounds", operation_id="listExperimentRounds")
    async def list_rounds(experiment_id: UUID, limit: PageLimit = 100, offset: Offset = 0) -> RoundPage:
        """List the rounds in their order, each with the state of its run."""
        await found(parts(), experiment_id)
        rounds = [shown_round(each) for each in await parts().store.rounds(experiment_id)]
        page = rounds[offset : offset + limit]
        return RoundPage(rounds=page, total=len(rounds), has_more=offset + len(page) < len(rounds))

    @api.get("/{experiment_id}/results", operation_id="getExperimentResults")
    async def results(experiment_id: UUID) -> ResultsOut:
        """Return the results by the last look. No winner is named before the method permits a decision."""
        raise _missing()

    @api.get("/{experiment_id}/looks", operation_id="listExperimentLooks")
    async def list_looks(experiment_id: UUID, limit: PageLimit = 500, offset: Offset = 0) -> LookPage:
        """List every analysis that was made, the oldest first."""
        raise _missing()

    @api.get("/{experiment_id}/cases", operation_id="listExperimentCases")
    async def list_cases(
        experiment_id: UUID,
        variant_id: Annotated[UUID | None, Query(description="By default the first treatment.")] = None,
        baseline_id: Annotated[UUID | None, Query(description="The other variant; by default the control.")] = None,
        order: Literal["difference", "-difference", "size", "position"] = "size",
        limit: PageLimit = 50,
        offset: Offset = 0,
    ) -> ExperimentCases:
        """List the cases that both variants answered, by default those first whose values differ most. Only for paired
        designs."""
        raise _missing()

    @api.get(
        "/{experiment_id}/record",
        operation_id="getExperimentRecord",
        response_class=Response,
        responses=_RECORD | _STATE,
    )
    async def record(experiment_id: UUID, format: Literal["markdown", "json"] = "markdown") -> Response:
        """Return the decision record: what was planned, what was seen at each look, and what was decided."""
        raise _missing()

    return api


def _missing() -> Problem:
    return Problem(501, "Not there yet", "This part of the API is not there yet.")
