"""Define the endpoints of `/v1/documents`: the documents from which models write questions."""

from pathlib import PurePath
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, Response
from pydantic import TypeAdapter, ValidationError

from config_api import state
from config_api.bodies import Name, Search
from config_api.documents.formats.base import Format
from config_api.documents.formats.registry import formats, recognised
from config_api.documents.schemas import DocumentForm, DocumentIn, DocumentOut, DocumentPage, PageList
from config_api.documents.service import DocumentService, NewDocument
from config_api.problems import INVALID, MISSING, TAKEN, answers
from llmbench.access import Resource
from llmbench.faults import faults_of
from llmbench.http.multipart import bad_form, read_form
from llmbench.http.service_router import ServiceRouter

PATH = "/v1/documents"
MAX_UPLOAD_BYTES = 50 * 1024 * 1024
router = ServiceRouter(prefix=PATH, tags=["documents"], resource=Resource.DOCUMENTS, responses=INVALID)

Offset = Annotated[int, Query(ge=0, le=2**31 - 1001)]
_FORM = answers(415, "The body is no multipart/form-data.")
_TOO_LARGE = answers(413, "The file is larger than 50 MiB.")
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
                        "name": {"type": "string"},
                        "description": {"type": "string"},
                    },
                }
            }
        },
    }
}
_FILE_NAME: TypeAdapter[str] = TypeAdapter(Name)


def _service(request: Request) -> DocumentService:
    return DocumentService(state.engine(request), state.files(request))


Service = Annotated[DocumentService, Depends(_service)]


@router.get("")
async def list_documents(
    service: Service,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Offset = 0,
    q: Annotated[Search | None, Query(description="Searched in the name, ignoring case.")] = None,
    name: Annotated[Search | None, Query(description="Exactly this one.")] = None,
) -> DocumentPage:
    """List documents, newest first."""
    return await service.list(q=q, name=name, limit=limit, offset=offset)


@router.post("", status_code=201, responses=TAKEN | _FORM | _TOO_LARGE, openapi_extra=_DOCUMENTED_FORM)
async def add_document(service: Service, request: Request, response: Response) -> DocumentOut:
    """Add a PDF, Markdown or text file, recognised by its name. It is refused if a page is unreadable, or if no page
    has text."""
    with service.files.spool() as spool:
        form = await read_form(request.headers.get("content-type", ""), request.stream(), spool)
        spool.flush()
        file_name = _name(PurePath((form.file_name or "").replace("\\", "/")).name)
        fields = _form_fields(form.fields)
        document = await service.create(
            NewDocument(
                file=spool,
                format=_format(file_name),
                file_name=file_name,
                described=DocumentIn(name=fields.name or file_name, description=fields.description),
            )
        )
    response.headers["Location"] = f"{PATH}/{document.document_id}"
    return document


@router.get("/{document_id}", responses=MISSING)
async def get_document(document_id: UUID, service: Service) -> DocumentOut:
    return await service.get(document_id)


@router.get("/{document_id}/pages", responses=MISSING)
async def list_document_pages(
    document_id: UUID, service: Service, limit: Annotated[int, Query(ge=1, le=1000)] = 20, offset: Offset = 0
) -> PageList:
    """List the pages with the text that was extracted from each."""
    return await service.pages(document_id, limit=limit, offset=offset)


@router.delete("/{document_id}", status_code=204, responses=MISSING)
async def delete_document(document_id: UUID, service: Service) -> None:
    """Delete a document with its file. Datasets made from it keep their copies of its text."""
    await service.delete(document_id)


def _form_fields(fields: dict[str, str]) -> DocumentForm:
    try:
        return DocumentForm.model_validate(fields)
    except ValidationError as error:
        fault = faults_of(error, DocumentForm)[0]
        raise bad_form(fault.field, fault.message) from None


def _format(file_name: str) -> Format:
    file_format = recognised(file_name)
    if file_format is None:
        known = ", ".join(pattern for file_format in formats().values() for pattern in file_format.file_names)
        raise bad_form("file", f"is called {file_name[:80]!r}; a document is one of {known}")
    return file_format


def _name(file_name: str) -> str:
    try:
        return _FILE_NAME.validate_python(file_name)
    except ValidationError as error:
        raise bad_form("file", f"its name {faults_of(error)[0].message}") from None
