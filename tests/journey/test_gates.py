"""Test that a run's verdict survives SIGKILL of the orchestrator between the end of the run and the verdict."""

import asyncpg
import pytest

from tests.journey.conftest import Seeded

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

TASKS = 20
MODEL = "mock-0ms-gated"


async def test_verdict_survives_kills_between_the_end_and_the_verdict_and_is_published_once(seeded: Seeded) -> None:
    stack = await seeded(tasks=TASKS)
    preset = await stack.post("/api/evaluation-presets", {"name": "gated", "settings": {"max_concurrent_calls": 4}})
    more = {
        "judge": None,
        "evaluators": [{"kind": "contains", "params": {"text": "Answer"}}],
        "subject": {"kind": "preset", "id": preset["id"]},
    }
    first = await stack.start_run(MODEL, **more)
    await stack.until_status(first, "FINISHED")
    baseline = await stack.post("/api/baselines", {"subject": more["subject"], "run_id": first})
    await stack.post(f"/api/baselines/{baseline['id']}/gates", {"metric": "score", "margin": 0.4})

    # Lock the table of gates: the run can end, because its end does not read them, but its verdict has to wait.
    connection = await asyncpg.connect(stack.database_url)
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE gate IN ACCESS EXCLUSIVE MODE")
            run_id = await stack.start_run(MODEL, **more)
            ended = await stack.until_status(run_id, "FINISHED")
            assert ended["gate"] == {"verdict": "pending", "passed": None, "sentence": None, "decided_at": None}
            await stack.services["orchestrator"].kill()
    finally:
        await connection.close()
    second = stack.second_process("orchestrator")
    await second.start()
    await stack.services["orchestrator"].start()
    try:
        run = await stack.until(run_id, lambda run: run["gate"]["verdict"] != "pending")
    finally:
        await second.stop()
    assert (run["gate"]["verdict"], run["gate"]["passed"]) == ("fine", True)
    verdicts = [event["gate"]["verdict"] for event in await stack.events(run_id) if event.get("gate")]
    assert verdicts == ["pending", "fine"]
    # A run that later runs are compared with cannot be deleted.
    assert (await stack.http.delete(f"/api/runs/{first}")).status_code == 409
    assert (await stack.http.delete(f"/api/baselines/{baseline['id']}")).status_code == 204
