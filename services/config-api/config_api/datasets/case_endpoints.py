"""Define the endpoints of `/v1/datasets/…/versions/…/cases/…`: change and delete the cases of a DRAFT version."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request

from config_api import state
from config_api.datasets.case_service import CaseService
from config_api.datasets.endpoints import PATH
from config_api.datasets.schemas import DeleteCases, DeletedCases, TestCaseOut, TestCasePatch
from config_api.datasets.version_endpoints import Number
from config_api.problems import INVALID, MISSING, answers
from llmbench.access import Resource, Verb
from llmbench.http.service_router import ServiceRouter, needs

router = ServiceRouter(
    prefix=f"{PATH}/{{dataset_id}}/versions/{{version_number}}/cases",
    tags=["datasets"],
    resource=Resource.DATASETS,
    responses=MISSING | INVALID | answers(409, "The version is no DRAFT, the name is taken, or no case would be left."),
)


def _service(request: Request) -> CaseService:
    return CaseService(state.engine(request), state.checks(request))


Service = Annotated[CaseService, Depends(_service)]


@router.post("/delete", openapi_extra=needs(Verb.DELETE))
async def delete_test_cases(
    dataset_id: UUID, version_number: Number, body: DeleteCases, service: Service
) -> DeletedCases:
    """Delete many cases of a DRAFT version at once; unknown ids are ignored."""
    return await service.delete_many(dataset_id, version_number, body.test_case_ids)


@router.patch("/{test_case_id}")
async def change_test_case(
    dataset_id: UUID, version_number: Number, test_case_id: UUID, body: TestCasePatch, service: Service
) -> TestCaseOut:
    """Change a case of a DRAFT version. Missing fields stay unchanged; the version's `content_hash` is updated."""
    return await service.change(dataset_id, version_number, test_case_id, body)


@router.delete("/{test_case_id}", status_code=204)
async def delete_test_case(dataset_id: UUID, version_number: Number, test_case_id: UUID, service: Service) -> None:
    """Delete a case of a DRAFT version. The row numbers of later cases decrease by one."""
    await service.delete(dataset_id, version_number, test_case_id)
