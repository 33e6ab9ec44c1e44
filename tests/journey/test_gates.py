"""Test that a run's verdict survives SIGKILL of the orchestrator between the end of the run and the verdict, and while
the judge is checked."""

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
            assert (ended["gate"]["verdict"], ended["gate"]["decided_at"]) == ("pending", None)
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


async def test_judge_check_survives_a_kill_and_is_neither_lost_nor_repeated(seeded: Seeded) -> None:
    stack = await seeded(tasks=TASKS)
    model, judge = "mock-0ms-checked", "mock-0ms-checking-judge"
    preset = await stack.post("/api/evaluation-presets", {"name": "judged", "settings": {"max_concurrent_calls": 1}})
    subject = {"kind": "preset", "id": preset["id"]}
    # The judge always gives the same score, so that no shift can occur by chance. The mock's own scores depend on the
    # items' ids.
    await stack.control(model=judge, says=[{"when": [], "say": '{"reason": "Right.", "score": 7}'}])
    first = await stack.start_run(model, judge=judge, subject=subject)
    await stack.until_status(first, "FINISHED")
    baseline = await stack.post("/api/baselines", {"subject": subject, "run_id": first})
    await stack.post(f"/api/baselines/{baseline['id']}/gates", {"metric": "score", "margin": 0.9})

    # The judge answers the warm-up and the items of the run, and the warm-up and three items of the check. The next
    # call is held.
    await stack.control(model=judge, hold=1 + TASKS + 1 + 3)
    run_id = await stack.start_run(model, judge=judge, subject=subject)
    await stack.until_held(judge)
    assert (await stack.get(f"/api/runs/{run_id}"))["gate"]["verdict"] == "pending"
    (check,) = (await stack.get("/api/runs", type="JUDGE_CHECK"))["items"]
    await stack.services["orchestrator"].kill()
    await stack.control(model=judge, hold=None)
    await stack.services["orchestrator"].start()
    run = await stack.until(run_id, lambda run: run["gate"]["verdict"] != "pending")
    assert run["gates"][0]["judge_check"] == {
        "run_id": check["id"],
        "answers": 10,
        "repeats": 2,
        "shift": 0.0,
        "p": 1.0,
        "changed": False,
    }
    assert [each["id"] for each in (await stack.get("/api/runs", type="JUDGE_CHECK"))["items"]] == [check["id"]]
    calls = [call for call in await stack.ledger() if call["model"] == judge]
    assert len({call["call_id"] for call in calls}) == len(calls), "no verdict is paid for twice"
    assert (await stack.http.delete(f"/api/runs/{run_id}")).status_code == 204
    assert (await stack.http.get(f"/api/runs/{check['id']}")).status_code == 404, "the check goes with its run"
    assert (await stack.http.delete(f"/api/baselines/{baseline['id']}")).status_code == 204
