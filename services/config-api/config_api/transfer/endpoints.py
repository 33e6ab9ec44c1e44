"""Define the endpoints that combine resources.

They import and export tasks, import entire configurations, and publish collections and documents as datasets.
"""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, Response
from fastapi.responses import StreamingResponse
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api import state
from config_api.bodies import Name
from config_api.checks import CheckService
from config_api.datasets.schemas import VersionOut
from config_api.files.store import FileStore
from config_api.files.utf8 import received
from config_api.problems import INVALID, MISSING, TAKEN, answers, invalid
from config_api.providers.service import ProviderService
from config_api.tasks.filters import Wanted
from config_api.transfer.document_publishing import DocumentPublished, PublishDocument, publish_document
from config_api.transfer.exporting import export, require_collection
from config_api.transfer.formats.registry import formats, writable
from config_api.transfer.importing import import_file, unreadable
from config_api.transfer.llm_eval_config import EvalConfig, ImportedConfig, import_eval_config
from config_api.transfer.publishing import PublishCollection, publish_collection
from config_api.transfer.schemas import ImportProblem, ImportQuery, ImportResult, WritableFormat
from llmbench.access import Resource
from llmbench.errors import Problem
from llmbench.files.unreadable import Unreadable
from llmbench.http.service_router import ServiceRouter

PATH = "/api/tasks"
COLLECTIONS_PATH = "/api/collections"
DOCUMENTS_PATH = "/v1/documents"
IMPORT_PATH = f"{PATH}/import"
router = ServiceRouter(prefix=PATH, tags=["tasks"], resource=Resource.TASKS)
providers_router = ServiceRouter(
    prefix="/api/providers", tags=["providers"], resource=Resource.PROVIDERS, responses=INVALID
)
documents_router = ServiceRouter(
    prefix=DOCUMENTS_PATH, tags=["documents"], resource=Resource.DOCUMENTS, responses=MISSING | INVALID
)
collections_router = ServiceRouter(
    prefix=COLLECTIONS_PATH, tags=["collections"], resource=Resource.COLLECTIONS, responses=MISSING | INVALID
)

_BAD_FILE = answers(422, "A row is bad, or the file cannot be read: nothing was imported.", ImportProblem)
_TOO_LARGE = answers(413, "The file is larger than 20 MiB.")
_FORM = answers(415, "The body is a form; the file itself is wanted.")
_FILE = {"schema": {"type": "string", "format": "binary"}}
_DOCUMENTED_BODY = {
    "requestBody": {
        "required": True,
        "description": "The file itself, in UTF-8, of any content type but that of a form.",
        "content": {"application/octet-stream": _FILE, "text/csv": _FILE, "application/json": _FILE},
    }
}


Engine = Annotated[AsyncEngine, Depends(state.engine)]
Checks = Annotated[CheckService, Depends(state.checks)]


@router.post("/import", responses=MISSING | TAKEN | _BAD_FILE | _TOO_LARGE | _FORM, openapi_extra=_DOCUMENTED_BODY)
async def import_tasks(
    query: Annotated[ImportQuery, Query()], engine: Engine, checks: Checks, request: Request
) -> ImportResult:
    """Import a file of tasks. If a row is invalid, nothing is imported, unless `skip_bad_rows` is set."""
    if request.headers.get("content-type", "").startswith(("multipart/", "application/x-www-form-urlencoded")):
        raise Problem(
            415, "A form", "Send the file itself as the body: curl --data-binary @tasks.csv -H content-type:text/csv"
        )
    format_ = query.chosen()
    if format_ is None:
        known = ", ".join(sorted(formats()))
        raise invalid("format", f"cannot be recognised from the file's name; name one of {known}")
    try:
        # An import that waits for its turn holds no connection; otherwise a few large files could use all connections.
        async with received(request.stream()) as file, request.app.state.import_turn:
            return await import_file(engine, file, format_, query, checks)
    except Unreadable as error:
        raise unreadable(error) from None


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "The file.",
            # The schema is empty, because clients decide how to parse the text.
            "content": {writing.media_type.partition(";")[0]: {"schema": {}} for writing in writable().values()},
        },
        **INVALID,
        **MISSING,
    },
)
async def export_tasks(
    engine: Engine, wanted: Wanted, format: Annotated[WritableFormat, Query()] = "jsonl"
) -> StreamingResponse:
    """Export the tasks that match the filters, as a file that can be imported again."""
    writing = writable()[format]
    await require_collection(engine, wanted)
    return StreamingResponse(
        export(engine, writing, wanted),
        media_type=writing.media_type,
        headers={"Content-Disposition": f'attachment; filename="tasks.{writing.extension}"'},
    )


@collections_router.post("/{id}/publish", status_code=201)
async def publish_collection_as_dataset(
    id: UUID,
    body: PublishCollection,
    engine: Engine,
    files: Annotated[FileStore, Depends(state.files)],
    checks: Checks,
    response: Response,
) -> VersionOut:
    """Publish a collection as a new PUBLISHED version of a dataset.

    If there is no dataset of the requested name, it is created.
    """
    version = await publish_collection(engine, files, checks, id, body)
    response.headers["Location"] = f"/v1/datasets/{version.dataset_id}/versions/{version.version_number}"
    return version


def _providers(request: Request) -> ProviderService:
    providers: ProviderService = request.app.state.providers
    return providers


@providers_router.post("/import-llm-eval-config", status_code=201, responses=TAKEN)
async def import_llm_eval_config(
    body: EvalConfig,
    engine: Engine,
    providers: Annotated[ProviderService, Depends(_providers)],
    preset_name: Annotated[Name, Query(description="The name of the evaluation preset for its settings.")] = (
        "llm_eval_config"
    ),
) -> ImportedConfig:
    """Import an `llm_eval_config.json`: its models become providers, and its settings an evaluation preset.

    If the file is invalid or exceeds a limit of its format, nothing is imported.
    """
    return await import_eval_config(engine, providers, body, preset_name=preset_name)


@documents_router.post("/{document_id}/publish", status_code=201)
async def publish_document_as_dataset(
    document_id: UUID,
    body: PublishDocument,
    engine: Engine,
    files: Annotated[FileStore, Depends(state.files)],
    checks: Checks,
    response: Response,
) -> DocumentPublished:
    """Publish a document's chunks as a new PUBLISHED version of a dataset.

    The response also has a request body for `POST /api/runs`: a run in which models write questions about the chunks.
    """
    published = await publish_document(engine, files, checks, document_id, body)
    version = published.version
    response.headers["Location"] = f"/v1/datasets/{version.dataset_id}/versions/{version.version_number}"
    return published
