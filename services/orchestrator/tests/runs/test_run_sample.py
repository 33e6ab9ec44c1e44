"""Test that a run can have a sample of its cases, from collections and dataset versions, by category or by tag. No
cluster is split. Without a seed in the request, runs of the same name have the same sample."""

from typing import Any
from uuid import UUID

import pytest
from run_versions import a_case, insert_version
from run_world import World

pytestmark = pytest.mark.never_rerun

CASES = [a_case(f"case-{number}", category="sums" if number % 4 else "texts") for number in range(20)]


async def run_of(world: World, version: UUID, **more: Any) -> dict[str, Any]:
    body = world.body(collection_ids=[], dataset_version_ids=[str(version)], **more)
    response = await world.http.post("/api/runs", json=body)
    assert response.status_code == 201, response.text
    return await world.until_status(UUID(response.json()["id"]), "FINISHED")


async def names(world: World, run: dict[str, Any]) -> list[str]:
    return [item["task_id"] for item in await world.items(run["id"])]


async def test_stratified_sample_of_a_version_keeps_the_shares_of_its_categories(world: World) -> None:
    version = await insert_version(world, CASES)
    run = await run_of(world, version, sample={"size": 8, "strategy": "stratified", "seed": 7}, epochs=2)
    assert run["counts"]["items"] == 16
    assert run["sample"] == {
        "size": 8,
        "strategy": "stratified",
        "seed": 7,
        "seed_from": "request",
        "tags": [],
        "taken": 8,
        "of": 20,
    }
    assert {row["category"]: row["items"] for row in run["categories"]} == {"sums": 12, "texts": 4}
    texts = [event["text"] for event in await world.events(run["id"], "llmbench.run.logged.v1")]
    assert "sample: 8 of 20 cases, stratified, seed 7" in texts
    exported = (await world.http.get(f"/api/runs/{run['id']}/export", params={"format": "json"})).json()
    assert exported["run"]["sample"]["taken"] == 8


async def test_sample_by_tags_has_only_cases_with_all_of_them_and_conversations_as_a_whole(world: World) -> None:
    cases = [
        a_case("both", tags=["hard", "legal"]),
        a_case("one", tags=["hard"]),
        a_case("none"),
        a_case("talk-1", conversation_id="talk", turn=1),
        a_case("talk-2", conversation_id="talk", turn=2, tags=["legal", "hard", "new"]),
    ]
    version = await insert_version(world, cases)
    # The collection of the body has tasks, which have no tags.
    body = world.body(dataset_version_ids=[str(version)], sample={"tags": ["hard", "legal"]})
    run_id = UUID((await world.http.post("/api/runs", json=body)).json()["id"])
    run = await world.until_status(run_id, "FINISHED")
    assert sorted(await names(world, run)) == ["both", "talk-1", "talk-2"]
    assert (run["sample"]["tags"], run["sample"]["taken"], run["sample"]["of"]) == (["hard", "legal"], 3, 3)
    texts = [event["text"] for event in await world.events(run_id, "llmbench.run.logged.v1")]
    assert any(text.startswith("sample: 3 of 3 cases with the tags hard, legal, random, seed ") for text in texts)
    filtered = await world.http.get(f"/api/runs/{run_id}/items", params={"tag": ["hard", "legal"]})
    assert sorted(item["task_id"] for item in filtered.json()["items"]) == ["both", "talk-2"]
    one = await run_of(world, version, sample={"tags": ["hard"], "size": 1})
    assert one["sample"]["of"] == 4
    assert one["sample"]["taken"] in (1, 2)


@pytest.mark.parametrize(("sample", "field"), [({"tags": ["unknown"]}, "sample.tags"), ({}, "sample")])
async def test_sample_without_a_case_or_without_a_choice_is_refused(
    world: World, sample: dict[str, Any], field: str
) -> None:
    version = await insert_version(world, [a_case("tagged", tags=["hard"])])
    body = world.body(collection_ids=[], dataset_version_ids=[str(version)], sample=sample)
    response = await world.http.post("/api/runs", json=body)
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, field)


async def test_runs_of_one_name_have_the_same_sample_and_other_names_have_another(world: World) -> None:
    version = await insert_version(world, CASES)
    nightly = [await run_of(world, version, name="nightly", sample={"size": 5}) for _ in range(2)]
    weekly = await run_of(world, version, name="weekly", sample={"size": 5})
    assert await names(world, nightly[0]) == await names(world, nightly[1])
    assert set(await names(world, weekly)) != set(await names(world, nightly[0]))
    assert nightly[0]["sample"]["seed_from"] == "name"
    # Runs of different models have different default names, but get the same sample, so that they can be compared.
    unnamed = [await run_of(world, version, sample={"size": 5}, targets=_target(world, model)) for model in "ab"]
    assert await names(world, unnamed[0]) == await names(world, unnamed[1])


async def test_conversations_and_documents_are_never_split(world: World) -> None:
    turns = [
        a_case(f"{talk}-{turn}", conversation_id=talk, turn=turn) for talk in ("p", "q", "r", "s") for turn in (1, 2, 3)
    ]
    talks = await run_of(world, await insert_version(world, turns, dataset="Talks"), sample={"size": 4, "seed": 1})
    assert talks["sample"]["taken"] == 6
    taken = await names(world, talks)
    assert all(f"{name[0]}-{turn}" in taken for name in taken for turn in (1, 2, 3))
    pages = [a_case(f"{page}-{number}", document_id=page) for page in ("x", "y", "z") for number in range(3)]
    documents = await run_of(world, await insert_version(world, pages, dataset="Pages"), sample={"size": 5, "seed": 1})
    assert (documents["sample"]["taken"], documents["cluster_level"]) == (6, "document")
    assert len({name[0] for name in await names(world, documents)}) == 2


async def test_sample_of_a_collection_and_a_version_together_has_cases_of_both_in_their_order(world: World) -> None:
    version = await insert_version(world, CASES)
    body = world.body(dataset_version_ids=[str(version)], sample={"size": 22, "seed": 3})
    run = await world.until_status(UUID((await world.http.post("/api/runs", json=body)).json()["id"]), "FINISHED")
    assert (run["sample"]["taken"], run["sample"]["of"], run["outcome"]) == (22, 23, "complete")
    found = await names(world, run)
    tasks = [name for name in found if name.startswith("task")]
    # At most one case is left out.
    assert found[: len(tasks)] == tasks
    assert len(tasks) >= 2
    assert len(set(found)) == 22


async def test_sample_larger_than_the_cases_takes_all_and_says_so(world: World) -> None:
    run_id = await world.start(sample={"size": 500})
    run = await world.until_status(run_id, "FINISHED")
    assert (run["sample"]["size"], run["sample"]["taken"], run["sample"]["of"]) == (500, 3, 3)
    lines = [event["text"] for event in await world.events(run_id, "llmbench.run.logged.v1")]
    assert any("all are taken, because there are fewer than the 500" in line for line in lines)


async def test_run_without_a_sample_has_every_case(world: World) -> None:
    run = await world.until_status(await world.start(), "FINISHED")
    assert (run["sample"], run["counts"]["items"]) == (None, 3)


@pytest.mark.parametrize(
    ("sample", "field"),
    [
        ({"size": 0}, "sample.size"),
        ({"size": 2.5}, "sample.size"),
        ({"strategy": "random"}, "sample"),
        ({"size": 2, "strategy": "first"}, "sample.strategy"),
        ({"size": 2, "seed": -1}, "sample.seed"),
        ({"size": 2, "share": 0.5}, "sample.share"),
    ],
)
async def test_invalid_sample_is_refused_with_its_field(world: World, sample: dict[str, Any], field: str) -> None:
    response = await world.http.post("/api/runs", json=world.body(sample=sample))
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == field


def _target(world: World, model: str) -> list[dict[str, str]]:
    return [{"provider_id": str(world.provider_id), "model": f"model-{model}"}]
