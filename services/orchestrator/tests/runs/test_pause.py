"""Test pause, resume and cancel: calls in flight are kept or aborted, and no call is made twice."""

import asyncio
from uuid import UUID

import pytest
from nats.js.errors import KeyNotFoundError
from run_world import World, answered, scored

from llmbench.contracts.answer_scored import Errored, Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import NotStarted, Outcome

pytestmark = pytest.mark.never_rerun


async def gate(world: World, run_id: UUID) -> str | None:
    try:
        entry = await (await world.js.key_value("run_state")).get(str(run_id))
    except KeyNotFoundError:
        return None
    return (entry.value or b"").decode()


async def until_gate(world: World, run_id: UUID, wanted: str) -> None:
    async with asyncio.timeout(90):
        while await gate(world, run_id) != wanted:
            await asyncio.sleep(0.01)


async def test_pause_waits_for_the_call_in_flight_and_keeps_its_answer(world: World) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def answer(command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.ITEM and not go_on.is_set():
            if begun.is_set():
                # While a run is paused, the gateway reports commands as not started.
                return NotStarted()
            begun.set()
            await go_on.wait()
        return answered()

    world.answer = answer
    run_id = await world.start()
    await begun.wait()
    response = await world.http.post(f"/api/runs/{run_id}/pause")
    assert (response.status_code, response.json()["status"]) == (202, "PAUSING")
    await until_gate(world, run_id, "closed")
    assert (await world.http.get(f"/api/runs/{run_id}")).json()["status"] == "PAUSING"
    go_on.set()
    run = await world.until_status(run_id, "PAUSED")
    assert run["counts"]["answered"] >= 1
    commands_before = len(world.seen)
    await world.http.post(f"/api/runs/{run_id}/resume")
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    assert {item["attempts"] for item in await world.items(run_id)} == {1}
    # A call that was not started keeps its dispatch number, so its repetition has the same call id.
    assert len({call.call_id for call in world.calls()}) == 3
    assert len(world.seen) > commands_before
    assert len(world.calls(Purpose.WARM_UP)) == 3, "warmed up again after the resume"


async def test_pause_while_judging_cancels_commands_not_yet_started(world: World) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def judge(_: JudgeAnswer) -> Verdict:
        if go_on.is_set():
            return scored()
        if begun.is_set():
            return Errored(failure=NotStarted())
        begun.set()
        await go_on.wait()
        return scored()

    world.judge = judge
    run_id = await world.start()
    await begun.wait()
    await world.http.post(f"/api/runs/{run_id}/pause")
    await world.until_status(run_id, "PAUSING")
    go_on.set()
    await world.until_status(run_id, "PAUSED")
    await world.http.post(f"/api/runs/{run_id}/resume")
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    dispatches = {(command.score_id, command.dispatch) for command in world.seen if isinstance(command, JudgeAnswer)}
    assert len(dispatches) == 3


@pytest.mark.shows("I-12")
async def test_paused_run_allows_another_to_start_and_cannot_resume_meanwhile(world: World) -> None:
    hold = asyncio.Event()

    async def answer(command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.WARM_UP:
            return answered()
        await hold.wait()
        return answered()

    world.answer = answer
    first = await world.start(name="first")
    await world.until(first, lambda run: bool(world.calls()))
    await world.http.post(f"/api/runs/{first}/pause")
    hold.set()
    await world.until_status(first, "PAUSED")
    hold.clear()
    second = await world.start(name="second")
    response = await world.http.post(f"/api/runs/{first}/resume")
    assert response.status_code == 409
    assert response.json()["active_run_id"] == str(second)
    # Only a new run takes `queue`.
    assert response.json()["detail"].endswith("is. Pause or cancel it, or wait for its end.")
    hold.set()
    await world.until_status(second, "FINISHED")
    assert (await world.http.post(f"/api/runs/{first}/resume")).status_code == 202
    await world.until_status(first, "FINISHED")


async def test_cancel_ends_the_run_at_once_and_drops_its_commands(world: World) -> None:
    begun = asyncio.Event()

    async def answer(command: GenerateCompletion) -> Outcome | None:
        if command.purpose == Purpose.ITEM:
            begun.set()
            return None
        return answered()

    world.answer = answer
    run_id = await world.start()
    await begun.wait()
    response = await world.http.post(f"/api/runs/{run_id}/cancel")
    assert (response.status_code, response.json()["status"]) == (202, "CANCELLED")
    await until_gate(world, run_id, "aborted")
    assert (await world.http.post(f"/api/runs/{run_id}/pause")).status_code == 409
    assert "create it again" in (await world.http.post(f"/api/runs/{run_id}/resume")).json()["detail"]
    world.answer = lambda _: asyncio.sleep(0, answered())
    second = await world.start()
    await world.until_status(second, "FINISHED")


async def test_orders_that_the_status_does_not_allow_are_refused(world: World) -> None:
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    for order in ("pause", "resume", "cancel"):
        response = await world.http.post(f"/api/runs/{run_id}/{order}")
        assert response.status_code == 409
        assert response.headers["content-type"] == "application/problem+json"
        assert "FINISHED" in response.json()["detail"]
