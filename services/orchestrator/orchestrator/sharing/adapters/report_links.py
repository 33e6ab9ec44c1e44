"""Store the links that show the report of a run without sign-in."""

from typing import Final
from uuid import UUID

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db import tables as t
from llmbench.ids import new_id
from orchestrator.kernel.domain.refusal import no_run
from orchestrator.sharing.ports.report_links import MOST_LINKS, ReportLinkOut, ReportLinks, SharedRun

_link: Final = t.report_link.c
_SHOWN: Final = (_link.id, _link.created_at, _link.created_by, _link.expires_at, _link.opened_at)
_WORKS: Final = _link.expires_at > func.now()


class PostgresReportLinks:
    """Implement the port `ReportLinkStore`. `reading` may be a replica."""

    def __init__(self, engine: AsyncEngine, reading: AsyncEngine) -> None:
        self._engine = engine
        self._reading = reading

    async def of_run(self, run_id: UUID) -> ReportLinks:
        query = select(*_SHOWN).where(_link.run_id == run_id, _WORKS).order_by(_link.created_at.desc(), _link.id.desc())
        async with self._reading.connect() as connection:
            rows = (await connection.execute(query)).mappings()
            return ReportLinks(items=[ReportLinkOut.model_validate(dict(row)) for row in rows])

    async def add(self, run_id: UUID, token_hash: bytes, *, days: int) -> ReportLinkOut | None:
        # Locking the run makes the limit exact: links to it are added one after another.
        run = select(t.run.c.id).where(t.run.c.id == run_id).with_for_update(key_share=True)
        expired = delete(t.report_link).where(_link.run_id == run_id, _link.expires_at <= func.now())
        count = select(func.count()).select_from(t.report_link).where(_link.run_id == run_id)
        # In hours: a day of the calendar has 23 or 25 hours when the clocks change.
        expires_at = func.now() + func.make_interval(0, 0, 0, 0, 24 * days)
        values = {"id": new_id(), "run_id": run_id, "token_hash": token_hash, "expires_at": expires_at}
        stored = insert(t.report_link).values(values).returning(*_SHOWN)
        async with self._engine.begin() as connection:
            if (await connection.execute(run)).first() is None:
                raise no_run(run_id)
            await connection.execute(expired)
            if (await connection.execute(count)).scalar_one() >= MOST_LINKS:
                return None
            row = (await connection.execute(stored)).mappings().one()
            return ReportLinkOut.model_validate(dict(row))

    async def revoke(self, run_id: UUID, link_id: UUID) -> bool:
        gone = delete(t.report_link).where(_link.run_id == run_id, _link.id == link_id)
        async with self._engine.begin() as connection:
            return (await connection.execute(gone)).rowcount > 0

    async def find(self, token_hash: bytes) -> SharedRun | None:
        is_open = select(t.organisation.c.id).where(
            t.organisation.c.id == _link.org_id, t.organisation.c.closed_at.is_(None)
        )
        query = (
            select(_link.id, _link.run_id, t.run.c.name, _link.expires_at)
            .join(t.run, t.run.c.id == _link.run_id)
            .where(_link.token_hash == token_hash, _WORKS, is_open.exists())
        )
        # A replica could still have a link that was revoked just now.
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
            return None if row is None else SharedRun(*row)

    async def mark_opened(self, link_id: UUID) -> None:
        opened = update(t.report_link).where(_link.id == link_id).values(opened_at=func.now())
        async with self._engine.begin() as connection:
            await connection.execute(opened)
