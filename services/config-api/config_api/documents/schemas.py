"""Define the form and the responses of `/v1/documents`."""

from uuid import UUID

from pydantic import BaseModel, Field

from config_api.bodies import Input, Name, OptionalName, OptionalText
from llmbench.contracts.base import UtcTime
from llmbench.http.created_by import CreatedBy


class DocumentForm(Input):
    """The form fields that accompany the uploaded file. By default the document is named after the file."""

    name: OptionalName = None
    description: OptionalText = None


class DocumentIn(BaseModel):
    name: Name
    description: OptionalText = None


class DocumentOut(BaseModel):
    """A document. It never changes: to replace it, delete it and add another."""

    document_id: UUID
    name: str
    description: str | None
    format: str
    file_name: str
    file_bytes: int
    file_uri: str
    content_hash: str = Field(description="SHA-256 of the file.")
    page_count: int = Field(description="A file without pages counts as one.")
    empty_page_count: int = Field(description="Pages without text: scanned ones, or pictures.")
    character_count: int
    created_at: UtcTime
    created_by: CreatedBy = None


class DocumentPage(BaseModel):
    documents: list[DocumentOut]
    total: int
    has_more: bool


class PageOut(BaseModel):
    number: int = Field(description="Counted from 1.")
    text: str


class PageList(BaseModel):
    pages: list[PageOut]
    total: int
    has_more: bool
