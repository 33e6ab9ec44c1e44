"""Test the pause of a run during a long call of a target or a judge: the call's answer is kept, and no further call
starts.

After the resume, the run continues with the next item.
"""

import pytest

from tests.journey.conftest import Seeded
from tests.platform import Platform

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

TARGET, JUDGE = "mock-0ms-target", "mock-0ms-slow-judge"


@pytest.mark.parametrize(("phase", "slow_model", "calls_before"), [("BENCHMARKING", TARGET, 3), ("JUDGING", JUDGE, 3)])
@pytest.mark.shows("I-11")
async def test_pause_keeps_the_answer_of_the_call_in_flight(
    seeded: Seeded, phase: str, slow_model: str, calls_before: int
) -> None:
    stack = await seeded(tasks=6)
    run_id, underway = await _until_a_call_is_held(stack, slow_model, calls_before)
    run = await stack.post(f"/api/runs/{run_id}/pause")
    assert (run["status"], run["phase"]) == ("PAUSING", phase)
    assert (await stack.get(f"/api/runs/{run_id}"))["status"] == "PAUSING"

    await stack.control(model=slow_model, hold=None)
    run = await stack.until_status(run_id, "PAUSED")
    calls = await stack.ledger()
    assert calls[-1]["call_id"] == underway["call_id"], "no further call was started"
    assert calls[-1]["answered"]
    counted = "answered" if phase == "BENCHMARKING" else "judged"
    # All answered calls of the model are stored. One of them is the warm-up, which belongs to no item.
    stored = sum(call["answered"] and call["model"] == slow_model for call in calls) - 1
    assert run["counts"][counted] == stored
    statuses = [event["status"] for event in await stack.events(run_id) if event["type"].endswith("status_changed.v1")]
    assert statuses[-2:] == ["PAUSING", "PAUSED"]

    await stack.post(f"/api/runs/{run_id}/resume")
    await stack.until_status(run_id, "FINISHED")
    calls_after = await stack.ledger()
    assert len({call["call_id"] for call in calls_after}) == len(calls_after), "nothing was asked for twice"
    assert len(await stack.items(run_id)) == 6
    # One warm-up of the target, one of the judge, and one after the resume.
    assert sum("Hello, World!" in call["prompt"] for call in calls_after) == 3


async def _until_a_call_is_held(stack: Platform, model: str, calls_before: int) -> tuple[str, dict[str, object]]:
    await stack.control(model=model, hold=calls_before)
    run_id = await stack.start_run(TARGET, judge=JUDGE)
    return run_id, await stack.until_held(model)
