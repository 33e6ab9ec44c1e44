"""Test the questions in the playground. A question is a small run that starts at once and streams its answers. On
request the answers are judged, or the question is kept as an ordinary run."""

import asyncio
from typing import Any
from uuid import UUID

from run_world import World, answered
from sqlalchemy import update

from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.outcome import Outcome
from llmbench.db import tables as t

HOSTED, LOCAL = "http://1.1.1.1/v1", "http://127.0.0.1:1/v1"


async def test_question_is_answered_by_each_target_and_left_out_of_the_list_of_runs(world: World) -> None:
    run = await ask(world, "model-a", "model-b", question="What is 17 + 25?", system_prompt="Be brief.")
    assert run["type"] == "PLAYGROUND"
    assert run["name"] == "Playground: What is 17 + 25?"
    done = await world.until_status(UUID(run["id"]), "FINISHED")
    assert done["outcome"] == "complete"
    items = await world.items(UUID(run["id"]))
    assert [(item["target_label"], item["status"], item["score"]) for item in items] == [
        ("model-a", "COMPLETED", None),
        ("model-b", "COMPLETED", None),
    ]
    for call in world.calls():
        assert call.live
        assert [message.content for message in call.request.messages] == ["Be brief.", "What is 17 + 25?"]
    assert (await world.http.get("/api/runs")).json()["items"] == []
    asked = (await world.http.get("/api/runs", params={"type": "PLAYGROUND"})).json()["items"]
    assert [each["id"] for each in asked] == [run["id"]]


async def test_answers_are_judged_on_request_without_asking_again(world: World) -> None:
    run_id = UUID((await ask(world, "model-a", excellent="42"))["id"])
    await world.until_status(run_id, "FINISHED")
    body = {"evaluators": [{"kind": "rubric"}], "judge": {"provider_id": str(world.provider_id), "model": "judge"}}
    response = await world.http.post(f"/api/runs/{run_id}/evaluators", json=body)
    assert response.status_code == 202, response.text
    await world.until(run_id, lambda run: run["status"] == "FINISHED" and run["evaluators"] != [])
    (item,) = await world.items(run_id)
    assert (item["status"], item["score"], item["passed"]) == ("COMPLETED", 9, True)
    assert len(world.calls()) == 1


async def test_kept_question_is_an_ordinary_run(world: World) -> None:
    run_id = UUID((await ask(world, "model-a"))["id"])
    await world.until_status(run_id, "FINISHED")
    for _ in range(2):
        kept = await world.http.post(f"/api/playground/{run_id}/keep", json={"name": "A question"})
        assert kept.status_code == 200, kept.text
        assert (kept.json()["type"], kept.json()["name"]) == ("BENCHMARK", "A question")
    assert [run["id"] for run in (await world.http.get("/api/runs")).json()["items"]] == [str(run_id)]
    unknown = await world.http.post("/api/playground/0193a000-0000-7000-8000-000000000001/keep")
    assert unknown.status_code == 404


async def test_local_model_is_refused_while_a_run_holds_one_and_a_hosted_model_is_asked(world: World) -> None:
    hosted = await provider_at(world, "Hosted", HOSTED)
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def held(command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.ITEM and not command.live:
            asked.set()
            await go_on.wait()
        return answered()

    world.answer = held
    await provider_at(world, "Local", LOCAL, id_=world.provider_id)
    holder = await world.start("model-a", name="Nightly")
    await asked.wait()
    refused = await post(world, ["model-b"])
    assert refused.status_code == 409
    assert "'Nightly' is active" in refused.json()["detail"]
    assert refused.json()["active_run_id"] == str(holder)
    beside = await ask(world, "model-a", provider_id=hosted)
    await world.until_status(UUID(beside["id"]), "FINISHED")
    go_on.set()
    await world.until_status(holder, "FINISHED")


async def test_same_request_twice_asks_once(world: World) -> None:
    first, second = [await post(world, ["model-a"], key="once") for _ in range(2)]
    assert first.json()["id"] == second.json()["id"]
    await world.until_status(UUID(first.json()["id"]), "FINISHED")
    assert len(world.calls()) == 1


async def test_invalid_questions_are_refused_with_the_field(world: World) -> None:
    for models, more, field in (
        ([], {}, "targets"),
        (["a", "b", "c", "d", "e"], {}, "targets"),
        (["model-a"], {"question": " "}, "question"),
        (["model-a", "model-a"], {}, "targets.1.label"),
    ):
        response = await post(world, models, **more)
        assert response.status_code == 422, response.text
        assert field in [error["field"] for error in response.json()["errors"]]
    assert world.calls() == []


async def post(world: World, models: list[str], *, key: str | None = None, **more: Any) -> Any:
    provider_id = str(more.pop("provider_id", world.provider_id))
    targets = [{"provider_id": provider_id, "model": model} for model in models]
    body = {"question": "What is 17 + 25?", "targets": targets} | more
    return await world.http.post("/api/playground", json=body, headers={"Idempotency-Key": key} if key else {})


async def ask(world: World, *models: str, **more: Any) -> dict[str, Any]:
    response = await post(world, list(models), **more)
    assert response.status_code == 201, response.text
    assert response.headers["Location"] == f"/api/runs/{response.json()['id']}"
    run: dict[str, Any] = response.json()
    return run


async def provider_at(world: World, name: str, base_url: str, *, id_: UUID | None = None) -> UUID:
    """Create a provider with this name and base URL, or give both to the existing provider `id_`. Return the provider's
    id."""
    provider_id = id_ or await world.add_provider(name)
    async with world.engine.begin() as connection:
        await connection.execute(
            update(t.provider).where(t.provider.c.id == provider_id).values(name=name, base_url=base_url)
        )
    return provider_id
