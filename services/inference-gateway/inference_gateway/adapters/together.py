"""Rows that come while the connection is busy are written together: one round trip and one commit for several."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import asyncpg

from inference_gateway.adapters.lock_session import Session

MOST_ROWS = 16
"""A row can be of megabytes, and one statement's time is all that they have together."""


@dataclass(frozen=True)
class _Row:
    values: Sequence[Any]
    written: "asyncio.Future[None]"


@dataclass(eq=False)
class Together:
    """The rows of one statement, over one session."""

    session: Session
    statement: str
    _waiting: list[_Row] = field(default_factory=list)
    _working: asyncio.Task[None] | None = None

    async def write(self, values: Sequence[Any]) -> None:
        """Returns when the row is committed. Raises `SessionLost`, or PostgreSQL's error of this row alone.

        Also written when the caller is cancelled meanwhile.
        """
        row = _Row(values, asyncio.get_running_loop().create_future())
        self._waiting.append(row)
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        await row.written

    async def _work(self) -> None:
        while self._waiting:
            rows: list[_Row] = []
            try:
                await self.session.do(self._write_waiting, rows)
            except asyncpg.PostgresError as error:
                await self._write_apart(rows, error)
            except Exception as error:  # noqa: BLE001  # handed to whoever waits for it
                _tell(rows or self._taken(), error)
            else:
                _tell(rows, None)
        self._working = None

    async def _write_waiting(self, rows: list[_Row], *, timeout: float) -> None:
        """`rows` becomes those that wait longest now that the connection is free."""
        rows.extend(self._waiting[:MOST_ROWS])
        del self._waiting[:MOST_ROWS]
        await self.session.connection.executemany(self.statement, [row.values for row in rows], timeout=timeout)

    async def _write_apart(self, rows: Sequence[_Row], error: asyncpg.PostgresError) -> None:
        """Nothing of them was written, for the fault of one."""
        if len(rows) == 1:
            _tell(rows, error)
            return
        for row in rows:
            try:
                await self.session.do(self.session.connection.execute, self.statement, *row.values)
            except Exception as its_own:  # noqa: BLE001  # handed to whoever waits for it
                _tell([row], its_own)
            else:
                _tell([row], None)

    def _taken(self) -> list[_Row]:
        rows, self._waiting = self._waiting, []
        return rows


def _tell(rows: Sequence[_Row], error: Exception | None) -> None:
    for row in rows:
        if row.written.done():
            continue
        if error is None:
            row.written.set_result(None)
        else:
            row.written.set_exception(error)
