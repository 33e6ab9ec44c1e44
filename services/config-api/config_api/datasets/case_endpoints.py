"""`/v1/datasets/…/versions/…/cases/…` over HTTP: selecting and editing before publishing."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request

from config_api.datasets.case_service import CaseService
from config_api.datasets.endpoints import PATH
from config_api.datasets.schemas import DeleteCases, DeletedCases, TestCaseOut, TestCasePatch
from config_api.datasets.version_endpoints import Number
from config_api.problems import INVALID, MISSING, answers

router = APIRouter(
    prefix=f"{PATH}/{{dataset_id}}/versions/{{version_number}}/cases",
    tags=["datasets"],
    responses=MISSING | INVALID | answers(409, "The version is no DRAFT, the name is taken, or no case would be left."),
)


def _service(request: Request) -> CaseService:
    service: CaseService = request.app.state.test_cases
    return service


Service = Annotated[CaseService, Depends(_service)]


@router.post("/delete")
async def delete_test_cases(
    dataset_id: UUID, version_number: Number, body: DeleteCases, service: Service
) -> DeletedCases:
    """Takes many out of a DRAFT at once; ids that are no cases of it are passed over."""
    return await service.delete_many(dataset_id, version_number, body.test_case_ids)


@router.patch("/{test_case_id}")
async def change_test_case(
    dataset_id: UUID, version_number: Number, test_case_id: UUID, body: TestCasePatch, service: Service
) -> TestCaseOut:
    """Of a DRAFT. What is left out stays; the version's `content_hash` follows."""
    return await service.change(dataset_id, version_number, test_case_id, body)


@router.delete("/{test_case_id}", status_code=204)
async def delete_test_case(dataset_id: UUID, version_number: Number, test_case_id: UUID, service: Service) -> None:
    """Takes it out of a DRAFT. Those behind it move up."""
    await service.delete(dataset_id, version_number, test_case_id)
