"""Test `/api/baselines` and `/api/gates`: promotion, history, refusals, and runs that cannot be removed."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from made_runs import Case, made_run
from run_world import World
from sqlalchemy import insert

from llmbench.db import tables as t
from llmbench.ids import DEFAULT_ORG_ID, new_id

SPREAD = [0.6, 0.7, 0.8, 0.9, 0.5]


def varying(count: int, *, change: float = 0.0) -> list[Case]:
    """Return cases with two epochs each, whose scores differ a little. `change` is added to all scores."""
    return [
        Case([SPREAD[case % 5] + change + 0.02 * (case % 3), SPREAD[case % 5] + change + 0.02 * (case % 2)])
        for case in range(count)
    ]


@pytest.fixture
async def preset(world: World) -> str:
    id_ = new_id()
    async with world.engine.begin() as connection:
        await connection.execute(
            insert(t.evaluation_preset).values(id=id_, org_id=DEFAULT_ORG_ID, name="Nightly", settings={})
        )
    return str(id_)


@pytest.fixture
async def template(world: World) -> UUID:
    run_id = await world.start("model-a")
    await world.until_status(run_id, "FINISHED")
    return run_id


async def finished(world: World, template: UUID, name: str = "Base", *, change: float = 0.0, cases: int = 120) -> str:
    """Return the id of a finished run with one target and two epochs per case. `change` is added to all scores."""
    return (await made_run(world, template, varying(cases, change=change), name=name)).partition(":")[0]


async def post(world: World, path: str, body: dict[str, Any], *, status: int) -> Any:
    response = await world.http.post(path, json=body)
    assert response.status_code == status, response.text
    return response.json()


async def made_baseline(world: World, preset: str, run_id: str, **more: Any) -> Any:
    body = {"subject": {"kind": "preset", "id": preset}, "run_id": run_id} | more
    return await post(world, "/api/baselines", body, status=201)


async def test_first_run_is_baseline_and_anchor_and_the_anchor_stays(world: World, template: UUID, preset: str) -> None:
    first, second = await finished(world, template, "First"), await finished(world, template, "Second")
    made = await made_baseline(world, preset, first, note="the release")
    assert (made["label"], made["subject"]["name"], made["gates"]) == ("main", "Nightly", [])
    assert (made["run"]["name"], made["anchor"]["name"]) == ("First", "First")
    path = f"/api/baselines/{made['id']}"
    promoted = await post(world, f"{path}/promote", {"run_id": second, "note": "it is faster"}, status=200)
    assert (promoted["run"]["name"], promoted["anchor"]["name"]) == ("Second", "First")
    promoted = await post(world, f"{path}/promote", {"run_id": second, "role": "anchor"}, status=200)
    assert promoted["anchor"]["id"] == second
    history = (await world.http.get(f"{path}/history")).json()["items"]
    assert [(entry["run_name"], entry["role"], entry["note"]) for entry in history] == [
        ("Second", "anchor", None),
        ("Second", "baseline", "it is faster"),
        ("First", "both", "the release"),
    ]
    assert {entry["created_by"] for entry in history} == {None}, "without sign-in"
    page = (await world.http.get(f"{path}/history", params={"limit": 2})).json()
    rest = (await world.http.get(f"{path}/history", params={"limit": 2, "cursor": page["next_cursor"]})).json()
    assert [*page["items"], *rest["items"]] == history
    assert rest["next_cursor"] is None
    assert (await world.http.delete(path)).status_code == 204
    assert (await world.http.get(path)).status_code == 404


async def test_baselines_are_found_by_subject_and_label_page_by_page(world: World, template: UUID, preset: str) -> None:
    run_id = await finished(world, template)
    for label in ("main", "v1.2", "v1.3"):
        await made_baseline(world, preset, run_id, label=label)
    query = {"subject_kind": "preset", "subject_id": preset}
    page = (await world.http.get("/api/baselines", params=query | {"limit": 2})).json()
    assert [entry["label"] for entry in page["items"]] == ["main", "v1.2"]
    rest = (await world.http.get("/api/baselines", params={"cursor": page["next_cursor"]})).json()
    assert [entry["label"] for entry in rest["items"]] == ["v1.3"]
    (found,) = (await world.http.get("/api/baselines", params=query | {"label": "v1.2"})).json()["items"]
    assert found["label"] == "v1.2"
    other = {"subject_kind": "preset", "subject_id": str(uuid4())}
    assert (await world.http.get("/api/baselines", params=other)).json()["items"] == []
    alone = await world.http.get("/api/baselines", params={"subject_id": preset})
    assert (alone.status_code, alone.json()["errors"][0]["field"]) == (422, "subject_kind")


async def test_unusable_runs_and_subjects_are_refused_by_name(world: World, template: UUID, preset: str) -> None:
    run_id = await finished(world, template)
    made = await made_baseline(world, preset, run_id)
    body = {"subject": {"kind": "preset", "id": preset}, "run_id": run_id}
    taken = await post(world, "/api/baselines", body, status=409)
    assert "already has a baseline 'main'" in taken["detail"]
    unknown = {"subject": {"kind": "preset", "id": str(uuid4())}, "run_id": run_id}
    assert (await post(world, "/api/baselines", unknown, status=422))["errors"][0]["field"] == "subject.id"
    nothing = await post(world, "/api/baselines", body | {"run_id": str(uuid4())}, status=422)
    assert nothing["errors"][0]["field"] == "run_id"
    active = await made_run(world, template, varying(3), name="Active", status="PAUSED")
    refused = await post(
        world, f"/api/baselines/{made['id']}/promote", {"run_id": active.partition(":")[0]}, status=409
    )
    assert "'Active' is PAUSED: only a finished run can be a baseline" in refused["detail"]
    await post(world, f"/api/baselines/{uuid4()}/promote", {"run_id": run_id}, status=404)


async def test_gate_is_saved_with_the_probability_that_an_unchanged_model_is_fine(
    world: World, template: UUID, preset: str
) -> None:
    made = await made_baseline(world, preset, await finished(world, template))
    path = f"/api/baselines/{made['id']}/gates"
    gate = await post(world, path, {"metric": "Score", "margin": 0.05}, status=201)
    assert (gate["metric"], gate["title"], gate["relative"], gate["holds"]) == ("score", "mean score", False, True)
    assert 0.8 <= gate["probability_fine"] <= 1
    assert gate["clusters"] == 120
    checked = await post(world, f"/api/gates/{gate['id']}/check", {}, status=200)
    assert (checked["holds"], checked["targets"][0]["basis"]) == (True, "epochs of the same case")
    assert checked["targets"][0]["worse"] <= 10
    twice = await post(world, path, {"metric": "score", "margin": 0.1}, status=409)
    assert twice["errors"][0]["field"] == "metric"
    changed = await world.http.patch(f"/api/gates/{gate['id']}", json={"undecided": "ok"})
    assert (changed.json()["undecided"], changed.json()["margin"]) == ("ok", 0.05)
    by_name = await post(world, path, {"metric": "rubric", "margin": 0.06}, status=201)
    assert (by_name["metric"], by_name["title"]) == ("evaluator:rubric", "score of 'rubric'")
    both = (await world.http.get(f"/api/baselines/{made['id']}")).json()
    assert len(both["gates"]) == 2
    product = gate["probability_fine"] * by_name["probability_fine"]
    assert (made["probability_fine"], both["probability_fine"]) == (None, pytest.approx(product))
    assert (await world.http.delete(f"/api/gates/{gate['id']}")).status_code == 204
    assert (await world.http.get(f"/api/gates/{gate['id']}")).status_code == 404


async def test_gate_that_cannot_decide_is_refused_with_what_it_needs(world: World, template: UUID, preset: str) -> None:
    """The refusal names the margin and the number of clusters with which the gate could decide. With one answer per
    case, the noise between two runs is unknown, so the largest possible variance is assumed."""
    run_id = (await made_run(world, template, [Case([0.5])] * 30, name="Few")).partition(":")[0]
    made = await made_baseline(world, preset, run_id)
    path = f"/api/baselines/{made['id']}/gates"
    refused = await post(world, path, {"metric": "score", "margin": 0.05}, status=422)
    assert refused["title"] == "A gate that cannot decide"
    assert "80 of 100 are needed" in refused["detail"]
    assert refused["clusters_needed"] > 600
    assert refused["margin_needed"] > 0.05
    assert refused["errors"][0]["field"] == "margin"
    needed = {"metric": "score", "margin": refused["margin_needed"]}
    gate = await post(world, path, needed, status=201)
    assert gate["probability_fine"] >= 0.8
    worse = await world.http.patch(f"/api/gates/{gate['id']}", json={"margin": 0.05})
    assert worse.status_code == 422
    assert (await world.http.get(f"/api/gates/{gate['id']}")).json() == gate
    unknown = await post(world, path, {"metric": "tone", "margin": 0.1}, status=422)
    assert (unknown["errors"][0]["field"], "no evaluator 'tone'" in unknown["detail"]) == ("metric", True)


async def test_promotion_computes_the_gates_again_and_refuses_a_run_that_they_cannot_use(
    world: World, template: UUID, preset: str
) -> None:
    made = await made_baseline(world, preset, await finished(world, template))
    gate = await post(world, f"/api/baselines/{made['id']}/gates", {"metric": "score", "margin": 0.05}, status=201)
    smaller = await finished(world, template, "Smaller", cases=40)
    promoted = await post(world, f"/api/baselines/{made['id']}/promote", {"run_id": smaller}, status=200)
    (again,) = promoted["gates"]
    assert (again["id"], again["clusters"]) == (gate["id"], 40)
    assert again["probability_fine"] < gate["probability_fine"]
    unscored = await made_run(world, template, [Case([None])] * 40, name="Unscored")
    refused = await post(
        world, f"/api/baselines/{made['id']}/promote", {"run_id": unscored.partition(":")[0]}, status=422
    )
    assert refused["detail"].startswith("the gate on mean score of 'main' cannot use this run: 'Unscored' has no mean")
    assert (await world.http.get(f"/api/baselines/{made['id']}")).json()["run"]["id"] == smaller


async def test_baseline_and_anchor_are_neither_deleted_nor_removed_by_age(
    world: World, template: UUID, preset: str
) -> None:
    first, second = await finished(world, template, "First"), await finished(world, template, "Second")
    made = await made_baseline(world, preset, first)
    await post(world, f"/api/baselines/{made['id']}/promote", {"run_id": second}, status=200)
    for run_id in (first, second):
        refused = await world.http.delete(f"/api/runs/{run_id}")
        assert (refused.status_code, "'main'" in refused.json()["detail"]) == (409, True)
    preview = (await world.http.get("/api/retention", params={"older_than_days": 0.0000001})).json()
    kept = {run["id"]: run for run in preview["kept"]}
    assert kept[first]["reason"] == kept[second]["reason"] == "promoted"
    assert "Promote another run there" in kept[first]["why"]
    pruned = await post(world, "/api/retention/prune", {"older_than_days": 0.0000001}, status=200)
    assert [run["id"] for run in pruned["removed"]] == [str(template)]
    await post(world, f"/api/baselines/{made['id']}/promote", {"run_id": second, "role": "anchor"}, status=200)
    assert (await world.http.delete(f"/api/runs/{first}")).status_code == 204
    history = (await world.http.get(f"/api/baselines/{made['id']}/history")).json()["items"]
    assert (history[-1]["run_id"], history[-1]["run_name"]) == (None, "First")
