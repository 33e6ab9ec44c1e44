"""Test that uploads stay within the storage of the organisation's plan."""

import asyncio
from pathlib import Path

import httpx
from config_api_asserting import assert_problem
from dataset_world import dataset, jsonl, numbered, stored_files, upload, upload_version

from llmbench.db.plans import change_plan

CASES = jsonl(*numbered(2))
SIZE = len(CASES)


async def add_document(api: httpx.AsyncClient, name: str, content: str) -> httpx.Response:
    return await api.post("/v1/documents", files={"file": (f"{name}.txt", content.encode())}, data={"name": name})


async def test_file_that_does_not_fit_is_refused_and_leaves_nothing(
    api: httpx.AsyncClient, postgres_url: str, files: Path
) -> None:
    path = await dataset(api)
    await upload_version(api, path, CASES)
    await change_plan(postgres_url, "ENTERPRISE", {"storage_bytes": 2 * SIZE - 1})
    problem = assert_problem(await upload(api, path, CASES), 403, "file")
    assert f"{SIZE:,} are used, and this file has {SIZE:,}" in str(problem["detail"])
    assert_problem(await add_document(api, "notes", "x" * SIZE), 403, "file")
    assert len(stored_files(files)) == 1
    assert (await add_document(api, "short", "Short.")).status_code == 201


async def test_deleted_dataset_makes_room(api: httpx.AsyncClient, postgres_url: str) -> None:
    await change_plan(postgres_url, "ENTERPRISE", {"storage_bytes": SIZE})
    first = await dataset(api, "First")
    await upload_version(api, first, CASES)
    second = await dataset(api, "Second")
    assert (await upload(api, second, CASES)).status_code == 403
    assert (await api.delete(first)).status_code == 204
    await upload_version(api, second, CASES)


async def test_simultaneous_uploads_take_no_room_twice(api: httpx.AsyncClient, postgres_url: str) -> None:
    await change_plan(postgres_url, "ENTERPRISE", {"storage_bytes": 2 * SIZE})
    names = [f"notes {number}" for number in range(4)]
    answers = await asyncio.gather(*(add_document(api, name, "x" * SIZE) for name in names))
    assert sorted(answer.status_code for answer in answers) == [201, 201, 403, 403]
