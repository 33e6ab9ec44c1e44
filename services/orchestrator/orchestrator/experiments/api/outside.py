"""The endpoints of `/v1/experiments` for experiments that are run outside llmbench: assignments and observations."""

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

from llmbench.access import Resource, Verb
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter, needs
from orchestrator.experiments.api.bodies import AssignIn, ObservationsIn
from orchestrator.experiments.api.services import PATH, ExperimentServices, found
from orchestrator.experiments.handlers import observe as handlers
from orchestrator.experiments.handlers.observe import SentObservation
from orchestrator.experiments.ports.schemas import AssignmentOut, AssignmentsOut, ObservationsOut

_STATE = answers(409, "The experiment's state does not allow it, or it has rounds of its own.")


def router(services: Callable[[], ExperimentServices]) -> ServiceRouter:
    api = ServiceRouter(prefix=PATH, tags=["experiments"], resource=Resource.EXPERIMENTS)

    @api.post(
        "/{experiment_id}/assign",
        operation_id="assignUnits",
        responses=_STATE,
        openapi_extra=needs(Verb.UPDATE),
    )
    async def assign(experiment_id: UUID, body: AssignIn) -> AssignmentsOut:
        """Return the variant of each unit. The unit's id and the seed decide it, so a unit always gets the same
        variant."""
        at = services()
        experiment = await found(at.parts, experiment_id)
        unit_ids = body.unit_ids if body.unit_id is None else [body.unit_id]
        variants = await handlers.assign(at.units, experiment, unit_ids or [], datetime.now(UTC))
        names = {variant.id: variant.name for variant in experiment.variants}
        return AssignmentsOut(
            assignments=[
                AssignmentOut(unit_id=unit_id, variant_id=variants[unit_id], variant=names[variants[unit_id]])
                for unit_id in unit_ids or []
            ]
        )

    @api.post(
        "/{experiment_id}/observations",
        operation_id="addObservations",
        responses=_STATE,
        openapi_extra=needs(Verb.UPDATE),
    )
    async def observe(experiment_id: UUID, body: ObservationsIn) -> ObservationsOut:
        """Store the outcomes of units. If one of them is refused, none is stored. Observations with a known id are
        ignored."""
        at = services()
        experiment = await found(at.parts, experiment_id)
        sent = [SentObservation(**dict(each)) for each in body.observations]
        accepted, duplicates = await handlers.observe(at.units, experiment, sent, datetime.now(UTC))
        return ObservationsOut(accepted=accepted, duplicates=duplicates)

    return api
