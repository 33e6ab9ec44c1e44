"""Add, read and delete documents. If an error occurs while a document is added, nothing is stored."""

import asyncio
import hashlib
from dataclasses import dataclass
from typing import IO
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.conflicts import unique
from config_api.documents import store
from config_api.documents.formats.base import BadDocument, Format
from config_api.documents.reading import read_document
from config_api.documents.schemas import DocumentIn, DocumentOut, DocumentPage, PageList
from config_api.files import loose
from config_api.files.storage import require_storage
from config_api.files.store import FileStore
from config_api.versions import missing
from llmbench.errors import FieldError, Problem
from llmbench.ids import new_id
from llmbench.organisation import bound_organisation

# Read one file at a time, because reading takes much memory and processor time.
_ONE_AT_A_TIME = asyncio.Semaphore(1)
_BLOCK = 256 * 1024


@dataclass(frozen=True)
class NewDocument:
    """An uploaded file on disk, and the properties of the document that it becomes.

    `described` has the name and the description that the user gave.
    """

    file: IO[bytes]
    format: Format
    file_name: str
    described: DocumentIn


class DocumentService:
    def __init__(self, engine: AsyncEngine, files: FileStore) -> None:
        self._engine = engine
        self.files = files

    async def create(self, new: NewDocument) -> DocumentOut:
        """Store the document. If an error occurs, nothing is stored.

        Raises a 422 problem for an unreadable file, and a 409 problem for a name that is taken. Raises a 503 problem if
        storing the file takes more than an hour. A failure of the file store raises `StoreUnavailable`.
        """
        try:
            async with _ONE_AT_A_TIME:
                text = await asyncio.to_thread(read_document, new.file, new.format)
                digest = await asyncio.to_thread(_digest, new.file)
        except BadDocument as error:
            fault = FieldError("file", str(error))
            raise Problem(422, "Unreadable document", f"file: {error}", errors=[fault]) from None
        id_ = new_id()
        values = {
            "id": id_,
            **new.described.model_dump(),
            "format": new.format.name,
            "file_name": new.file_name,
            "file_bytes": new.file.seek(0, 2),
            "content_hash": digest,
            "page_count": len(text.pages),
            "empty_page_count": text.empty_page_count,
            "character_count": text.character_count,
        }
        key = f"{bound_organisation()}/documents/{id_}.{new.format.extension}"
        uri = self.files.uri(key)
        try:
            with unique(store.UNIQUE_NAME, what="document", field="name", value=new.described.name):
                async with self._engine.begin() as connection:
                    await loose.note(connection, [uri])
                # Hold no database connection while the file is stored, which may take long.
                await self.files.put(key, new.file)
                async with self._engine.begin() as connection:
                    if not await loose.claim(connection, uri):
                        raise Problem(503, "Too slow", "Storing the file took more than an hour: add it again.")
                    await require_storage(connection, new.file.seek(0, 2))
                    await store.insert_document(connection, {**values, "file_uri": uri}, text.pages)
                    return await require_document(connection, id_)
        except BaseException:
            await loose.discard(self._engine, self.files, [uri])
            raise

    async def list(self, *, q: str | None, name: str | None, limit: int, offset: int) -> DocumentPage:
        async with self._engine.connect() as connection:
            documents, total = await store.list_documents(connection, q=q, name=name, limit=limit, offset=offset)
        return DocumentPage(documents=documents, total=total, has_more=offset + len(documents) < total)

    async def get(self, id_: UUID) -> DocumentOut:
        async with self._engine.connect() as connection:
            return await require_document(connection, id_)

    async def pages(self, id_: UUID, *, limit: int, offset: int) -> PageList:
        async with self._engine.connect() as connection:
            document = await require_document(connection, id_)
            pages = await store.list_pages(connection, id_, first=offset + 1, last=offset + limit)
        return PageList(
            pages=pages, total=document.page_count, has_more=offset + len(pages) < document.page_count and bool(pages)
        )

    async def delete(self, id_: UUID) -> None:
        """Delete the document with its file. Datasets made from it keep their copies of its text.

        Raises a 404 problem if the document does not exist.
        """
        async with self._engine.begin() as connection:
            uri = await store.delete_document(connection, id_)
            if uri is None:
                raise missing("document", id_)
            await loose.note(connection, [uri])
        await loose.discard(self._engine, self.files, [uri])


async def require_document(connection: AsyncConnection, id_: UUID) -> DocumentOut:
    document = await store.find_document(connection, id_)
    if document is None:
        raise missing("document", id_)
    return document


def _digest(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    file.seek(0)
    while block := file.read(_BLOCK):
        digest.update(block)
    return digest.hexdigest()
