"""Test that groups of different hosted providers run side by side, and that groups of one provider and local groups
take turns."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

import pytest
from run_records import NOW
from run_world import World, answered, open_world, running_orchestrator
from sqlalchemy import update

from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.outcome import NotStarted, Outcome, Rejected
from llmbench.db import tables as t
from orchestrator.results.adapters.queue_turns import turns_of

pytestmark = pytest.mark.never_rerun

TASKS = 3
EVALUATORS = [{"kind": "contains", "params": {"text": "4"}}]
LOCAL, OTHER_LOCAL = "http://127.0.0.1:1/v1", "http://192.168.1.7:2/v1"
HOSTED, OTHER_HOSTED = "http://1.1.1.1/v1", "http://8.8.8.8/v1"


@pytest.fixture
def lanes(world: World) -> "Lanes":
    return Lanes(world)


class Lanes:
    """Providers at given addresses, and a gateway that holds back every answer until the test sets `go_on`. The event
    `together` is set once `wanted` groups work side by side."""

    def __init__(self, world: World, wanted: int = 1) -> None:
        self.world = world
        self.wanted = wanted
        self.together = asyncio.Event()
        self.go_on = asyncio.Event()
        self._begun: set[UUID] = set()
        world.answer = self.answer

    async def answer(self, command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.ITEM:
            self._begun.add(command.group_id)
            if len(self._begun) >= self.wanted:
                self.together.set()
            await self.go_on.wait()
        return answered()

    async def provider(self, base_url: str) -> str:
        provider_id = await self.world.add_provider(base_url)
        async with self.world.engine.begin() as connection:
            at = update(t.provider).where(t.provider.c.id == provider_id)
            await connection.execute(at.values(base_url=base_url))
        return str(provider_id)

    async def start(self, *targets: tuple[str, str], **more: Any) -> UUID:
        """Start a run of these targets, each given as a provider id and a model."""
        return await self.world.start(
            targets=[
                {"provider_id": provider, "model": model, "label": f"{model} {index}"}
                for index, (provider, model) in enumerate(targets)
            ],
            judge=None,
            evaluators=EVALUATORS,
            check_providers=False,
            **more,
        )

    def order(self, provider_ids: Sequence[str]) -> list[tuple[str, str]]:
        """Return the provider and the model of each call to these providers, without repetitions, in the order of the
        calls."""
        called = [
            (str(call.provider.provider_id), call.request.model)
            for call in self.world.seen
            if isinstance(call, GenerateCompletion) and str(call.provider.provider_id) in provider_ids
        ]
        return [lane for lane, _ in groupby(called)]


def at_work(run: dict[str, Any]) -> int:
    return sum(group["status"] in ("WARMING_UP", "OPEN", "RELEASING") for group in run["groups"])


@pytest.mark.shows("I-33")
async def test_hosted_providers_run_beside_one_local_model_and_each_takes_its_models_in_turn(lanes: Lanes) -> None:
    local, other_local = await lanes.provider(LOCAL), await lanes.provider(OTHER_LOCAL)
    hosted, other_hosted = await lanes.provider(HOSTED), await lanes.provider(OTHER_HOSTED)
    lanes.wanted = 3
    run_id = await lanes.start(
        (local, "model-a"),
        (other_local, "model-b"),
        (hosted, "model-a"),
        (hosted, "model-b"),
        (other_hosted, "model-a"),
        parallel_groups=4,
    )
    await lanes.together.wait()
    run = await lanes.world.until(run_id, lambda run: len(run["others"]) == 2 and bool(run["others"][1]["item_id"]))
    assert run["limits"]["parallel_groups"] == 4
    working = [run["current"], *run["others"]]
    assert [work["provider_name"] for work in working] == [LOCAL, HOSTED, OTHER_HOSTED]
    assert [group["status"] for group in run["groups"] if group["phase"] == "BENCHMARKING"] == [
        *("OPEN", "WAITING", "OPEN", "WAITING", "OPEN")
    ]
    lanes.go_on.set()
    run = await lanes.world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["judged"], run["others"]) == ("complete", 5 * TASKS, [])
    assert lanes.order([local, other_local]) == [(local, "model-a"), (other_local, "model-b")]
    assert lanes.order([hosted]) == [(hosted, "model-a"), (hosted, "model-b")]
    assert len(lanes.world.calls()) == 5 * TASKS
    assert len(lanes.world.calls(Purpose.WARM_UP)) == 5
    notes = [event["text"] for event in await lanes.world.events(run_id, "llmbench.run.logged.v1")]
    waits = f"model-b on {OTHER_LOCAL} waits for the other local model: one is in use at a time"
    assert notes.count(waits) == 1


async def test_groups_run_one_after_another_by_default(lanes: Lanes) -> None:
    hosted, other_hosted = await lanes.provider(HOSTED), await lanes.provider(OTHER_HOSTED)
    run_id = await lanes.start((hosted, "model-a"), (other_hosted, "model-a"), (hosted, "model-b"))
    await lanes.together.wait()
    run = await lanes.world.until(run_id, lambda run: run["current"] is not None and run["current"]["item_id"])
    assert (at_work(run), run["others"], run["limits"]["parallel_groups"]) == (1, [], 1)
    progress = await lanes.world.events(run_id, "llmbench.run.progressed.v1")
    assert not any("others" in event and event["others"] for event in progress)
    lanes.go_on.set()
    await lanes.world.until_status(run_id, "FINISHED")
    assert lanes.order([hosted, other_hosted]) == [(hosted, "model-a"), (other_hosted, "model-a"), (hosted, "model-b")]


async def test_providers_whose_address_is_unknown_take_turns_like_local_ones(lanes: Lanes) -> None:
    unknown, other = await lanes.provider("http://one.invalid"), await lanes.provider("http://two.invalid")
    run_id = await lanes.start((unknown, "model-a"), (other, "model-a"), parallel_groups=2)
    await lanes.together.wait()
    run = await lanes.world.until(run_id, lambda run: run["current"] is not None and run["current"]["item_id"])
    assert at_work(run) == 1
    lanes.go_on.set()
    await lanes.world.until_status(run_id, "FINISHED")
    assert lanes.order([unknown, other]) == [(unknown, "model-a"), (other, "model-a")]


async def test_private_hosts_of_the_setting_count_as_hosted(postgres_url: str, nats_url: str) -> None:
    async with open_world(postgres_url, nats_url, hosted_hosts="gateway.example, LLM-Gateway.invalid") as world:
        lanes = Lanes(world, wanted=2)
        one = await lanes.provider("http://llm-gateway.invalid/one")
        other = await lanes.provider("http://llm-gateway.invalid/other")
        run_id = await lanes.start((one, "model-a"), (other, "model-a"), parallel_groups=2)
        await lanes.together.wait()
        lanes.go_on.set()
        assert (await world.until_status(run_id, "FINISHED"))["outcome"] == "complete"


async def test_pause_waits_for_the_calls_of_all_groups_and_resume_continues_all(lanes: Lanes) -> None:
    hosted, other_hosted = await lanes.provider(HOSTED), await lanes.provider(OTHER_HOSTED)
    begun: set[UUID] = set()
    both, paused, go_on = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def answer(command: GenerateCompletion) -> Outcome:
        if command.purpose != Purpose.ITEM or go_on.is_set():
            return answered()
        if command.group_id in begun:
            # While a run is paused, the gateway reports commands as not started.
            await paused.wait()
            return NotStarted()
        begun.add(command.group_id)
        if len(begun) == 2:
            both.set()
        await go_on.wait()
        return answered()

    world = lanes.world
    world.answer = answer
    run_id = await lanes.start((hosted, "model-a"), (other_hosted, "model-a"), parallel_groups=2)
    await both.wait()
    assert (await world.http.post(f"/api/runs/{run_id}/pause")).json()["status"] == "PAUSING"
    paused.set()
    go_on.set()
    run = await world.until_status(run_id, "PAUSED")
    assert at_work(run) == 0
    assert run["counts"]["answered"] >= 2
    await world.http.post(f"/api/runs/{run_id}/resume")
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["answered"]) == ("complete", 2 * TASKS)
    assert len({call.call_id for call in world.calls()}) == 2 * TASKS
    assert {item["attempts"] for item in await world.items(run_id)} == {1}


async def test_cancel_ends_all_groups(lanes: Lanes) -> None:
    hosted, other_hosted = await lanes.provider(HOSTED), await lanes.provider(OTHER_HOSTED)
    lanes.wanted = 2
    run_id = await lanes.start((hosted, "model-a"), (other_hosted, "model-a"), parallel_groups=2)
    await lanes.together.wait()
    await lanes.world.http.post(f"/api/runs/{run_id}/cancel")
    lanes.go_on.set()
    run = await lanes.world.until_status(run_id, "CANCELLED")
    assert (run["current"], run["others"]) == (None, [])


async def test_wrong_key_fails_one_group_while_the_other_continues(lanes: Lanes) -> None:
    hosted, other_hosted = await lanes.provider(HOSTED), await lanes.provider(OTHER_HOSTED)

    async def answer(command: GenerateCompletion) -> Outcome:
        if str(command.provider.provider_id) == hosted:
            return Rejected(message="wrong key", http_status=401, cause="unauthorized")
        return answered()

    lanes.world.answer = answer
    run_id = await lanes.start((hosted, "model-a"), (other_hosted, "model-a"), parallel_groups=2)
    run = await lanes.world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["judged"], run["counts"]["failed"]) == ("partial", TASKS, TASKS)
    assert [group["status"] for group in run["groups"][:2]] == ["FAILED", "CLOSED"]


async def test_another_orchestrator_continues_all_groups(postgres_url: str, nats_url: str) -> None:
    async with open_world(postgres_url, nats_url) as world:
        lanes = Lanes(world, wanted=2)
        hosted, other_hosted = await lanes.provider(HOSTED), await lanes.provider(OTHER_HOSTED)
        run_id = await lanes.start((hosted, "model-a"), (other_hosted, "model-a"), parallel_groups=2)
        await lanes.together.wait()
    async with running_orchestrator(postgres_url, nats_url), open_world(postgres_url, nats_url, seeded=True) as world:
        run = await world.until_status(run_id, "FINISHED")
        assert (run["outcome"], run["counts"]["judged"]) == ("complete", 2 * TASKS)
        assert {item["attempts"] for item in await world.items(run_id)} == {1}


async def test_expected_start_behind_groups_side_by_side_is_that_of_the_slowest_provider(lanes: Lanes) -> None:
    targets = [(await lanes.provider(url), "model-a") for url in (HOSTED, OTHER_HOSTED)]
    lanes.go_on.set()
    measured = await lanes.start(*targets)
    await lanes.world.until_status(measured, "FINISHED")
    async with lanes.world.engine.begin() as connection:
        # Each call of the first provider took 10 s, and each of the other 20 s.
        for index, seconds in enumerate((10, 20)):
            group = (t.run_group.c.run_id == measured, t.run_group.c.position == index)
            began = t.run_group.c.closed_at - timedelta(seconds=seconds * TASKS)
            await connection.execute(update(t.run_group).where(*group).values(opened_at=began))
    lanes.go_on.clear()
    for parallel_groups, work_s in ((1, 30 * TASKS), (2, 20 * TASKS)):
        active = await lanes.start(*targets, parallel_groups=parallel_groups)
        queued = await lanes.start(*targets, queue=True)
        async with lanes.world.engine.connect() as connection:
            turns = await turns_of(connection, NOW)
        assert turns[queued].starts_at == NOW + timedelta(seconds=work_s)
        for run_id in (queued, active):
            await lanes.world.http.post(f"/api/runs/{run_id}/cancel")
            await lanes.world.until_status(run_id, "CANCELLED")


@pytest.mark.parametrize("number", [0, 17, None])
async def test_number_of_groups_out_of_bounds_is_refused(world: World, number: object) -> None:
    response = await world.http.post("/api/runs", json=world.body(parallel_groups=number))
    assert response.status_code == 422
    assert [error["field"] for error in response.json()["errors"]] == ["parallel_groups"]
