"""Test `/v1/annotations` over HTTP: tasks, leases, labels, progress, decisions, exports."""

import asyncio
import csv
import io
from typing import Any

import httpx
import pytest
from annotation_world import PATH, VERDICT, Json, Person, new_task, person
from config_api_asserting import assert_problem
from dataset_world import dataset, jsonl, numbered, upload_version
from suite_world import published


async def test_task_is_labelled_by_two_and_completes_itself(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 3, active=False)
    draft = (await api.get(task)).json()
    assert (draft["status"], draft["total_items"], draft["completed_items"]) == ("DRAFT", 3, 0)
    assert draft["sampling_config"]["seed"] is not None, "the seed that was drawn"
    ada, bob = await person(api, task, "Ada"), await person(api, task, "Bob")
    assert_problem(await api.get(f"{task}/next", params={"annotator_id": ada.id}), 409)
    assert (await api.post(f"{task}/activate")).json()["status"] == "ACTIVE"

    for each in (ada, bob):
        item = await each.next()
        seen = []
        while item is not None:
            assert item["test_case"]["reference"] is None
            assert (item["position"], item["total_remaining"]) == (len(seen) + 1, 3 - len(seen))
            seen.append(item["item_id"])
            item = (await each.label(item["item_id"], time_spent_seconds=4))["next"]
        assert len(set(seen)) == 3

    done = (await api.get(task)).json()
    assert (done["status"], done["completed_items"]) == ("COMPLETED", 3)
    assert done["completed_at"] is not None
    assert await ada.next() is None
    progress = (await api.get(f"{task}/progress")).json()
    assert (progress["total_items"], progress["completed_items"], progress["items_with_consensus"]) == (3, 3, 3)
    assert progress["agreement_metrics"]["krippendorff_alpha"] is None, "all labels are equal"
    assert "same" in progress["agreement_metrics"]["undefined_because"]
    assert [
        (one["name"], one["annotations_count"], one["average_time_seconds"]) for one in progress["annotator_stats"]
    ] == [
        ("Ada", 3, 4.0),
        ("Bob", 3, 4.0),
    ]


async def test_next_returns_the_held_item_and_its_draft(api: httpx.AsyncClient) -> None:
    task = await new_task(api)
    ada, bob = await person(api, task, "Ada"), await person(api, task, "Bob")
    item = await ada.next()
    assert item is not None
    path = f"{task}/items/{item['item_id']}"
    saved = await api.put(f"{path}/draft", params={"annotator_id": ada.id}, json={"labels": {"label": "bad"}})
    assert saved.status_code == 200, saved.text
    again = await ada.next()
    assert again is not None
    assert (again["item_id"], again["draft"]) == (item["item_id"], {"label": "bad"})
    assert again["leased_until"] == saved.json()["leased_until"]
    # A draft of somebody who does not hold the item is refused, and so are their labels.
    other = await api.put(f"{path}/draft", params={"annotator_id": bob.id}, json={"labels": {}})
    assert_problem(other, 409)
    assert_problem(await bob.answer(item["item_id"], labels={"label": "good"}), 409)


async def test_item_is_never_held_by_more_people_than_it_needs(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 5, required_annotations_per_item=2)
    people = [await person(api, task, f"Person {number}") for number in range(14)]
    held = await asyncio.gather(*(each.next() for each in people))
    given = [item["item_id"] for item in held if item is not None]
    assert len(given) == 10, "five items for two people each"
    assert all(given.count(item_id) == 2 for item_id in given)
    progress = (await api.get(f"{task}/progress")).json()
    assert progress["open_leases"] == 10


async def test_people_who_label_at_once_give_each_item_its_number_of_labels(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 12, required_annotations_per_item=3)
    people = [await person(api, task, f"Person {number}") for number in range(10)]

    async def work(each: Person) -> int:
        item, given = await each.next(), 0
        while item is not None:
            submitted = await each.label(item["item_id"])
            assert not submitted["surplus"]
            item, given = submitted["next"], given + 1
        return given

    given = await asyncio.gather(*(work(each) for each in people))
    # Somebody may find nothing while the last items are held; what they hold is labelled then.
    assert sum(given) == 36
    items = (await api.get(f"{task}/items")).json()["items"]
    assert [len(item["labels"]) for item in items] == [3] * 12
    assert (await api.get(task)).json()["status"] == "COMPLETED"


async def test_late_labels_count_if_they_are_wanted_and_are_surplus_if_not(api: httpx.AsyncClient, engine: Any) -> None:
    task = await new_task(api, 1, required_annotations_per_item=1)
    slow, quick = await person(api, task, "Slow"), await person(api, task, "Quick")
    item = await slow.next()
    assert item is not None
    assert await quick.next() is None, "it is held"
    await _let_leases_end(engine)
    other = await quick.next()
    assert other is not None
    assert other["item_id"] == item["item_id"], "an expired lease goes back"
    assert not (await quick.label(item["item_id"]))["surplus"]
    late = await slow.label(item["item_id"], "bad")
    assert late["surplus"]
    progress = (await api.get(f"{task}/progress")).json()
    assert (progress["completed_items"], progress["total_annotations"], progress["surplus"]) == (1, 2, 1)


async def test_late_labels_of_an_item_that_nobody_else_labelled_count(api: httpx.AsyncClient, engine: Any) -> None:
    task = await new_task(api, 1, required_annotations_per_item=1)
    slow = await person(api, task, "Slow")
    item = await slow.next()
    assert item is not None
    await _let_leases_end(engine)
    assert not (await slow.label(item["item_id"]))["surplus"]
    assert (await api.get(task)).json()["status"] == "COMPLETED"


async def test_labels_are_replaced_undone_and_skipped(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 2, required_annotations_per_item=1)
    ada = await person(api, task, "Ada")
    first = await ada.next()
    assert first is not None
    one = await ada.label(first["item_id"], "good")
    # The same request again is the same annotation, and other labels replace it.
    assert (await ada.label(first["item_id"], "bad"))["annotation_id"] == one["annotation_id"]
    undone = (await api.post(f"{task}/undo", params={"annotator_id": ada.id})).json()["item"]
    assert (undone["item_id"], undone["draft"]) == (first["item_id"], {"label": "bad"})
    assert (await api.get(task)).json()["completed_items"] == 0
    skipped = await ada.answer(
        first["item_id"], skipped=True, skip_reason="I can't read it", flagged=True, flag_reason="x"
    )
    assert skipped.status_code == 200, skipped.text
    assert (await ada.label(skipped.json()["next_item_id"]))["next"] is None
    progress = (await api.get(f"{task}/progress")).json()
    assert (progress["completed_items"], progress["skipped"], progress["flagged"]) == (1, 1, 1)
    assert (await api.get(task)).json()["status"] == "ACTIVE", "the skipped item still lacks a label"
    made = (await api.get(f"{PATH}/annotators/{ada.id}")).json()
    assert made["total_annotations"] == 1
    flagged = (await api.get(f"{task}/items", params={"only": "flagged"})).json()
    assert [item["item_id"] for item in flagged["items"]] == [first["item_id"]]
    # Undone twice, there is nothing left.
    for _ in range(2):
        assert (await api.post(f"{task}/undo", params={"annotator_id": ada.id})).status_code == 200
    assert_problem(await api.post(f"{task}/undo", params={"annotator_id": ada.id}), 409)
    assert (await api.get(f"{PATH}/annotators/{ada.id}")).json()["total_annotations"] == 0


async def test_gold_items_measure_people_and_need_no_labels(api: httpx.AsyncClient) -> None:
    gold = [{"case": "Answers-case-0002", "labels": {"label": "good"}}]
    task = await new_task(api, 4, required_annotations_per_item=1, gold=gold)
    assert (await api.get(task)).json()["total_items"] == 3
    ada = await person(api, task, "Ada")
    item, seen = await ada.next(), 0
    while item is not None:
        seen += 1
        item = (await ada.label(item["item_id"], "good"))["next"]
    assert seen in (3, 4), "a gold item behind the last item is not given"
    items = (await api.get(f"{task}/items")).json()["items"]
    (golden,) = [each for each in items if each["gold"] is not None]
    made = (await api.get(f"{PATH}/annotators/{ada.id}")).json()
    assert made["quality_score"] == pytest.approx(2 / 3 if golden["labels"] else 1 / 2)
    assert (await api.get(task)).json()["status"] == "COMPLETED"


async def test_blocked_people_get_nothing_and_their_labels_do_not_count(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 1, required_annotations_per_item=3)
    people = [await person(api, task, name) for name in ("Ada", "Bob", "Mallory")]
    for each, value in zip(people, ("good", "good", "bad"), strict=True):
        item = await each.next()
        assert item is not None
        await each.label(item["item_id"], value)
    (item,) = (await api.get(f"{task}/items")).json()["items"]
    assert (item["consensus"][0]["value"], round(item["confidence"], 3)) == ("good", 0.667)
    blocked = await api.patch(f"{PATH}/annotators/{people[2].id}", json={"status": "BLOCKED"})
    assert blocked.status_code == 200
    (item,) = (await api.get(f"{task}/items")).json()["items"]
    assert item["confidence"] == 1.0
    assert [label["counts"] for label in item["labels"]] == [True, True, False]
    assert_problem(await api.get(f"{task}/next", params={"annotator_id": people[2].id}), 403)


async def test_disagreement_is_decided_and_exported(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 3, sampling_config={"seed": 1})
    ada, bob = await person(api, task, "Ada"), await person(api, task, "Bob")
    for each, values in ((ada, ("good", "good", "=bad"[1:])), (bob, ("good", "bad", "bad"))):
        for value in values:
            item = await each.next()
            assert item is not None
            await each.label(item["item_id"], value)
    disputed = (await api.get(f"{task}/items", params={"only": "disagreement"})).json()
    (item,) = disputed["items"]
    assert (disputed["total"], item["consensus"][0]["value"], item["confidence"]) == (1, None, 0.0)
    decision = f"{task}/items/{item['item_id']}/decision"
    assert_problem(await api.put(decision, json={"labels": {"label": "no"}}), 422, "labels.label")
    decided = await api.put(decision, json={"labels": {"label": "bad"}, "reason": "It is rude."})
    assert decided.json()["decision"]["reason"] == "It is rude."
    assert (await api.get(f"{task}/items", params={"only": "disagreement"})).json()["total"] == 0

    exported = (await api.post(f"{task}/export", json={"format": "CSV"})).json()
    assert (exported["item_count"], exported["expires_at"]) == (3, None)
    file = await api.get(exported["download_url"])
    rows = list(csv.DictReader(io.StringIO(file.text)))
    assert [(row["value"], row["decided"]) for row in rows] == [("good", "False"), ("bad", "True"), ("bad", "False")]
    whole = (await api.get(f"{task}/export", params={"format": "JSON"})).json()
    assert [len(each["labels"]) for each in whole["items"]] == [2, 2, 2]
    assert whole["schema"]["type"] == "classification"
    scores = [label["agreement_score"] for each in whole["items"] for label in each["labels"]]
    assert scores == [1.0, 1.0, 0.0, 0.0, 1.0, 1.0]
    rate = (await api.get(f"{PATH}/annotators/{ada.id}")).json()["agreement_rate"]
    assert rate == pytest.approx(2 / 3)
    assert (await api.delete(decision)).status_code == 204
    assert (await api.post(f"{task}/export", json={})).json()["item_count"] == 2


async def test_consensus_becomes_ground_truth_of_a_new_version(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 3, sampling_config={"sample_size": 2})
    for name in ("Ada", "Bob"):
        each = await person(api, task, name)
        item = await each.next()
        while item is not None:
            item = (await each.label(item["item_id"], "good"))["next"]
    made = await api.post(f"{task}/dataset-version", json={"publish": True})
    assert made.status_code == 201, made.text
    version = made.json()
    assert (version["version_number"], version["status"], version["row_count"]) == (2, "PUBLISHED", 3)
    assert "2 of 3 cases" in version["description"]
    cases = (await api.get(f"{made.headers['location']}/cases")).json()["cases"]
    truths = [case["ground_truth"] for case in cases]
    labelled = [truth for truth in truths if truth is not None]
    assert len(labelled) == 2, "the case that nobody labelled keeps what it had"
    for truth in labelled:
        assert (truth["source"], truth["confidence"], truth["value"]) == ("HUMAN_CONSENSUS", 1.0, {"answer": "good"})
        assert task.endswith(truth["annotation_task_id"])
    assert sorted(str(case["metadata"].get("labels")) for case in cases) == ["None", *["{'label': 'good'}"] * 2]


async def test_nothing_agreed_makes_no_version(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 2)
    assert_problem(await api.post(f"{task}/dataset-version", json={}), 409)


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
        ({"sampling_config": {"strategy": "priority"}}, ["sampling_config.strategy"]),
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
    assert_problem(await api.delete(task), 409)
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


async def test_without_sign_in_the_annotator_is_named(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 1)
    assert_problem(await api.get(f"{task}/next"), 422, "annotator_id")
    nobody = "0193a000-0000-7000-8000-000000000001"
    assert_problem(await api.get(f"{task}/next", params={"annotator_id": nobody}), 404)


async def _let_leases_end(engine: Any) -> None:
    """End all leases, as if their time had passed."""
    from sqlalchemy import text

    async with engine.begin() as connection:
        await connection.execute(text("UPDATE annotation_lease SET leased_until = now() - interval '1 second'"))
