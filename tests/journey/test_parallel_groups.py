"""Test on the real platform that model groups of different hosted providers run side by side, also when services are
killed.

The mock provider's record of its calls is the proof.
"""

import itertools
from typing import Any

import pytest

from tests.journey.conftest import Seeded
from tests.journey.test_kill import CALLS_BETWEEN, JUDGE, TARGETS, TASKS, audit, kill_and_start_again
from tests.platform import HOSTED, JUDGE_MODEL, Platform, overlaps

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

WARM_UP = "Hello, World!"
ALPHA, BETA, GAMMA, DELTA, EPSILON = (f"mock-5ms-{name}" for name in ("alpha", "beta", "gamma", "delta", "epsilon"))


async def provider(stack: Platform, name: str, host: str) -> str:
    """Create a provider that leads to the mock provider by a URL with this host name. Return its id."""
    base_url = stack.provider_url.replace("127.0.0.1", host)
    body = {"name": f"{name} {stack.seeds}", "type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": base_url}
    provider_id: str = (await stack.post("/api/providers", body))["id"]
    return provider_id


def targets(*pairs: tuple[str, str]) -> list[dict[str, Any]]:
    return [{"provider_id": provider_id, "model": model} for provider_id, model in pairs]


def of(calls: list[dict[str, Any]], *models: str) -> list[dict[str, Any]]:
    return [call for call in calls if call["model"] in models]


def order(calls: list[dict[str, Any]]) -> list[str]:
    return [model for model, _ in itertools.groupby(calls, lambda call: str(call["model"]))]


@pytest.mark.shows("I-33")
async def test_three_groups_of_two_hosted_providers_run_side_by_side_and_one_per_provider(seeded: Seeded) -> None:
    stack = await seeded(tasks=6)
    first, second = await provider(stack, "First", HOSTED), await provider(stack, "Second", HOSTED)
    for model in (ALPHA, GAMMA):
        await stack.control(model=model, hold=0)
    run_id = await stack.start_run(targets=targets((first, ALPHA), (first, BETA), (second, GAMMA)), parallel_groups=3)
    # Both providers are called at the same time: each call is held until the other one has begun.
    for model in (ALPHA, GAMMA):
        await stack.until_held(model)
    for model in (ALPHA, GAMMA):
        await stack.control(model=model, hold=None)
    run = await stack.until_status(run_id, "FINISHED")
    calls = await stack.ledger()

    assert run["outcome"] == "complete"
    for models in ((ALPHA, BETA), (GAMMA,), (JUDGE_MODEL,)):
        assert list(overlaps(of(calls, *models))) == [], f"calls of one provider overlap: {models}"
    assert order(of(calls, ALPHA, BETA)) == [ALPHA, BETA]
    for model, count in ((ALPHA, 1 + 6), (BETA, 1 + 6), (GAMMA, 1 + 6), (JUDGE_MODEL, 1 + 18)):
        of_model = of(calls, model)
        assert len(of_model) == count
        assert [WARM_UP in call["prompt"] for call in of_model] == [True] + [False] * (count - 1)
    answered_at = max(call["finished_monotonic"] for call in of(calls, ALPHA, BETA, GAMMA))
    assert min(call["started_monotonic"] for call in of(calls, JUDGE_MODEL)) >= answered_at, "judging comes last"
    assert len({call["call_id"] for call in calls}) == len(calls)


async def test_local_models_take_turns_beside_a_hosted_one(seeded: Seeded) -> None:
    stack = await seeded(tasks=6)
    local, other_local = await provider(stack, "Local", "127.0.0.1"), await provider(stack, "Other local", "127.0.0.1")
    hosted = await provider(stack, "Hosted", HOSTED)
    for model in (DELTA, ALPHA):
        await stack.control(model=model, hold=0)
    run_id = await stack.start_run(
        targets=targets((local, DELTA), (other_local, EPSILON), (hosted, ALPHA)), parallel_groups=3
    )
    for model in (DELTA, ALPHA):
        await stack.until_held(model)
    for model in (DELTA, ALPHA):
        await stack.control(model=model, hold=None)
    run = await stack.until_status(run_id, "FINISHED")
    calls = await stack.ledger()
    assert run["outcome"] == "complete"
    assert list(overlaps(of(calls, DELTA, EPSILON))) == []
    assert order(of(calls, DELTA, EPSILON)) == [DELTA, EPSILON]


@pytest.mark.shows("R-01", "R-02")
async def test_kills_while_two_groups_are_called_lose_no_item_and_repeat_at_most_one_call_per_group(
    seeded: Seeded,
) -> None:
    stack = await seeded(tasks=TASKS)
    ids = [await provider(stack, name, HOSTED) for name in ("First", "Second")]
    for model in TARGETS:
        await stack.control(model=model, hold=CALLS_BETWEEN)
    killed = ("inference-gateway", "orchestrator", "inference-gateway")
    run_id = await stack.start_run(targets=targets(*zip(ids, TARGETS, strict=True)), judge=JUDGE, parallel_groups=2)
    for name in killed:
        for model in TARGETS:
            await stack.until_held(model)
        for model in TARGETS:
            await stack.control(model=model, hold=CALLS_BETWEEN)
        await kill_and_start_again(stack, name)
    for model in TARGETS:
        await stack.control(model=model, hold=None)
    await stack.until_status(run_id, "FINISHED")
    await audit(stack, run_id, kills=len(killed) * len(TARGETS))
    calls = await stack.ledger()
    answered = [call for call in calls if call["answered"]]
    for model in TARGETS:
        assert list(overlaps(of(answered, model))) == []
