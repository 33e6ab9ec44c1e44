"""Define the endpoints of `/v1/datasets`, except the endpoints of versions and cases."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, Response

from config_api import state
from config_api.bodies import Search
from config_api.datasets.filters import Contained
from config_api.datasets.schemas import (
    DatasetIn,
    DatasetOut,
    DatasetPage,
    DatasetPatch,
)
from config_api.datasets.service import DatasetService
from config_api.datasets.store import DatasetFilter
from config_api.problems import CHANGED, INVALID, MISSING, TAKEN, answers
from config_api.versions import IfMatch
from llmbench.access import Resource
from llmbench.contracts.dataset_words import DatasetType, VersionStatus
from llmbench.http.service_router import ServiceRouter

PATH = "/v1/datasets"
router = ServiceRouter(prefix=PATH, tags=["datasets"], resource=Resource.DATASETS, responses=INVALID)

IN_USE = answers(409, "Unfinished runs (`run_ids`) or published suites (`suite_ids`) use it.")
MAX_OFFSET = 2**31 - 1
Offset = Annotated[int, Query(ge=0, le=MAX_OFFSET)]


def _service(request: Request) -> DatasetService:
    return DatasetService(state.engine(request), state.files(request))


Service = Annotated[DatasetService, Depends(_service)]


def _wanted(
    q: Annotated[Search | None, Query(description="Searched in the name, ignoring case.")] = None,
    name: Annotated[Search | None, Query(description="Exactly this one.")] = None,
    type: DatasetType | None = None,
    tag: Annotated[list[Search] | None, Query(max_length=20, description="Has all of these tags.")] = None,
    status: Annotated[VersionStatus | None, Query(description="Has a version in this state.")] = None,
    metadata: Contained = None,
) -> DatasetFilter:
    return DatasetFilter(q=q, name=name, type=type, tags=tuple(tag or ()), status=status, metadata=metadata)


@router.get("")
async def list_datasets(
    service: Service,
    wanted: Annotated[DatasetFilter, Depends(_wanted)],
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Offset = 0,
) -> DatasetPage:
    """List datasets, newest first."""
    return await service.list(wanted, limit=limit, offset=offset)


@router.post("", status_code=201, responses=TAKEN)
async def create_dataset(body: DatasetIn, service: Service, response: Response) -> DatasetOut:
    dataset = await service.create(body)
    response.headers["Location"] = f"{PATH}/{dataset.dataset_id}"
    return _with_version(response, dataset)


@router.get("/{dataset_id}", responses=MISSING)
async def get_dataset(dataset_id: UUID, service: Service, response: Response) -> DatasetOut:
    return _with_version(response, await service.get(dataset_id))


@router.patch("/{dataset_id}", responses=MISSING | TAKEN | CHANGED)
async def change_dataset(
    dataset_id: UUID, body: DatasetPatch, service: Service, response: Response, if_match: IfMatch = None
) -> DatasetOut:
    """Change the properties of a dataset. Missing fields stay unchanged, and so do the dataset's versions."""
    return _with_version(response, await service.change(dataset_id, body, if_match=if_match))


@router.delete("/{dataset_id}", status_code=204, responses=MISSING | IN_USE)
async def delete_dataset(dataset_id: UUID, service: Service) -> None:
    """Delete a dataset with all its versions and their files, unless unfinished runs use it.

    Finished runs keep their snapshots.
    """
    await service.delete(dataset_id)


def _with_version(response: Response, dataset: DatasetOut) -> DatasetOut:
    response.headers["ETag"] = f'"{dataset.version}"'
    return dataset
