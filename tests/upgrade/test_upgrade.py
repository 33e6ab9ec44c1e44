"""Test the migration of a database with the very first schema. All its data can be read, and its paused run ends after
a resume."""

from pathlib import Path

import asyncpg
import pytest

from llmbench.db.history import head
from llmbench.db.version import current
from tests.platform import Platform, platform

pytestmark = pytest.mark.never_rerun

DUMP = Path(__file__).parent / "schema_0001.sql"


async def _first_schema(database_url: str, provider_url: str) -> None:
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute(DUMP.read_text().replace("http://provider.invalid", provider_url))
    finally:
        await connection.close()
    assert await current(database_url) == "0001"


async def test_runs_of_the_first_schema_are_readable_and_can_continue() -> None:
    async with platform(prepare=_first_schema) as stack:
        assert await current(stack.database_url) == head()
        runs = {run["name"]: run for run in (await stack.get("/api/runs"))["items"]}
        assert {name: run["status"] for name, run in runs.items()} == {
            "Finished at 0001": "FINISHED",
            "Paused at 0001": "PAUSED",
        }
        await _check_run(stack, runs["Finished at 0001"]["id"])
        await _check_providers_tasks_and_collections(stack)

        paused = runs["Paused at 0001"]["id"]
        before = {item["id"]: item for item in await stack.items(paused)}
        assert {item["status"] for item in before.values()} == {"COMPLETED", "WAITING_FOR_JUDGE"}
        await stack.post(f"/api/runs/{paused}/resume")
        run = await stack.until_status(paused, "FINISHED")
        assert run["outcome"] == "complete"
        await _check_run(stack, paused)
        calls = [call for call in await stack.ledger() if "Hello, World!" not in call["prompt"]]
        judged_before = sum(item["status"] == "COMPLETED" for item in before.values())
        assert {call["model"] for call in calls} == {"mock-0ms-slow-judge"}, "no answer is paid for again"
        assert len(calls) == len(before) - judged_before
        # Old data work with new features: start another run with the same provider and collection.
        stack.provider_id = run["judge"]["provider_id"]
        stack.collection_id = (await stack.get("/api/collections"))["items"][0]["id"]
        await stack.until_status(await stack.start_run("mock-0ms-a"), "FINISHED")


async def _check_run(stack: Platform, run_id: str) -> None:
    """Check that every item has its answer, score and reason, that the log is complete, and that the export has all
    items."""
    run = await stack.get(f"/api/runs/{run_id}")
    items = await stack.items(run_id)
    assert [item["position"] for item in items] == list(range(6))
    for item in items:
        assert item["status"] == "COMPLETED"
        assert item["score"] is not None
        detail = await stack.get(f"/api/runs/{run_id}/items/{item['id']}")
        assert detail["answer"]
        assert detail["scores"][0]["reason"]
    assert {result["items"] for result in run["results"]} == {3}
    assert all(result["mean_score"] is not None for result in run["results"])
    for figures in (run["totals"], *run["results"]):
        assert figures["p95_time_ms"] <= figures["p99_time_ms"]
        assert figures["requests_per_second"] == pytest.approx(figures["timed"] / figures["busy_s"])
    assert (run["cluster_level"], run["totals"]["clusters"]) == ("case", 3)
    numbers = [event["run_seq"] for event in await stack.events(run_id)]
    assert numbers == list(range(1, len(numbers) + 1))
    export = await stack.http.get(f"/api/runs/{run_id}/export", params={"format": "csv"})
    assert export.is_success
    assert len(export.text.strip().splitlines()) >= 7


async def _check_providers_tasks_and_collections(stack: Platform) -> None:
    providers = {provider["name"]: provider for provider in (await stack.get("/api/providers"))["items"]}
    assert {"Mock", "Remote"} <= providers.keys()
    [header] = (await stack.get(f"/api/providers/{providers['Remote']['id']}"))["headers"]
    assert (header["header_value"], header["is_secret"]) == (None, True)
    assert header["hint"].endswith("6789")
    assert {task["task_id"] for task in (await stack.get("/api/tasks"))["items"]} == {"sum-000", "sum-001", "sum-002"}
    assert (await stack.get("/api/collections"))["items"][0]["task_count"] == 3
