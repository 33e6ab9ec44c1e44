"""Test the prompts of a run's targets: which messages are sent, which data are stored, and which requests are refused
before the first call."""

from typing import Any
from uuid import UUID

from run_world import World
from sqlalchemy import delete, insert, update

from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.db import tables as t
from llmbench.ids import new_id


async def store_prompt(
    world: World, user: str, *, system: str | None = None, variables: list[Any] | None = None
) -> UUID:
    """Store a prompt as config-api does. Return the id of its version."""
    prompt_id, version_id = new_id(), new_id()
    async with world.engine.begin() as connection:
        await connection.execute(insert(t.prompt).values(id=prompt_id, name=f"prompt {prompt_id}"))
        await connection.execute(
            insert(t.prompt_version).values(
                id=version_id,
                prompt_id=prompt_id,
                number=3,
                system_template=system,
                user_template=user,
                variables=[{"name": name} for name in ("question", "tone")] if variables is None else variables,
                content_hash="0" * 64,
            )
        )
    return version_id


async def set_metadata(world: World, metadata: dict[str, Any], *, task_id: str | None = None) -> None:
    change = update(t.task).values(metadata=metadata)
    async with world.engine.begin() as connection:
        await connection.execute(change if task_id is None else change.where(t.task.c.task_id == task_id))


def sent(world: World) -> dict[str, list[tuple[str, str]]]:
    """Return the messages that were sent for the first task, by model."""
    return {
        command.request.model: [(message.role, message.content) for message in command.request.messages]
        for command in world.seen
        if isinstance(command, GenerateCompletion)
        and command.item_id is not None
        and "What is 0" in command.request.messages[-1].content
    }


async def test_questions_are_rendered_with_the_prompt_of_their_target(world: World) -> None:
    await set_metadata(world, {"tone": "brief"})
    version_id = await store_prompt(world, "{{question}} Be {{tone}}.", system="You are {{tone}}.")
    body = world.body("model-a", "model-b", params={"system_prompt": "Of the run."})
    body["targets"][0]["prompt_version_id"] = str(version_id)
    run_id = await world.start(**body)
    run = await world.until_status(run_id, "FINISHED")
    of_a, of_b = (dict(sent(world)[model]) for model in ("model-a", "model-b"))
    assert of_a["system"].startswith("Of the run.\n\nYou are brief.")
    assert of_a["user"] == f"{of_b['user']} Be brief."
    assert "brief" not in of_b["system"]
    with_prompt, without = run["targets"]
    assert (with_prompt["prompt"]["version_id"], with_prompt["prompt"]["number"]) == (str(version_id), 3)
    assert without["prompt"] is None

    items = (await world.http.get(f"/api/runs/{run_id}/items")).json()["items"]
    details = [(await world.http.get(f"/api/runs/{run_id}/items/{item['id']}")).json() for item in items]
    shown = {one["model"]: one["rendered"] for one in details if "What is 0" in one["case"]["question"]}
    assert (shown["model-a"]["system"], shown["model-a"]["user"]) == ("You are brief.", of_a["user"])
    assert shown["model-a"]["number"] == 3
    assert shown["model-b"] is None

    # The run keeps a copy: the answers can be asked for again when the prompt is gone.
    async with world.engine.begin() as connection:
        await connection.execute(delete(t.prompt))
    assert (await world.http.get(f"/api/runs/{run_id}")).json()["targets"][0] == with_prompt
    body["targets"][0]["prompt_version_id"] = str(version_id)
    gone = await world.http.post("/api/runs", json=body)
    assert (gone.status_code, gone.json()["errors"][0]["field"]) == (422, "targets.0.prompt_version_id")


async def test_case_without_a_variable_is_refused_before_the_first_call(world: World) -> None:
    await set_metadata(world, {"tone": "brief"})
    await set_metadata(world, {}, task_id="task-1")
    version_id = await store_prompt(world, "{{question}} Be {{tone}}.")
    body = world.body("model-b", "model-a")
    body["targets"][1]["prompt_version_id"] = str(version_id)
    refused = await world.http.post("/api/runs", json=body)
    assert refused.status_code == 422, refused.text
    (error,) = refused.json()["errors"]
    assert error["field"] == "targets.1.prompt_version_id"
    assert "case 'task-1'" in error["message"]
    assert "no 'tone' in its metadata" in error["message"]
    assert (await world.http.get("/api/runs")).json()["items"] == []
    assert world.seen == []

    with_default = [{"name": "question"}, {"name": "tone", "default": "kind"}]
    body["targets"][1]["prompt_version_id"] = str(
        await store_prompt(world, "{{question}} {{tone}}", variables=with_default)
    )
    await world.until_status(await world.start(**body), "FINISHED")
