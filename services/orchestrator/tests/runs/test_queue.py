"""Test the queue of `POST /api/runs` with `queue: true`: order, priorities, moves, cancellation, and recovery."""

import asyncio
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from run_world import World, answered, running_orchestrator
from sqlalchemy import text

from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.outcome import Outcome, Rejected

pytestmark = pytest.mark.never_rerun


class Held:
    """A gateway that answers no command until the test releases it."""

    def __init__(self, world: World) -> None:
        self._go_on = asyncio.Event()
        world.answer = self._answer

    async def _answer(self, _: GenerateCompletion) -> Outcome:
        await self._go_on.wait()
        return answered()

    def release(self) -> None:
        self._go_on.set()


@pytest.fixture
def held(world: World) -> Held:
    return Held(world)


async def queue(world: World, **more: Any) -> UUID:
    return await world.start(**{"queue": True} | more)


async def queued_names(world: World) -> list[str]:
    page = (await world.http.get("/api/runs/queue")).json()
    assert [run["queue"]["position"] for run in page["items"]] == list(range(1, len(page["items"]) + 1))
    return [run["name"] for run in page["items"]]


async def move(world: World, run_id: UUID, **place: int) -> dict[str, Any]:
    response = await world.http.post(f"/api/runs/{run_id}/move", json=place)
    assert response.status_code == 200, response.text
    moved: dict[str, Any] = response.json()
    return moved


async def order_of_starts(world: World, run_ids: Sequence[UUID]) -> list[UUID]:
    async with world.engine.connect() as connection:
        rows = await connection.execute(
            text("SELECT id FROM run WHERE id = ANY (:ids) ORDER BY started_at"), {"ids": list(run_ids)}
        )
        return list(rows.scalars())


async def test_run_with_queue_starts_at_once_when_no_run_is_active(world: World) -> None:
    response = await world.http.post("/api/runs", json=world.body(queue=True))
    assert (response.status_code, response.json()["status"], response.json()["queue"]) == (201, "RUNNING", None)
    run = await world.until_status(UUID(response.json()["id"]), "FINISHED")
    assert run["outcome"] == "complete"


async def test_queued_runs_start_first_in_first_out_within_their_priority(world: World, held: Held) -> None:
    active = await world.start(name="active")
    low = await queue(world, name="low", priority=-1)
    first = await queue(world, name="first")
    second = await queue(world, name="second")
    urgent = await queue(world, name="urgent", priority=7)
    assert await queued_names(world) == ["urgent", "first", "second", "low"]
    run = (await world.http.get(f"/api/runs/{low}")).json()
    assert (run["status"], run["started_at"]) == ("QUEUED", None)
    assert run["queue"] == {"position": 4, "priority": -1, "estimated_start": None}
    held.release()
    runs = [active, urgent, first, second, low]
    for run_id in runs:
        assert (await world.until_status(run_id, "FINISHED"))["queue"] is None
    assert await order_of_starts(world, runs) == runs
    statuses = [event["status"] for event in await world.events(low, "llmbench.run.status_changed.v1")]
    assert statuses[:2] == ["QUEUED", "RUNNING"]


async def test_second_run_without_queue_is_refused_and_the_answer_names_the_queue(world: World, held: Held) -> None:
    active = await world.start()
    response = await world.http.post("/api/runs", json=world.body())
    assert (response.status_code, response.json()["active_run_id"]) == (409, str(active))
    assert "queue: true" in response.json()["detail"]
    held.release()
    await world.until_status(active, "FINISHED")


async def test_queued_run_can_be_moved_to_the_front_or_to_another_priority(world: World, held: Held) -> None:
    await world.start(name="active")
    one, two, three = [await queue(world, name=name) for name in ("one", "two", "three")]
    assert (await move(world, three, position=1))["queue"]["position"] == 1
    assert await queued_names(world) == ["three", "one", "two"]
    assert (await move(world, two, priority=5))["queue"] == {"position": 1, "priority": 5, "estimated_start": None}
    # To stand in front of a run of a higher priority, a run takes over this priority.
    assert (await move(world, one, position=1))["queue"]["priority"] == 5
    assert await queued_names(world) == ["one", "two", "three"]
    # A run that joins later is behind all of its priority, also behind those that were moved.
    await queue(world, name="late")
    await queue(world, name="later and urgent", priority=5)
    assert await queued_names(world) == ["one", "two", "later and urgent", "three", "late"]
    assert (await move(world, one, position=99))["queue"]["position"] == 5
    texts = [event["text"] for event in await world.events(one, "llmbench.run.logged.v1")]
    assert texts[-1] == "moved to place 5 of the queue, priority 0"
    held.release()


async def test_cancelled_queued_run_never_starts_and_the_next_one_does(world: World, held: Held) -> None:
    active = await world.start(name="active")
    cancelled, kept = await queue(world, name="cancelled"), await queue(world, name="kept")
    response = await world.http.post(f"/api/runs/{cancelled}/cancel")
    assert (response.status_code, response.json()["status"]) == (202, "CANCELLED")
    assert await queued_names(world) == ["kept"]
    held.release()
    for run_id in (active, kept):
        await world.until_status(run_id, "FINISHED")
    run = (await world.http.get(f"/api/runs/{cancelled}")).json()
    assert (run["status"], run["started_at"], run["counts"]["answered"]) == ("CANCELLED", None, 0)


async def test_run_that_is_not_queued_cannot_be_moved(world: World, held: Held) -> None:
    active = await world.start()
    response = await world.http.post(f"/api/runs/{active}/move", json={"position": 1})
    assert (response.status_code, response.json()["run_status"]) == (409, "RUNNING")
    response = await world.http.post(f"/api/runs/{UUID(int=1)}/move", json={"position": 1})
    assert response.status_code == 404
    held.release()
    await world.until_status(active, "FINISHED")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"queue": True, "priority": 101}, "priority"),
        ({"queue": True, "priority": 1.5}, "priority"),
        ({"priority": 1}, "body"),
    ],
)
async def test_priority_out_of_bounds_or_without_queue_is_refused(
    world: World, body: dict[str, Any], field: str
) -> None:
    response = await world.http.post("/api/runs", json=world.body(**body))
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == field


@pytest.mark.parametrize("place", [{}, {"position": 1, "priority": 1}, {"position": 0}, {"priority": -101}])
async def test_move_needs_exactly_one_valid_place(world: World, place: dict[str, int]) -> None:
    response = await world.http.post(f"/api/runs/{UUID(int=1)}/move", json=place)
    assert response.status_code == 422


async def test_same_idempotency_key_queues_one_run(world: World, held: Held) -> None:
    await world.start(name="active")
    body, headers = world.body(queue=True, name="once"), {"Idempotency-Key": "nightly-1"}
    made = [await world.http.post("/api/runs", json=body, headers=headers) for _ in range(2)]
    assert made[0].json()["id"] == made[1].json()["id"]
    assert await queued_names(world) == ["once"]
    held.release()


async def test_queued_run_whose_model_is_gone_fails_with_the_reason_and_the_next_one_runs(world: World) -> None:
    go_on = asyncio.Event()

    async def answer(command: GenerateCompletion) -> Outcome:
        if command.request.model == "model-b":
            return Rejected(http_status=404, message="model 'model-b' not found", cause="not_found")
        await go_on.wait()
        return answered()

    world.answer = answer
    await world.start(name="active")
    gone, following = await queue(world, name="gone", **_targets(world, "model-b")), await queue(world, name="next")
    go_on.set()
    run = await world.until_status(gone, "FINISHED")
    assert (run["outcome"], run["counts"]["failed"]) == ("failed", 3)
    assert "model-b" in run["groups"][0]["failure_reason"]
    assert (await world.until_status(following, "FINISHED"))["outcome"] == "complete"


async def test_queued_run_whose_provider_is_gone_fails_with_the_reason_and_the_next_one_runs(
    world: World, held: Held
) -> None:
    other = await world.add_provider("Short-lived")
    await world.start(name="active")
    gone = await queue(world, name="gone", targets=[{"provider_id": str(other), "model": "model-a"}])
    following = await queue(world, name="next")
    async with world.engine.begin() as connection:
        # The platform refuses to delete a provider in use; a restored backup may lack it.
        await connection.execute(text("SET LOCAL session_replication_role = replica"))
        await connection.execute(text("DELETE FROM provider WHERE id = :id"), {"id": other})
    held.release()
    run = await world.until_status(gone, "FINISHED")
    assert (run["outcome"], run["counts"]["failed"]) == ("failed", 3)
    assert run["groups"][0]["failure_reason"] == "its provider was deleted while the run waited in the queue"
    assert (await world.until_status(following, "FINISHED"))["outcome"] == "complete"


async def test_start_is_estimated_from_the_pace_of_the_same_models(world: World) -> None:
    measured = await world.start(name="measured")
    await world.until_status(measured, "FINISHED")
    held = Held(world)
    active = await world.start(name="active")
    await queue(world, name="first")
    await queue(world, name="second")
    first, second = (await world.http.get("/api/runs/queue")).json()["items"]
    assert first["created_at"] < first["queue"]["estimated_start"] <= second["queue"]["estimated_start"]
    held.release()
    await world.until_status(active, "FINISHED")


async def test_two_orchestrators_start_one_queued_run_at_a_time(
    world: World, held: Held, postgres_url: str, nats_url: str
) -> None:
    async with running_orchestrator(postgres_url, nats_url):
        runs = [await world.start(name="active")]
        runs += [await queue(world, name=f"run {number}") for number in range(4)]
        held.release()
        for run_id in runs:
            assert (await world.until_status(run_id, "FINISHED"))["outcome"] == "complete"
    assert await order_of_starts(world, runs) == runs
    async with world.engine.connect() as connection:
        overlapping = await connection.scalar(
            text(
                "SELECT count(*) FROM run AS one JOIN run AS other ON one.id < other.id"
                " WHERE one.started_at < other.finished_at AND other.started_at < one.finished_at"
            )
        )
    assert overlapping == 0
    assert len(world.calls(Purpose.ITEM)) == 3 * len(runs)


def _targets(world: World, model: str) -> dict[str, Any]:
    return {"targets": [{"provider_id": str(world.provider_id), "model": model}]}
