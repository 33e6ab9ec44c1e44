"""Test an experiment of two system prompts on the built-in model. It stops by itself, even if the orchestrator was
killed meanwhile.
"""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

import pytest

from llmbench_cli.embedded.model import MODEL_NAME, installed
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.services import model_spec
from tests.journey.conftest import Seeded
from tests.journey.counting_proxy import Call, counting_proxy
from tests.journey.test_experiments import until_stopped
from tests.journey.test_kill import kill_and_start_again
from tests.platform import RUN_TIMEOUT_S, Platform
from tests.servers import running

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.never_rerun,
    pytest.mark.skipif(not installed(), reason="the built-in model is not installed"),
]

CASES = 30
ROUND = 6
PLAIN, PIRATE = "You are a helpful assistant.", "You are a pirate."
"""The model greets as "Hello, …" with the first prompt, and as "Aye, …" with the second."""


async def greetings(stack: Platform) -> str:
    """Create the cases, and return the id of their collection."""
    tasks = [
        {
            "task_id": f"greet-{number:02}",
            "category": "greetings",
            "question": f"Say hello to number {number}.",
            "excellent": "It greets.",
            "incorrect_answer_direction": "It does not greet.",
        }
        for number in range(CASES)
    ]
    ids = [(await stack.post("/api/tasks", task))["id"] for task in tasks]
    return str((await stack.post("/api/collections", {"name": "Greetings", "task_ids": ids}))["id"])


def variant(name: str, system_prompt: str, provider_id: str) -> dict[str, Any]:
    return {
        "name": name,
        "is_control": name == "plain",
        "config": {
            "model": {"provider_id": provider_id, "name": MODEL_NAME},
            "parameters": {"temperature": 0, "seed": 1, "max_tokens": 5},
            "system_prompt": system_prompt,
        },
    }


async def until_called(calls: list[Call], count: int) -> None:
    async with asyncio.timeout(RUN_TIMEOUT_S):
        while len(calls) < count:
            await asyncio.sleep(0.02)


@pytest.mark.shows("I-34")
async def test_experiment_of_two_prompts_on_the_built_in_model_stops_by_itself(seeded: Seeded) -> None:
    async with AsyncExitStack() as opened:
        stack, port = await seeded(tasks=0), free_port()
        await opened.enter_async_context(running(model_spec(port, stack.logs)))
        url, calls = await opened.enter_async_context(counting_proxy(f"http://127.0.0.1:{port}"))
        provider = {"name": "Counted", "type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": url}
        provider_id = (await stack.post("/api/providers", provider))["id"]
        body = {
            "name": "Does it greet as a pirate?",
            "type": "PROMPT_COMPARISON",
            "primary_metric": "aye",
            "config": {"method": "sequential", "maximum_sample_size": CASES, "round_size": ROUND, "seed": 5},
            "variants": [variant("plain", PLAIN, provider_id), variant("pirate", PIRATE, provider_id)],
            "sources": {"collection_ids": [await greetings(stack)]},
            "evaluators": [{"kind": "contains", "name": "aye", "params": {"text": "aye"}}],
        }
        path = f"/v1/experiments/{(await stack.post('/v1/experiments', body))['experiment_id']}"
        await stack.post(f"{path}/start")
        await until_called(calls, 1)
        await kill_and_start_again(stack, "orchestrator")
        stopped = await until_stopped(stack, path)
        at_the_end = list(calls)
        assert (stopped["status"], stopped["stopped"]["rule"]) == ("PAUSED", "decided"), stopped
        done = stopped["progress"]["done"]
        assert done < CASES
        results = await stack.get(f"{path}/results")
        winner = next(each for each in results["variants"] if each["variant_id"] == results["analysis"]["winner"])
        assert winner["name"] == "pirate"
        # Each case was asked once with each prompt: the kill repeated nothing, and nothing was asked after the end.
        asked = [call for call in at_the_end if call.question.startswith("Say hello")]
        assert Counter(call.system_prompt for call in asked) == {PLAIN: done, PIRATE: done}
        assert len(set(asked)) == len(asked)
        await stack.post(f"{path}/conclude", {"winner": winner["variant_id"], "notes": "Aye."})
        assert calls == at_the_end
