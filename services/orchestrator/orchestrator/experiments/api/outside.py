"""The endpoints of `/v1/experiments` for experiments that are run elsewhere: assignments and observations."""

from collections.abc import Callable
from uuid import UUID

from llmbench.access import Resource, Verb
from llmbench.errors import Problem
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter, needs
from orchestrator.experiments.api.bodies import AssignIn, ObservationsIn
from orchestrator.experiments.api.services import PATH
from orchestrator.experiments.handlers.manage import ExperimentParts
from orchestrator.experiments.ports.schemas import AssignmentsOut, ObservationsOut

_STATE = answers(409, "The experiment's state does not allow it, or its cases are not observed outside.")


def router(parts: Callable[[], ExperimentParts]) -> ServiceRouter:
    api = ServiceRouter(prefix=PATH, tags=["experiments"], resource=Resource.EXPERIMENTS)

    @api.post(
        "/{experiment_id}/assign",
        operation_id="assignUnits",
        responses=_STATE,
        openapi_extra=needs(Verb.UPDATE),
    )
    async def assign(experiment_id: UUID, body: AssignIn) -> AssignmentsOut:
        """Return the variant of each unit. A unit always gets the same one, decided by its id and the seed."""
        raise _missing()

    @api.post(
        "/{experiment_id}/observations",
        operation_id="addObservations",
        responses=_STATE,
        openapi_extra=needs(Verb.UPDATE),
    )
    async def observe(experiment_id: UUID, body: ObservationsIn) -> ObservationsOut:
        """Store the outcomes of units: all of them, or none if one is refused. Known ids are ignored."""
        raise _missing()

    return api


def _missing() -> Problem:
    return Problem(501, "Not there yet", "This part of the API is not there yet.")
