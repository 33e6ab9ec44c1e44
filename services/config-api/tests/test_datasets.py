"""Test `/v1/datasets` over HTTP."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import nats
from config_api_asserting import assert_problem, create_resource
from dataset_world import dataset, jsonl, numbered, stored_files, upload_version
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db.tables import dataset_version, ground_truth, test_case
from llmbench.messaging.streams import EVENTS


async def test_dataset_is_created_read_changed_and_deleted(api: httpx.AsyncClient) -> None:
    body = {
        "name": "HR",
        "description": "Leave and expenses",
        "type": "GOLDEN_SET",
        "tags": ["hr"],
        "metadata": {"team": "people"},
    }
    answer = await api.post("/v1/datasets", json=body)
    assert (answer.status_code, answer.headers["etag"]) == (201, '"1"')
    path = answer.headers["location"]
    found = (await api.get(path)).json()
    assert found == answer.json()
    assert {name: found[name] for name in body} == body
    assert (found["version_count"], found["latest_version"], found["published_version"]) == (0, None, None)

    answer = await api.patch(path, json={"tags": ["hr", "2026"], "description": None}, headers={"If-Match": '"1"'})
    assert (answer.status_code, answer.headers["etag"]) == (200, '"2"')
    assert (answer.json()["name"], answer.json()["tags"], answer.json()["description"]) == ("HR", ["hr", "2026"], None)
    assert_problem(await api.patch(path, json={"name": "x"}, headers={"If-Match": '"1"'}), 412)
    assert_problem(await api.patch(path, json={"nmae": "x"}), 422, "nmae")

    await dataset(api, "Other")
    assert_problem(await api.patch(path, json={"name": "Other"}), 409, "name")
    assert_problem(await api.post("/v1/datasets", json=body), 409, "name")

    assert (await api.delete(path)).status_code == 204
    assert_problem(await api.get(path), 404)
    assert_problem(await api.delete(path), 404)


async def test_datasets_are_listed_and_filtered(api: httpx.AsyncClient) -> None:
    for number in range(3):
        metadata = {"team": "search", "langs": ["de", "en"]} if number else {}
        await dataset(api, f"Set {number}", type="BENCHMARK", tags=["nightly", f"t{number}"], metadata=metadata)
    await dataset(api, "Last")

    async def names(**query: Any) -> tuple[list[str], int, bool]:
        page = (await api.get("/v1/datasets", params=query)).json()
        return [entry["name"] for entry in page["datasets"]], page["total"], page["has_more"]

    assert await names() == (["Last", "Set 2", "Set 1", "Set 0"], 4, False)
    assert await names(limit=1, offset=1) == (["Set 2"], 4, True)
    assert await names(limit=2, offset=2) == (["Set 1", "Set 0"], 4, False)
    assert await names(type="BENCHMARK", q="SET 1") == (["Set 1"], 1, False)
    assert await names(tag=["nightly", "t2"]) == (["Set 2"], 1, False)
    assert await names(name="Last") == (["Last"], 1, False)
    path = (await api.get("/v1/datasets", params={"name": "Set 1"})).json()["datasets"][0]["dataset_id"]
    await upload_version(api, f"/v1/datasets/{path}", jsonl(*numbered(1)))
    assert await names(status="DRAFT") == (["Set 1"], 1, False)
    assert await names(status="PUBLISHED") == ([], 0, False)
    assert await names(filter='{"langs": ["en"]}') == (["Set 2", "Set 1"], 2, False)
    for wrong in ("7", "{", "[]", '{"a": "\\u0000"}', "[" * 10_000):
        assert_problem(await api.get("/v1/datasets", params={"filter": wrong}), 422, "filter")


async def test_versions_are_numbered_published_deprecated_and_immutable(
    api: httpx.AsyncClient, files: Path, engine: AsyncEngine
) -> None:
    path = await dataset(api)
    first = await upload_version(api, path, jsonl(*numbered(3)))
    assert (first["version_number"], first["status"], first["validation_status"]) == (1, "DRAFT", "VALID")
    assert (first["row_count"], first["file_format"], first["file_name"]) == (3, "jsonl", "cases.jsonl")
    assert first["schema"] == {"columns": [{"name": "id", "type": "text"}, {"name": "prompt", "type": "text"}]}
    assert len(first["schema_hash"]) == 32
    assert first["file_uri"].startswith("file:")
    [file] = stored_files(files)
    assert str(file).endswith(first["file_uri"].removeprefix("file:"))

    second = await upload_version(api, path, jsonl(*numbered(3)), "again.ndjson")
    assert second["version_number"] == 2
    assert second["content_hash"] == first["content_hash"]
    assert_problem(await api.post(f"{path}/versions/1/deprecate"), 409)
    assert (await api.delete(f"{path}/versions/2")).status_code == 204
    assert stored_files(files) == [file]

    for _ in range(2):
        published = (await api.post(f"{path}/versions/1/publish")).json()
        assert (published["status"], published["content_hash"]) == ("PUBLISHED", first["content_hash"])
    assert (await api.get(path)).json()["published_version"] == 1
    assert_problem(await api.delete(f"{path}/versions/1"), 409)
    for _ in range(2):
        assert (await api.post(f"{path}/versions/1/deprecate")).json()["status"] == "DEPRECATED"
    assert_problem(await api.post(f"{path}/versions/1/publish"), 409)
    assert_problem(await api.get(f"{path}/versions/2"), 404)
    assert_problem(await api.get(f"/v1/datasets/{uuid4()}/versions/1"), 404)
    page = (await api.get(f"{path}/versions")).json()
    assert ([version["version_number"] for version in page["versions"]], page["total"]) == ([1], 1)

    assert (await api.delete(path)).status_code == 204
    assert stored_files(files) == []
    async with engine.connect() as connection:
        for table in (dataset_version, test_case, ground_truth):
            assert (await connection.execute(select(func.count()).select_from(table))).scalar_one() == 0


async def test_cases_are_listed_in_file_order_and_filtered_by_metadata(api: httpx.AsyncClient) -> None:
    path = await dataset(api)
    cases = [
        {"id": f"c{number}", "prompt": "p", "difficulty": "hard" if number % 3 == 0 else "easy", "marks": [number]}
        for number in range(10)
    ]
    await upload_version(api, path, jsonl(*cases))

    async def names(**query: Any) -> tuple[list[str], int, bool]:
        page = (await api.get(f"{path}/versions/1/cases", params=query)).json()
        return [case["name"] for case in page["cases"]], page["total"], page["has_more"]

    assert (await names())[0] == [f"c{number}" for number in range(10)]
    assert await names(limit=2, offset=3) == (["c3", "c4"], 10, True)
    assert await names(limit=2, offset=1, filter='{"difficulty": "hard"}') == (["c3", "c6"], 4, True)
    assert await names(filter='{"marks": [7]}') == (["c7"], 1, False)
    assert await names(offset=50) == ([], 10, False)


async def test_case_keeps_all_fields_of_its_row(api: httpx.AsyncClient) -> None:
    path = await dataset(api)
    row = {
        "id": "q1",
        "input": {"prompt": " Why? ", "context": "Because.", "system_prompt": "Be brief."},
        "conversation": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}],
        "expected_output": "So.",
        "ground_truth": {
            "answer": "So.",
            "acceptable_answers": ["Thus."],
            "rubric": {"excellent": "So."},
            "source": "EXPERT",
            "confidence": 0.9,
        },
        "metadata": {"category": "why"},
        "ground_truth.citations": ["a.md"],
        "tags": ["x", 1, None],
    }
    await upload_version(api, path, jsonl(row))
    [case] = (await api.get(f"{path}/versions/1/cases")).json()["cases"]
    assert (case["name"], case["row_index"], case["expected_output"]) == ("q1", 0, "So.")
    assert case["input"] == {**row["input"], "conversation": row["conversation"]}  # type: ignore[dict-item]
    assert case["metadata"] == {"category": "why", "tags": ["x", 1, None]}
    truth = case["ground_truth"]
    assert (truth["source"], truth["confidence"]) == ("EXPERT", 0.9)
    assert truth["value"] == {
        "answer": "So.",
        "acceptable_answers": ["Thus."],
        "rubric": {"excellent": "So."},
        "citations": ["a.md"],
    }


async def test_dataset_of_an_unfinished_run_cannot_be_deleted(api: httpx.AsyncClient, engine: AsyncEngine) -> None:
    path = await dataset(api)
    version = await upload_version(api, path, jsonl(*numbered(1)))
    provider = await create_resource(api, "/api/providers", name="P", type="OLLAMA")
    run_id = uuid4()
    async with engine.begin() as connection:
        await connection.execute(
            text(
                "INSERT INTO run (id, org_id, name, status, phase, concurrency, timeout_s, max_attempts, max_backoff_s,"
                " judge_provider_id, judge_provider_name, judge_model, created_at)"
                " SELECT :run, org_id, 'Nightly', 'PAUSED', 'BENCHMARKING', 1, 1, 1, 1, id, 'P', 'm', now()"
                " FROM provider WHERE id = :provider"
            ),
            {"run": run_id, "provider": provider["id"]},
        )
        await connection.execute(
            text("INSERT INTO run_dataset_version VALUES (:run, :version, 0, :dataset, 'Questions', 1)"),
            {"run": run_id, "version": version["version_id"], "dataset": version["dataset_id"]},
        )
    problem = assert_problem(await api.delete(path), 409)
    assert problem["run_ids"] == [str(run_id)]
    assert "Nightly" in str(problem["detail"])
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE run SET status = 'CANCELLED', finished_at = now()"))
    assert (await api.delete(path)).status_code == 204


async def test_every_change_of_a_dataset_is_published_as_an_event(api: httpx.AsyncClient, nats_url: str) -> None:
    path = await dataset(api)
    await upload_version(api, path, jsonl(*numbered(1)))
    await api.post(f"{path}/versions/1/publish")
    await api.delete(path)
    connection = await nats.connect(nats_url)
    try:
        subscription = await connection.jetstream().subscribe(
            "evt.config.dataset.>", stream=EVENTS, ordered_consumer=True
        )
        events = [await subscription.next_msg(timeout=90) for _ in range(4)]
    finally:
        await connection.close()
    assert [event.subject.split(".")[3] for event in events] == ["created", "updated", "updated", "deleted"]
    assert {json.loads(event.data)["name"] for event in events} == {"Questions"}
