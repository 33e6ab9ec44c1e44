"""Test `/v1/annotations` over HTTP: tasks and annotators are created, validated, changed and deleted."""

import httpx
import pytest
from annotation_world import PATH, VERDICT, Json, new_task, person
from config_api_asserting import assert_problem
from dataset_world import dataset, jsonl, numbered, upload_version
from suite_world import published


async def test_several_fields_with_conditions(api: httpx.AsyncClient) -> None:
    fields = [
        {"name": "verdict", "type": "classification", "options": [{"value": "right"}, {"value": "wrong"}]},
        {"name": "score", "type": "rating", "scale": {"min": 1, "max": 5}},
        {"name": "why", "type": "text", "only_if": {"field": "verdict", "values": ["wrong"]}},
        {"name": "order", "type": "ranking", "options": [{"value": "x"}, {"value": "y"}], "required": False},
    ]
    task = await new_task(api, 2, annotation_schema={"fields": fields})
    ada, bob = await person(api, task, "Ada"), await person(api, task, "Bob")
    item = await ada.next()
    assert item is not None
    bad: list[tuple[Json, tuple[str, ...]]] = [
        ({}, ("labels.verdict", "labels.score")),
        ({"verdict": "right", "score": 6}, ("labels.score",)),
        ({"verdict": "right", "score": True}, ("labels.score",)),
        ({"verdict": "wrong", "score": 2}, ("labels.why",)),
        ({"verdict": "right", "score": 2, "why": "because"}, ("labels.why",)),
        ({"verdict": "right", "score": 2, "order": ["x", "x"]}, ("labels.order",)),
        ({"verdict": "right", "score": 2, "order": ["x", ["y"]]}, ("labels.order",)),
        ({"verdict": "wrong", "score": 2, "why": "x" * 20_001}, ("labels.why",)),
        ({"verdict": ["right"], "score": 2, "more": 1}, ("labels.verdict", "labels.more")),
    ]
    for labels, names in bad:
        assert_problem(await ada.answer(item["item_id"], labels=labels), 422, *names)
    for each, score in ((ada, 4), (bob, 5)):
        item = await each.next()
        assert item is not None
        labels = {"verdict": "right", "score": score, "order": ["y", "x"]}
        assert (await each.answer(item["item_id"], labels=labels)).status_code == 200
    agreement = (await api.get(f"{task}/progress")).json()["agreement_metrics"]
    assert [(each["field"], each["level"]) for each in agreement["fields"]] == [
        ("verdict", "nominal"),
        ("score", "ordinal"),
        ("why", None),
        ("order", None),
    ]
    labelled = [each for each in (await api.get(f"{task}/items")).json()["items"] if each["labels"]]
    consensus = {each["field"]: each["value"] for each in labelled[0]["consensus"]}
    assert consensus == {"verdict": "right", "score": None, "order": ["y", "x"]}


async def test_ranking_has_the_options_as_texts(api: httpx.AsyncClient) -> None:
    schema = {"type": "ranking", "options": [{"value": "1"}, {"value": "2"}]}
    ada = await person(api, await new_task(api, 1, annotation_schema=schema), "Ada")
    item = await ada.next()
    assert item is not None
    assert_problem(await ada.answer(item["item_id"], labels={"label": [2, 1]}), 422, "labels.label")
    assert (await ada.answer(item["item_id"], labels={"label": ["2", "1"]})).status_code == 200


async def test_text_of_the_greatest_length_is_saved_and_stored(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 1, annotation_schema={"type": "text"})
    ada = await person(api, task, "Ada")
    item = await ada.next()
    assert item is not None
    labels = {"label": '"é\n' * 6_666}
    draft = f"{task}/items/{item['item_id']}/draft"
    saved = await api.put(draft, params={"annotator_id": ada.id}, json={"labels": labels})
    assert saved.status_code == 200, saved.text
    assert (await ada.answer(item["item_id"], labels=labels)).status_code == 200
    (stored,) = (await api.get(f"{task}/items")).json()["items"]
    assert stored["labels"][0]["labels"] == labels


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"annotation_schema": {}}, ["annotation_schema"]),
        ({"annotation_schema": {"type": "classification"}}, ["annotation_schema"]),
        ({"annotation_schema": {"type": "rating", "scale": {"min": 5, "max": 1}}}, ["annotation_schema.scale"]),
        ({"annotation_schema": VERDICT | {"fields": [{"name": "a", "type": "text"}]}}, ["annotation_schema"]),
        ({"instructions": "x" * 5_000_000}, ["instructions"]),
        ({"required_annotations_per_item": 0}, ["required_annotations_per_item"]),
        ({"gold": [{"case": "nobody", "labels": {"label": "good"}}]}, ["gold.0.case"]),
        ({"gold": [{"case": "Answers-case-0001", "labels": {"label": "so"}}]}, ["gold.0.labels.label"]),
        ({"sampling_config": {"filter": {"category": "none"}}}, ["sampling_config"]),
        ({"sampling_config": {"strategy": "stratified"}}, ["sampling_config"]),
        ({"sampling_config": {"strategy": "stratified", "stratify_by": "no"}}, ["sampling_config.stratify_by"]),
        ({"sampling_config": {"strategy": "priority"}}, ["sampling_config"]),
        ({"sampling_config": {"strategy": "priority", "priority": "confidence"}}, ["body"]),
    ],
)
async def test_bad_tasks_are_refused(api: httpx.AsyncClient, change: Json, fields: list[str]) -> None:
    version_id = await published(api, "Answers", 2)
    body = {
        "name": "Task",
        "dataset_version_id": version_id,
        "instructions": "Do.",
        "annotation_schema": VERDICT,
        **change,
    }
    answer = await api.post(f"{PATH}/tasks", json=body)
    if answer.status_code == 413:
        return
    assert_problem(answer, 422, *fields)


async def test_versions_that_are_not_published_are_refused(api: httpx.AsyncClient) -> None:
    path = await dataset(api, "Draft")
    version = await upload_version(api, path, jsonl(*numbered(2)))
    body = {"name": "Task", "instructions": "Do.", "annotation_schema": VERDICT}
    wanted = {**body, "dataset_version_id": version["version_id"]}
    assert "publish it first" in str(assert_problem(await api.post(f"{PATH}/tasks", json=wanted), 409)["detail"])
    assert (await api.post(f"{path}/versions/1/publish")).status_code == 200
    assert (await api.post(f"{path}/versions/1/deprecate")).status_code == 200
    assert "deprecated" in str(assert_problem(await api.post(f"{PATH}/tasks", json=wanted), 409)["detail"])


async def test_task_outlives_its_dataset(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 2, required_annotations_per_item=1)
    (made,) = (await api.get("/v1/datasets")).json()["datasets"]
    assert (await api.delete(f"/v1/datasets/{made['dataset_id']}")).status_code == 204
    ada = await person(api, task, "Ada")
    item = await ada.next()
    assert item is not None
    await ada.label(item["item_id"])
    assert (await api.get(task)).json()["dataset_version_id"] is None
    assert "deleted" in str(assert_problem(await api.post(f"{task}/dataset-version", json={}), 409)["detail"])


async def test_tasks_are_changed_paused_and_deleted(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 2)
    ada = await person(api, task, "Ada")
    held = await ada.next()
    assert held is not None
    changed = await api.patch(task, json={"instructions": "Look twice."}, headers={"If-Match": '"2"'})
    assert (changed.status_code, changed.json()["version"]) == (200, 3)
    assert_problem(await api.patch(task, json={"name": "x"}, headers={"If-Match": '"2"'}), 412)
    assert (await api.post(f"{task}/pause")).json()["status"] == "PAUSED"
    again = await ada.next()
    assert again is not None, "what somebody holds they may finish"
    assert (await ada.label(held["item_id"]))["next"] is None
    assert_problem(await api.get(f"{task}/next", params={"annotator_id": ada.id}), 409)
    assert "People gave 1 label in" in str(assert_problem(await api.delete(task), 409)["detail"])
    assert (await api.post(f"{task}/complete")).json()["status"] == "COMPLETED"
    assert (await api.post(f"{task}/activate")).json()["status"] == "ACTIVE"
    assert (await api.delete(task, params={"with_labels": True})).status_code == 204
    assert_problem(await api.get(task), 404)
    assert (await api.get(f"{PATH}/tasks")).json() == {"tasks": [], "total": 0, "has_more": False}


async def test_annotators_are_listed_changed_and_named_once(api: httpx.AsyncClient) -> None:
    made = await api.post(f"{PATH}/annotators", json={"name": "Ada", "email": "Ada@Example.org", "languages": ["en"]})
    ada = made.json()
    assert (ada["email"], ada["quality_score"], ada["status"]) == ("ada@example.org", 0.5, "ACTIVE")
    twice = await api.post(f"{PATH}/annotators", json={"name": "Eve", "email": "ADA@example.org"})
    assert_problem(twice, 409, "email")
    assert_problem(await api.post(f"{PATH}/annotators", json={"name": "Eve", "email": "nowhere"}), 422, "email")
    changed = await api.patch(made.headers["location"], json={"expertise_tags": ["law"], "status": "INACTIVE"})
    assert (changed.json()["name"], changed.json()["expertise_tags"]) == ("Ada", ["law"])
    assert (await api.get(f"{PATH}/annotators", params={"status": "ACTIVE"})).json()["total"] == 0
    assert (await api.get(f"{PATH}/annotators", params={"q": "AD"})).json()["total"] == 1
