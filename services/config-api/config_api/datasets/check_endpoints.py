"""Define the endpoint that checks a file of test cases without storing it."""

from typing import Annotated

from fastapi import Depends, Query, Request

from config_api import state
from config_api.checks import CheckService
from config_api.datasets.endpoints import PATH
from config_api.datasets.file_check import FileCheck, check_file
from config_api.datasets.schemas import FormatName
from config_api.datasets.upload_form import NO_FORM, TOO_LARGE, MapQuery, chosen_format, mapped, name_of
from config_api.files.store import FileStore
from config_api.problems import INVALID
from llmbench.access import Resource
from llmbench.http.multipart import bad_form, read_form
from llmbench.http.service_router import ServiceRouter

CHECK_PATH = f"{PATH}/check-file"
router = ServiceRouter(prefix=PATH, tags=["datasets"], resource=Resource.DATASETS, responses=INVALID)

_FILE = {"type": "object", "required": ["file"], "properties": {"file": {"type": "string", "format": "binary"}}}
_DOCUMENTED_FORM = {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": _FILE}}}}


@router.post("/check-file", responses=NO_FORM | TOO_LARGE, openapi_extra=_DOCUMENTED_FORM)
async def check_test_case_file(
    request: Request,
    files: Annotated[FileStore, Depends(state.files)],
    checks: Annotated[CheckService, Depends(state.checks)],
    format: Annotated[FormatName | None, Query(description="By default recognised by the file's name.")] = None,
    map: MapQuery = [],  # noqa: B006  # FastAPI copies it
) -> FileCheck:
    """Check a file as an upload of a version does, and store nothing. Bad rows are listed, with the first cases."""
    chosen = mapped(map)
    with files.spool() as spool:
        form = await read_form(request.headers.get("content-type", ""), request.stream(), spool)
        if form.fields:
            raise bad_form(next(iter(form.fields))[:80], "is not a field of this form; there is file")
        spool.flush()
        return await check_file(spool, chosen_format(format, name_of(form)), chosen, checks)
