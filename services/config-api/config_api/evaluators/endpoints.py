"""`/api/evaluators` over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from config_api.evaluators.schemas import EvaluatorPage
from config_api.evaluators.service import EvaluatorService

router = APIRouter(prefix="/api/evaluators", tags=["evaluators"])


def _service(request: Request) -> EvaluatorService:
    service: EvaluatorService = request.app.state.evaluators
    return service


@router.get("")
async def list_evaluators(service: Annotated[EvaluatorService, Depends(_service)]) -> EvaluatorPage:
    """The kinds of evaluators that `POST /api/runs` takes, with their parameters."""
    return await service.list()
