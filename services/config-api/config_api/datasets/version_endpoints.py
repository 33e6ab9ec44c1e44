"""Define the endpoints of `/v1/datasets/{dataset_id}/versions`: uploads, states, cases, samples, exports."""

from typing import Annotated, TypeVar
from uuid import UUID

from fastapi import Depends, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import TypeAdapter, ValidationError

from config_api import state
from config_api.bodies import Name, OptionalText
from config_api.datasets.endpoints import PATH, Offset
from config_api.datasets.filters import Contained
from config_api.datasets.formats.registry import formats
from config_api.datasets.ingest import NewVersion
from config_api.datasets.schemas import (
    CasePage,
    FormatName,
    Sample,
    SampleIn,
    UploadProblem,
    VersionOut,
    VersionPage,
)
from config_api.datasets.upload_form import NO_FORM, TOO_LARGE, MapQuery, chosen_format, mapped, name_of
from config_api.datasets.version_service import VersionService
from config_api.problems import INVALID, MISSING, answers
from llmbench.access import Resource, Verb
from llmbench.faults import faults_of
from llmbench.http.multipart import Form, bad_form, read_form
from llmbench.http.service_router import ServiceRouter, needs

UPLOAD_PATHS = f"{PATH}/*/versions"
MAX_UPLOAD_BYTES = 256 * 1024 * 1024
router = ServiceRouter(
    prefix=f"{PATH}/{{dataset_id}}/versions", tags=["datasets"], resource=Resource.DATASETS, responses=MISSING | INVALID
)

_BAD_FILE = answers(422, "The file cannot be read, or rows are bad: nothing was kept.", UploadProblem)
_REFUSED = answers(409, "The version's state does not allow it.")
_DOCUMENTED_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "description": {"type": "string"},
                    },
                }
            }
        },
    }
}
_DESCRIPTION: TypeAdapter[str | None] = TypeAdapter(OptionalText)
_FILE_NAME: TypeAdapter[str] = TypeAdapter(Name)


def _service(request: Request) -> VersionService:
    return VersionService(state.engine(request), state.files(request), state.checks(request))


T = TypeVar("T")
Service = Annotated[VersionService, Depends(_service)]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.post("", status_code=201, responses=_BAD_FILE | NO_FORM | TOO_LARGE, openapi_extra=_DOCUMENTED_FORM)
async def upload_version(
    dataset_id: UUID,
    service: Service,
    request: Request,
    response: Response,
    format: Annotated[FormatName | None, Query(description="By default recognised by the file's name.")] = None,
    keep_invalid: Annotated[
        bool, Query(description="Keep a file with bad rows as an INVALID version, without cases.")
    ] = False,
    map: MapQuery = [],  # noqa: B006  # FastAPI copies it
) -> VersionOut:
    """Upload a file as a new version. It is validated entirely before the response; a refused file is not stored."""
    await service.require_dataset(dataset_id)
    chosen = mapped(map)
    with service.files.spool() as spool:
        form = await read_form(request.headers.get("content-type", ""), request.stream(), spool)
        spool.flush()
        file_name = name_of(form)
        version = await service.create(
            dataset_id,
            NewVersion(
                file=spool,
                format=chosen_format(format, file_name),
                file_name=_checked(_FILE_NAME, "file", file_name) if file_name else None,
                description=_checked(_DESCRIPTION, "description", _description(form)),
                keep_invalid=keep_invalid,
                map=chosen,
            ),
        )
    response.headers["Location"] = f"{PATH}/{dataset_id}/versions/{version.version_number}"
    return version


def _description(form: Form) -> str | None:
    for name in form.fields:
        if name != "description":
            raise bad_form(name[:80], "is not a field of this form; there are file and description")
    return form.fields.get("description", "").strip() or None


def _checked(adapter: "TypeAdapter[T]", name: str, value: object) -> T:
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        raise bad_form(name, faults_of(error)[0].message) from None


@router.get("")
async def list_dataset_versions(
    dataset_id: UUID,
    service: Service,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Offset = 0,
) -> VersionPage:
    """List versions, newest first."""
    return await service.list(dataset_id, limit=limit, offset=offset)


@router.get("/{version_number}")
async def get_dataset_version(dataset_id: UUID, version_number: Number, service: Service) -> VersionOut:
    return await service.get(dataset_id, version_number)


@router.delete("/{version_number}", status_code=204, responses=_REFUSED)
async def delete_dataset_version(dataset_id: UUID, version_number: Number, service: Service) -> None:
    """Delete a DRAFT version. Versions that were once published cannot be deleted."""
    await service.delete(dataset_id, version_number)


@router.post("/{version_number}/publish", responses=_REFUSED)
async def publish_dataset_version(dataset_id: UUID, version_number: Number, service: Service) -> VersionOut:
    """Publish a version. From then on, runs may use it, and it never changes."""
    return await service.publish(dataset_id, version_number)


@router.post("/{version_number}/deprecate", responses=_REFUSED)
async def deprecate_dataset_version(dataset_id: UUID, version_number: Number, service: Service) -> VersionOut:
    """Deprecate a version. From then on, new runs cannot use it; active runs continue."""
    return await service.deprecate(dataset_id, version_number)


@router.get("/{version_number}/cases")
async def list_test_cases(
    dataset_id: UUID,
    version_number: Number,
    service: Service,
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
    offset: Offset = 0,
    metadata: Contained = None,
) -> CasePage:
    """List test cases in the order of the file."""
    return await service.cases(dataset_id, version_number, metadata=metadata, limit=limit, offset=offset)


@router.post("/{version_number}/sample", openapi_extra=needs(Verb.READ))
async def sample_test_cases(dataset_id: UUID, version_number: Number, body: SampleIn, service: Service) -> Sample:
    return await service.sample(dataset_id, version_number, body)


@router.get(
    "/{version_number}/export",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "The file.",
            "content": {file_format.media_type.partition(";")[0]: {"schema": {}} for file_format in formats().values()},
        }
    },
)
async def export_dataset_version(
    dataset_id: UUID, version_number: Number, service: Service, format: Annotated[FormatName, Query()] = "jsonl"
) -> StreamingResponse:
    """Export the test cases as a file that can be uploaded again."""
    chosen = formats()[format]
    content = await service.export(dataset_id, version_number, chosen)
    return StreamingResponse(
        content,
        media_type=chosen.media_type,
        headers={"Content-Disposition": f'attachment; filename="dataset-v{version_number}.{chosen.extension}"'},
    )
