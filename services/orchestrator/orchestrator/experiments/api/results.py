"""The endpoints of `/v1/experiments` that read rounds, results, looks and cases, and the decision record."""

from collections.abc import Callable
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Query, Response

from llmbench.access import Resource
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter
from orchestrator.experiments.api.services import PATH, ExperimentServices, Offset, found
from orchestrator.experiments.handlers.manage import ExperimentParts
from orchestrator.experiments.handlers.read_results import case_query, decision_record
from orchestrator.experiments.handlers.record import as_markdown
from orchestrator.experiments.handlers.show import shown_round
from orchestrator.experiments.handlers.show_results import shown_results
from orchestrator.experiments.ports.reading import ExperimentReader
from orchestrator.experiments.ports.result_schemas import ExperimentCases, LookPage, ResultsOut
from orchestrator.experiments.ports.schemas import RoundPage

_STATE = answers(409, "The experiment has not been started.")
_RECORD: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The decision record, as Markdown or JSON.",
        "content": {"text/markdown": {"schema": {"type": "string"}}, "application/json": {"schema": {}}},
    }
}
PageLimit = Annotated[int, Query(ge=1, le=500)]


def router(services: Callable[[], ExperimentServices]) -> ServiceRouter:
    api = ServiceRouter(prefix=PATH, tags=["experiments"], resource=Resource.EXPERIMENTS)

    def parts() -> ExperimentParts:
        return services().parts

    def reader() -> ExperimentReader:
        return services().reader

    @api.get("/{experiment_id}/rounds", operation_id="listExperimentRounds")
    async def list_rounds(experiment_id: UUID, limit: PageLimit = 100, offset: Offset = 0) -> RoundPage:
        """List the rounds in their order, each with the state of its run."""
        await found(parts(), experiment_id)
        rounds = [shown_round(each) for each in await parts().store.rounds(experiment_id)]
        page = rounds[offset : offset + limit]
        return RoundPage(rounds=page, total=len(rounds), has_more=offset + len(page) < len(rounds))

    @api.get("/{experiment_id}/results", operation_id="getExperimentResults")
    async def results(experiment_id: UUID) -> ResultsOut:
        """Return the results of the last analysis ("look"). No winner is named before the statistical method permits a
        decision."""
        experiment = await found(parts(), experiment_id)
        if experiment.outside and await reader().look_due(experiment_id):
            await services().experiments.lead(experiment_id)
            experiment = await found(parts(), experiment_id)
        counts = await parts().store.counts(experiment_id)
        return shown_results(experiment, await reader().last_look(experiment_id), done=counts.clusters_done)

    @api.get("/{experiment_id}/looks", operation_id="listExperimentLooks")
    async def list_looks(experiment_id: UUID, limit: PageLimit = 500, offset: Offset = 0) -> LookPage:
        """List every analysis of the experiment, the oldest first."""
        await found(parts(), experiment_id)
        looks, total = await reader().looks(experiment_id, limit=limit, offset=offset)
        return LookPage(looks=list(looks), total=total, has_more=offset + len(looks) < total)

    @api.get("/{experiment_id}/cases", operation_id="listExperimentCases")
    async def list_cases(
        experiment_id: UUID,
        variant_id: Annotated[UUID | None, Query(description="By default the first treatment.")] = None,
        baseline_id: Annotated[UUID | None, Query(description="The other variant; by default the control.")] = None,
        order: Literal["difference", "-difference", "size", "position"] = "size",
        limit: PageLimit = 50,
        offset: Offset = 0,
    ) -> ExperimentCases:
        """List the cases that both variants answered. By default, the cases whose values differ most come first. Only
        paired designs have such cases."""
        experiment = await found(parts(), experiment_id)
        query = case_query(experiment, variant_id, baseline_id, order=order, limit=limit, offset=offset)
        cases, total = await reader().cases(experiment_id, query)
        return ExperimentCases(cases=list(cases), total=total, has_more=offset + len(cases) < total)

    @api.get(
        "/{experiment_id}/record",
        operation_id="getExperimentRecord",
        response_class=Response,
        responses=_RECORD | _STATE,
    )
    async def record(experiment_id: UUID, format: Literal["markdown", "json"] = "markdown") -> Response:
        """Return the decision record: what was planned, what each look (analysis) found, and what was decided."""
        written = await decision_record(parts().store, reader(), await found(parts(), experiment_id))
        name = f"experiment-{experiment_id}"
        if format == "json":
            headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
            return Response(written.model_dump_json(), media_type="application/json", headers=headers)
        headers = {"Content-Disposition": f'attachment; filename="{name}.md"'}
        return Response(as_markdown(written), media_type="text/markdown; charset=utf-8", headers=headers)

    return api
