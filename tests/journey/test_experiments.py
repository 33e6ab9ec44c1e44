"""Test that an experiment stops by itself when it is decided. A kill of the orchestrator during a round loses no result
and repeats no call."""

import asyncio
import contextlib
from collections import Counter
from typing import Any

import httpx
import pytest

from tests.journey.conftest import Seeded
from tests.journey.test_kill import answered, kill_and_start_again
from tests.platform import RUN_TIMEOUT_S, Platform

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

CASES = 64
ROUND = 8
CONTROL, BETTER = "elm-1b", "elm-2b"


async def script(stack: Platform) -> None:
    """Configure the mock provider: the better model answers every question right, the control every fourth question."""
    right = [{"when": [f"What is {number} +"], "say": "It is right."} for number in range(0, CASES, 4)]
    await stack.control(model=CONTROL, **{"as": "mock-0ms", "says": [*right, {"when": [], "say": "It is wrong."}]})
    await stack.control(model=BETTER, **{"as": "mock-0ms", "says": [{"when": [], "say": "It is right."}]})


def experiment(stack: Platform) -> dict[str, Any]:
    return {
        "name": "A larger model",
        "type": "MODEL_COMPARISON",
        "primary_metric": "rightness",
        "config": {"method": "sequential", "maximum_sample_size": CASES, "round_size": ROUND, "seed": 5},
        "variants": [
            {
                "name": model,
                "is_control": model == CONTROL,
                "config": {"model": {"provider_id": stack.provider_id, "name": model}},
            }
            for model in (CONTROL, BETTER)
        ],
        "sources": {"collection_ids": [stack.collection_id]},
        "evaluators": [{"kind": "contains", "name": "rightness", "params": {"text": "right"}}],
    }


async def until_stopped(stack: Platform, path: str) -> dict[str, Any]:
    """Poll the experiment until it is no longer running, and return it. Requests may fail after a kill."""
    async with asyncio.timeout(RUN_TIMEOUT_S):
        while True:
            with contextlib.suppress(httpx.TransportError, AssertionError):
                found = await stack.get(path)
                if found["status"] != "RUNNING":
                    return found
            await asyncio.sleep(0.1)


@pytest.mark.shows("I-34")
async def test_experiment_stops_by_itself_and_kills_in_a_round_repeat_nothing(seeded: Seeded) -> None:
    stack = await seeded(tasks=CASES)
    await script(stack)
    try:
        path = f"/v1/experiments/{(await stack.post('/v1/experiments', experiment(stack)))['experiment_id']}"
        # Hold calls in the first round and in the second, so that each round is in progress at a kill.
        await stack.control(model=BETTER, hold=ROUND // 2)
        await stack.post(f"{path}/start")
        for _ in range(2):
            await stack.until_held(BETTER)
            await stack.control(model=BETTER, hold=ROUND)
            await kill_and_start_again(stack, "orchestrator")
        await stack.control(model=BETTER, hold=None)
        stopped = await until_stopped(stack, path)
        calls = answered(await stack.ledger())
    finally:
        for model in (CONTROL, BETTER):
            await stack.control(model=model, hold=None, **{"as": None, "says": []})
    assert (stopped["status"], stopped["stopped"]["rule"]) == ("PAUSED", "decided"), stopped
    done = stopped["progress"]["done"]
    assert done < CASES
    assert done % ROUND == 0
    results = await stack.get(f"{path}/results")
    by_name = {variant["name"]: variant for variant in results["variants"]}
    assert results["analysis"]["winner"] == by_name[BETTER]["variant_id"]
    assert by_name[BETTER]["metrics"]["primary"]["mean"] == 1
    assert by_name[CONTROL]["sample_size"] == by_name[BETTER]["sample_size"] == done
    rounds = (await stack.get(f"{path}/rounds"))["rounds"]
    assert [(each["number"], each["attempt"], each["status"]) for each in rounds] == [
        (number, 1, "OVER") for number in range(1, done // ROUND + 1)
    ]
    assert len({each["run_id"] for each in rounds}) == len(rounds)
    # Each case of these rounds was answered once by each model, and no other case: nothing was called after the end.
    items = [call for call in calls if "What is" in call["prompt"]]
    assert Counter(call["model"] for call in items) == {CONTROL: done, BETTER: done}
    assert len({call["call_id"] for call in items}) == len(items)
    await stack.post(f"{path}/conclude", {"winner": by_name[BETTER]["variant_id"]})
    assert len(answered(await stack.ledger())) == len(calls)
    looks = (await stack.get(f"{path}/looks"))["looks"]
    assert [look["done"] for look in looks] == list(range(ROUND, done + 1, ROUND))
