"""Test that queued runs survive SIGKILL of every orchestrator, start in their order, and are never active together."""

from itertools import pairwise

import pytest

from tests.journey.conftest import Seeded
from tests.platform import overlaps

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

TASKS = 6
MODEL = "mock-0ms-queued"


@pytest.mark.shows("I-12", "I-31")
async def test_queue_survives_kills_of_two_orchestrators_in_its_order(seeded: Seeded) -> None:
    stack = await seeded(tasks=TASKS)
    second = stack.second_process("orchestrator")
    await second.start()
    try:
        await stack.control(model=MODEL, hold=1)
        runs = [await stack.start_run(MODEL, name="active")]
        runs += [await stack.start_run(MODEL, name=f"queued {number}", queue=True) for number in range(2)]
        urgent = await stack.start_run(MODEL, name="urgent", queue=True, priority=3)
        order = [runs[0], urgent, *runs[1:]]
        await stack.until_held(MODEL)
        await stack.services["orchestrator"].kill()
        await second.kill()
        await stack.control(model=MODEL, hold=None)
        await stack.services["orchestrator"].start()
        await second.start()
        # Kill the orchestrator again, just when it has started a queued run.
        await stack.until(urgent, lambda run: run["status"] != "QUEUED")
        await stack.services["orchestrator"].kill()
        await stack.services["orchestrator"].start()
        ended = [await stack.until_status(run_id, "FINISHED") for run_id in order]
    finally:
        await second.stop()
    assert {run["outcome"] for run in ended} == {"complete"}
    assert [run["counts"]["judged"] for run in ended] == [TASKS] * len(order)
    for before, after in pairwise(ended):
        assert before["finished_at"] <= after["started_at"]
    assert not list(overlaps([call for call in await stack.ledger() if call["model"] == MODEL]))
