"""Test a full disk during a run: no paid answer is lost or paid again.

The platform reports the cause, and continues without help when there is room again.
"""

import asyncio
from typing import Any

import pytest

from tests.platform import JUDGE_MODEL, RUN_TIMEOUT_S, Platform, platform
from tests.small_disk import small_disk

pytestmark = pytest.mark.never_rerun

DISK_MB = 350
TASKS = 40


async def _until_warned(stack: Platform, run_id: str) -> dict[str, Any]:
    return await stack.until(run_id, lambda run: any(warning["kind"] == "no_room" for warning in run["warnings"]))


async def test_full_disk_during_a_run_loses_no_answer_and_repeats_no_paid_call() -> None:
    with small_disk(DISK_MB) as disk:
        async with platform(tasks=TASKS, disk=disk.folder) as stack:
            # Long answers fill the disk.
            model = "mock-100ms-tokens4000"
            # The provider holds all calls after the sixth until the disk is full, so that the run cannot end before.
            await stack.control(model=model, hold=6)
            run_id = await stack.start_run(model, judge=JUDGE_MODEL)
            await stack.until(run_id, lambda run: run["counts"]["answered"] >= 5)
            disk.fill()
            await _write_until_refused(stack)
            await stack.control(model=model, hold=None)
            warned_run = await _until_warned(stack, run_id)
            assert warned_run["status"] == "RUNNING"
            (warning,) = [each_warning for each_warning in warned_run["warnings"] if each_warning["kind"] == "no_room"]
            assert "no room left on its disk" in warning["message"]
            ready = await stack.http.get("/health/orchestrator")
            assert ready.status_code == 503
            assert "no room left on its disk" in ready.json()["detail"]
            # Reading requests still succeed.
            assert (await stack.http.get(f"/api/runs/{run_id}/items")).status_code == 200

            disk.empty()
            run = await stack.until_status(run_id, "FINISHED")
            assert run["outcome"] == "complete"
            assert run["counts"]["judged"] == TASKS
            calls = await stack.ledger()
            assert len({call["call_id"] for call in calls}) == len(calls), "nothing was asked for twice"


async def _write_until_refused(stack: Platform) -> None:
    """Create tasks until one is refused. On a full disk, PostgreSQL may still have some free space in its files."""
    for number in range(1000):
        task = {"task_id": f"large-{number}", "category": "a", "question": f"{number} " + "x y z " * 20_000}
        answer = await stack.http.post("/api/tasks", json=task)
        if answer.status_code != 201:
            assert (answer.status_code, answer.json()["title"]) == (507, "The disk is full"), answer.text
            return
    raise AssertionError("a thousand large tasks were stored on a full disk")


async def test_upload_on_a_full_disk_is_refused_and_stores_nothing() -> None:
    with small_disk(DISK_MB) as disk:
        async with platform(tasks=1, disk=disk.folder) as stack:
            dataset = await stack.post("/v1/datasets", {"name": "Large", "type": "EVALUATION"})
            path = f"/v1/datasets/{dataset['dataset_id']}/versions"
            content = b"".join(b'{"input": {"prompt": "%d %s"}}\n' % (number, b"x" * 4000) for number in range(2000))
            disk.fill()
            refused = await stack.http.post(path, params={"format": "jsonl"}, files={"file": ("a.jsonl", content)})
            assert (refused.status_code, refused.json()["title"]) == (507, "The disk is full"), refused.text
            disk.empty()
            async with asyncio.timeout(RUN_TIMEOUT_S):
                while True:
                    # The servers may need a moment until they notice the free space.
                    taken = await stack.http.post(
                        path, params={"format": "jsonl"}, files={"file": ("a.jsonl", content)}
                    )
                    if taken.status_code == 201:
                        break
                    assert taken.status_code in (503, 507), taken.text
                    await asyncio.sleep(0.1)
            kept = [file for file in (disk.folder.glob("llmbench-platform-*/files/**/*")) if file.is_file()]
            assert len(kept) == 1
