"""Test that a run survives SIGKILL of each service, and a purge of the streams.

Every item is completed exactly once. A call is paid twice only if its row was not yet committed when a service was
killed.
"""

from collections import Counter
from typing import Any

import pytest

from tests.journey.conftest import Seeded
from tests.platform import Platform

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

KILLED = ("inference-gateway", "orchestrator", "judge")
TASKS = 20
TARGETS = ("mock-40ms-alpha", "mock-40ms-beta")
JUDGE = "mock-40ms-judge"
CALLS_BETWEEN = 4
"""The number of calls that the provider answers between two kills."""


def answered(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [call for call in calls if call["answered"]]


async def kill_and_start_again(stack: Platform, name: str) -> None:
    await stack.services[name].kill()
    await stack.services[name].start()


async def kill_each_during_a_phase(stack: Platform, model: str) -> None:
    """Kill each service in turn, just when the provider answers a delayed call of `model`.

    The provider delays a call of the model again after `CALLS_BETWEEN` calls. So the phase cannot end before the last
    kill, even on a slow machine.
    """
    for name in KILLED:
        await stack.until_held(model)
        await stack.control(model=model, hold=CALLS_BETWEEN)
        await kill_and_start_again(stack, name)
    await stack.control(model=model, hold=None)


async def audit(stack: Platform, run_id: str, *, kills: int) -> None:
    """Check that the run, its items, its events and the provider's records of calls agree.

    `kills` is the number of kills. Each may cause one call to be repeated.
    """
    run = await stack.get(f"/api/runs/{run_id}")
    expected = TASKS * len(TARGETS)
    assert run["outcome"] == "complete"
    assert run["counts"] == {"items": expected, "answered": expected, "judged": expected, "failed": 0, "skipped": 0}

    items = await stack.items(run_id)
    assert len({(item["task_id"], item["target_label"]) for item in items}) == len(items) == expected
    assert {item["status"] for item in items} == {"COMPLETED"}
    assert {item["attempts"] for item in items} == {1}, "a kill uses up no attempt"

    events = await stack.events(run_id)
    assert [event["run_seq"] for event in events] == list(range(1, len(events) + 1))
    answers = Counter(event["item_id"] for event in events if event.get("kind") == "answer")
    verdicts = Counter(event["item_id"] for event in events if event.get("kind") == "verdict")
    assert set(answers.values()) == set(verdicts.values()) == {1}
    assert len(answers) == len(verdicts) == expected

    paid = Counter(call["call_id"] for call in answered(await stack.ledger()))
    assert sum(paid.values()) - len(paid) <= kills, "at most the one call per kill whose row was not committed"


@pytest.mark.shows("I-04", "R-01", "R-02")
async def test_kills_in_both_phases_lose_no_item_and_repeat_at_most_one_call_each(seeded: Seeded) -> None:
    stack = await seeded(tasks=TASKS)
    for model in (TARGETS[0], JUDGE):
        await stack.control(model=model, hold=CALLS_BETWEEN)
    run_id = await stack.start_run(*TARGETS, judge=JUDGE)
    for model in (TARGETS[0], JUDGE):
        await kill_each_during_a_phase(stack, model)
    await stack.until_status(run_id, "FINISHED")
    await audit(stack, run_id, kills=2 * len(KILLED))


@pytest.mark.shows("I-05")
async def test_purged_streams_in_both_phases_lose_no_item_and_repeat_no_call(seeded: Seeded) -> None:
    stack = await seeded(tasks=TASKS)
    for model in (TARGETS[0], JUDGE):
        await stack.control(model=model, hold=CALLS_BETWEEN)
    run_id = await stack.start_run(*TARGETS, judge=JUDGE)
    for model in (TARGETS[0], JUDGE):
        await stack.until_held(model)
        await stack.purge_streams()
        await stack.control(model=model, hold=None)
    await stack.until_status(run_id, "FINISHED")
    await audit(stack, run_id, kills=0)
