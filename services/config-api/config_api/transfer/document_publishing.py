"""Publish a document as a version of a dataset, one case per chunk. In a run over the version, a model writes
questions."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import IO, Any
from uuid import UUID

from pydantic import BaseModel, Field, model_validator
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.bodies import Input, Name, OptionalText
from config_api.checks import CheckService
from config_api.datasets.formats.registry import formats
from config_api.datasets.ingest import NewVersion, ingest
from config_api.datasets.schemas import DatasetIn, VersionOut
from config_api.documents import store as document_store
from config_api.documents.schemas import DocumentOut
from config_api.documents.service import require_document
from config_api.files.store import FileStore
from config_api.problems import invalid
from config_api.transfer.chunking import Chunk, chunks
from config_api.transfer.questions import SYSTEM_PROMPT, QuestionRun, prompt, question_run
from llmbench.contracts.grounded_questions import MAX_CONVERSATIONS, MAX_TURNS


class PublishDocument(Input):
    """The request body that publishes a document as a dataset.

    By default the dataset's name is the document's name, followed by ": chunks". If a dataset of that name exists, it
    gets a new version.
    """

    dataset_name: Name | None = None
    description: OptionalText = None
    chunk_characters: int = Field(default=6_000, ge=500, le=50_000, description="About, per case.")
    conversations: int = Field(default=3, ge=1, le=MAX_CONVERSATIONS, description="The maximum per chunk.")
    turns: int = Field(default=3, ge=1, le=MAX_TURNS, description="The maximum of questions per conversation.")
    first_page: int = Field(default=1, ge=1, le=1_000_000)
    last_page: int | None = Field(default=None, ge=1, le=1_000_000, description="By default the document's last page.")

    @model_validator(mode="after")
    def _in_order(self) -> "PublishDocument":
        if self.last_page is not None and self.last_page < self.first_page:
            raise ValueError("last_page must not come before first_page")
        return self


class DocumentPublished(BaseModel):
    """The new version, and a suggested run over it.

    `run` is the body of `POST /api/runs`. Only its `targets` are missing: the models that are to write questions.
    """

    version: VersionOut
    run: QuestionRun


async def publish_document(
    engine: AsyncEngine, files: FileStore, checks: CheckService, document_id: UUID, wanted: PublishDocument
) -> DocumentPublished:
    """Create a PUBLISHED version from the document's chunks. The document may be deleted afterwards.

    Raises a 404 problem for an unknown document, and a 422 problem if `first_page` does not exist or the pages have too
    little text. Also raises the problems that an upload of the file would raise (see `ingest`).
    """
    async with engine.connect() as connection:
        document = await require_document(connection, document_id)
        if wanted.first_page > document.page_count:
            raise invalid("first_page", f"is behind the last page, which is {document.page_count}")
        last = min(wanted.last_page or document.page_count, document.page_count)
        pages = await document_store.list_pages(connection, document_id, first=wanted.first_page, last=last)
        name = wanted.dataset_name or f"{document.name[:240]}: chunks"
    cut = list(chunks([(page.number, page.text) for page in pages], characters=wanted.chunk_characters))
    if not cut:
        raise invalid("first_page", "these pages hold too little text to ask about")
    dataset = DatasetIn(name=name, description=f"Chunks of {document.name}, for a model to write questions from.")
    with files.spool() as file:
        _write(file, _cases(document, cut, wanted))
        new = NewVersion(
            file,
            formats()["jsonl"],
            file_name=f"{document.name[:249]}.jsonl",
            description=wanted.description,
            publish=True,
        )
        version = await ingest(engine, files, checks, dataset, new)
    run = question_run(document.name, str(version.version_id), conversations=wanted.conversations, turns=wanted.turns)
    return DocumentPublished(version=version, run=run)


def _cases(document: DocumentOut, cut: Sequence[Chunk], request: PublishDocument) -> Iterator[dict[str, Any]]:
    slug = re.sub(r"[^\w.-]+", "-", document.name).strip("-.")[:60] or "document"
    for number, chunk in enumerate(cut, start=1):
        yield {
            "id": f"{slug}-{number:04}",
            "prompt": prompt(conversations=request.conversations, turns=request.turns),
            "context": chunk.text,
            "system_prompt": SYSTEM_PROMPT,
            "metadata": {
                "category": document.name,
                "document_id": str(document.document_id),
                "document": document.name,
                "pages": [{"page": page, "start": start} for page, start in chunk.pages],
            },
        }


def _write(file: IO[bytes], cases: Iterator[dict[str, Any]]) -> None:
    for case in cases:
        file.write(json.dumps(case, ensure_ascii=False).encode() + b"\n")
