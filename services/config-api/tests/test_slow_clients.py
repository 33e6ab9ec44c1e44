"""Test that clients which pause in an upload, and imports that wait for another import, do not block other requests."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

SLOW_CLIENTS = 12
"""The number of slow clients: more than config-api has connections to its database."""
PATIENCE_S = 240.0
BOUNDARY = "slow"
FORM = {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}
HELD = """
    SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'config-api' AND datname = current_database() AND xact_start IS NOT NULL
"""


class OneByte:
    """A request body that sends one byte and then waits until the test lets it end."""

    def __init__(self, going_on: asyncio.Event) -> None:
        self.begun = asyncio.Event()
        self._going_on = going_on

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"-"
        self.begun.set()
        await self._going_on.wait()


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/v1/datasets/{dataset}/versions", FORM),
        ("/v1/documents", FORM),
        ("/api/tasks/import?format=csv", {"content-type": "text/csv"}),
    ],
)
@pytest.mark.shows("S-26")
async def test_paused_uploads_do_not_block_other_requests(
    api: httpx.AsyncClient, engine: AsyncEngine, path: str, headers: dict[str, str]
) -> None:
    dataset = (await api.post("/v1/datasets", json={"name": "Slow"})).json()["dataset_id"]
    going_on = asyncio.Event()
    bodies = [OneByte(going_on) for _ in range(SLOW_CLIENTS)]
    slow = [
        asyncio.ensure_future(api.post(path.format(dataset=dataset), content=aiter(body), headers=headers))
        for body in bodies
    ]
    try:
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(body.begun.wait() for body in bodies))
            async with engine.connect() as connection:
                assert (await connection.execute(text(HELD))).scalar_one() == 0
            files = {"file": ("cases.jsonl", b'{"prompt": "1?"}\n')}
            assert (await api.post(f"/v1/datasets/{dataset}/versions", files=files)).status_code == 201
            files = {"file": ("notes.txt", b"Two weeks ahead.")}
            assert (await api.post("/v1/documents", files=files, data={"name": "Quick"})).status_code == 201
            csv = b"task_id,category,question\nt-1,c,q\n"
            imported = await api.post("/api/tasks/import?format=csv", content=csv, headers={"content-type": "text/csv"})
            assert imported.status_code == 200, imported.text
            assert (await api.get("/api/tasks")).status_code == 200
    finally:
        going_on.set()
        answers = await asyncio.gather(*slow)
    assert {answer.status_code for answer in answers} == {422}, "what they sent is no file"


@pytest.mark.shows("S-26")
async def test_waiting_imports_hold_no_database_connection(api: httpx.AsyncClient, engine: AsyncEngine) -> None:
    csv = "task_id,category,question\nt-{number},c,q\n"
    headers = {"content-type": "text/csv"}
    async with engine.begin() as holder:
        # Take the lock that an import of another process would hold.
        lock = "SELECT pg_advisory_xact_lock(hashtextextended('config-api import', 0))"
        await holder.execute(text(lock))
        imports = [
            asyncio.ensure_future(
                api.post("/api/tasks/import?format=csv", content=csv.format(number=number), headers=headers)
            )
            for number in range(SLOW_CLIENTS)
        ]
        async with asyncio.timeout(PATIENCE_S):
            while not (
                await holder.execute(text("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
            ).all():
                await asyncio.sleep(0)
            assert (await api.get("/api/tasks")).status_code == 200
    async with asyncio.timeout(PATIENCE_S):
        assert {answer.status_code for answer in await asyncio.gather(*imports)} == {200}
