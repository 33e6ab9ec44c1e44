"""Test the sweep of uploaded files: it deletes the recorded files that belong to no version or document, and no other
files."""

import io
from datetime import timedelta
from pathlib import Path

import httpx
from config_api_asserting import assert_problem
from dataset_world import dataset, jsonl, numbered, stored_files, upload, upload_version
from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.files import loose
from config_api.files.store import open_store
from llmbench.db.tables import loose_file


async def noted_uris(engine: AsyncEngine) -> set[str]:
    async with engine.connect() as connection:
        return set((await connection.execute(select(loose_file.c.uri))).scalars())


def make_unreachable(folder: Path) -> None:
    folder.rename(folder.with_name("away"))
    folder.write_text("no folder")


def make_reachable(folder: Path) -> None:
    folder.unlink()
    folder.with_name("away").rename(folder)


async def test_file_left_by_a_crash_is_deleted_after_an_hour(
    api: httpx.AsyncClient, engine: AsyncEngine, files: Path
) -> None:
    store = open_store(str(files))
    path = await dataset(api)
    await upload_version(api, path, jsonl(*numbered(2)))
    assert await noted_uris(engine) == set(), "its version holds it"
    (held,) = stored_files(files)
    (files / "somebody's").write_text("not written down")
    for key in ("old", "new"):
        async with engine.begin() as connection:
            await loose.note(connection, [store.uri(key)])
        await store.put(key, io.BytesIO(b"left"))
    async with engine.begin() as connection:
        await connection.execute(insert(loose_file).values(uri="s3://elsewhere/old"))
        aged = update(loose_file).where(loose_file.c.uri != store.uri("new"))
        await connection.execute(aged.values(created_at=func.now() - timedelta(minutes=61)))

    assert await loose.sweep(engine, store) == 1
    assert sorted(stored_files(files)) == sorted([held, files / "new", files / "somebody's"])
    assert await noted_uris(engine) == {store.uri("new"), "s3://elsewhere/old"}, "another store's waits for it"
    assert await loose.sweep(engine, store) == 0


async def test_unreachable_storage_is_a_503_and_deletions_are_done_later(
    api: httpx.AsyncClient, engine: AsyncEngine, files: Path
) -> None:
    path = await dataset(api)
    await upload_version(api, path, jsonl(*numbered(2)))
    (held,) = stored_files(files)
    make_unreachable(files)
    answer = await upload(api, path, jsonl(*numbered(3)))
    assert_problem(answer, 503)
    assert str(files) in answer.json()["detail"]
    assert (await api.delete(path)).status_code == 204
    assert len(await noted_uris(engine)) == 1
    async with engine.begin() as connection:
        await connection.execute(update(loose_file).values(created_at=func.now() - timedelta(minutes=61)))
    assert await loose.sweep(engine, open_store(str(files))) == 0
    make_reachable(files)
    assert await loose.sweep(engine, open_store(str(files))) == 1
    assert not held.exists()


async def test_refused_uploads_and_deletions_leave_no_file_and_no_record(
    api: httpx.AsyncClient, engine: AsyncEngine, files: Path
) -> None:
    path = await dataset(api)
    assert_problem(await upload(api, path, "not json"), 422, "1")
    version = await upload_version(api, path, jsonl(*numbered(2)))
    await upload_version(api, path, jsonl(*numbered(3)))
    assert (await api.delete(f"{path}/versions/{version['version_number']}")).status_code == 204
    assert len(stored_files(files)) == 1
    assert (await api.delete(path)).status_code == 204
    assert (stored_files(files), await noted_uris(engine)) == ([], set())


async def test_orphaned_uploads_are_counted_and_deleted_on_request(
    api: httpx.AsyncClient, engine: AsyncEngine, files: Path
) -> None:
    store = open_store(str(files))
    for key in ("old", "older", "new"):
        async with engine.begin() as connection:
            await loose.note(connection, [store.uri(key)])
        await store.put(key, io.BytesIO(b"left"))
    async with engine.begin() as connection:
        aged = update(loose_file).where(loose_file.c.uri != store.uri("new"))
        await connection.execute(aged.values(created_at=func.now() - timedelta(minutes=61)))
    assert (await api.get("/api/uploads/orphans")).json() == {"files": 2, "older_than_s": 3600.0}
    assert (await api.post("/api/uploads/sweep")).json() == {"deleted": 2}
    assert stored_files(files) == [files / "new"]
    assert (await api.get("/api/uploads/orphans")).json()["files"] == 0
