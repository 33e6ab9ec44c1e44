"""Define the endpoint of `/api/evaluators`."""

from typing import Annotated

from fastapi import Depends, Request

from config_api import state
from config_api.evaluators.schemas import EvaluatorPage
from config_api.evaluators.service import EvaluatorService
from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter

router = ServiceRouter(prefix="/api/evaluators", tags=["evaluators"], resource=Resource.EVALUATORS)


def _service(request: Request) -> EvaluatorService:
    return EvaluatorService(state.nats(request))


@router.get("")
async def list_evaluators(service: Annotated[EvaluatorService, Depends(_service)]) -> EvaluatorPage:
    """List the kinds of evaluators that `POST /api/runs` accepts, with their parameters."""
    return await service.list()
