"""Read the audit log, as pages or as one CSV file."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Select, select

from identity.audit_log.schemas import EntryOut
from identity.bodies import Page, page_of
from identity.state import Connections
from llmbench.db.tables import audit_entry
from llmbench.files.csv_text import line_of, neutral

_BATCH: Final = 500
COLUMNS: Final = (
    *("at", "person_id", "person_name", "address", "action", "resource", "resource_id", "before", "after"),
)


@dataclass(frozen=True)
class Filter:
    person_id: UUID | None
    resource: str | None
    since: datetime | None

    def of(self, query: Select[Any]) -> Select[Any]:
        if self.person_id is not None:
            query = query.where(audit_entry.c.person_id == self.person_id)
        if self.resource is not None:
            query = query.where(audit_entry.c.resource == self.resource)
        if self.since is not None:
            query = query.where(audit_entry.c.at >= self.since)
        return query


class AuditLogService:
    def __init__(self, opened: Connections) -> None:
        self._opened = opened

    async def list(self, which: Filter, *, cursor: UUID | None, limit: int) -> Page[EntryOut]:
        query = which.of(select(audit_entry)).order_by(audit_entry.c.id.desc()).limit(limit + 1)
        if cursor is not None:
            query = query.where(audit_entry.c.id < cursor)
        async with self._opened.engine.connect() as connection:
            rows = [EntryOut.model_validate(dict(row._mapping)) for row in await connection.execute(query)]
        items, next_cursor = page_of(rows, limit)
        return Page(items=items, next_cursor=next_cursor)

    async def csv(self, which: Filter) -> AsyncIterator[str]:
        """Yield the lines of a CSV file, the latest entry first. Cells that a spreadsheet would run as formulas become
        texts."""
        yield line_of(iter(COLUMNS))
        cursor: UUID | None = None
        while True:
            page = await self.list(which, cursor=cursor, limit=_BATCH)
            for entry in page.items:
                fields = entry.model_dump(mode="json")
                yield line_of(neutral(_cell(fields[name])) for name in COLUMNS)
            cursor = page.next_cursor
            if cursor is None:
                return


def _cell(value: object) -> str:
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)
