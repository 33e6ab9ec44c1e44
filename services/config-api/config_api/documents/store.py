"""Read and write the tables `document` and `document_page`: one function per query, in the caller's transaction."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.documents.schemas import DocumentOut, PageOut
from llmbench.db.tables import document, document_page

UNIQUE_NAME = "document_org_id_name_key"

_columns = (document, document.c.id.label("document_id"))


def _out(row: Row[Any]) -> DocumentOut:
    return DocumentOut.model_validate(dict(row._mapping))


async def insert_document(connection: AsyncConnection, values: Mapping[str, object], pages: Sequence[str]) -> None:
    await connection.execute(insert(document).values(values))
    rows = [{"document_id": values["id"], "number": number, "text": text} for number, text in enumerate(pages, start=1)]
    await connection.execute(insert(document_page), rows)


async def find_document(connection: AsyncConnection, id_: UUID) -> DocumentOut | None:
    query = select(*_columns).where(document.c.id == id_)
    row = (await connection.execute(query)).one_or_none()
    return _out(row) if row else None


async def list_documents(
    connection: AsyncConnection, *, q: str | None, name: str | None, limit: int, offset: int
) -> tuple[list[DocumentOut], int]:
    """Return a page of documents, newest first, and the total number."""
    conditions: list[ColumnElement[bool]] = []
    if q:
        conditions.append(document.c.name.icontains(q, autoescape=True))
    if name is not None:
        conditions.append(document.c.name == name)
    total = (await connection.execute(select(func.count()).select_from(document).where(*conditions))).scalar_one()
    query = select(*_columns).where(*conditions).order_by(document.c.created_at.desc(), document.c.id.desc())
    return [_out(row) for row in await connection.execute(query.limit(limit).offset(offset))], total


async def list_pages(connection: AsyncConnection, id_: UUID, *, first: int, last: int) -> list[PageOut]:
    """Return the pages from number `first` to `last`, both included."""
    query = select(document_page.c.number, document_page.c.text).where(
        document_page.c.document_id == id_, document_page.c.number.between(first, last)
    )
    rows = await connection.execute(query.order_by(document_page.c.number))
    return [PageOut(number=row.number, text=row.text) for row in rows]


async def delete_document(connection: AsyncConnection, id_: UUID) -> str | None:
    """Delete the document with its pages. Return the URI of its file, or `None` if there is no such document."""
    statement = delete(document).where(document.c.id == id_)
    uri: str | None = (await connection.execute(statement.returning(document.c.file_uri))).scalar_one_or_none()
    return uri
