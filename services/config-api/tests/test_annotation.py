"""Test `/v1/annotations` over HTTP: tasks, leases, labels, progress, decisions, exports."""

import asyncio
import csv
import io
from typing import Any

import httpx
import pytest
from annotation_world import PATH, Person, new_task, person
from config_api_asserting import assert_problem


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
        seen: list[str] = []
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
    # The draft of a person who does not hold the item is refused, and so are their labels.
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
    # A person may get no item while others hold the last ones. Those others then label them.
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
    # After two undos, nothing is left to undo.
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
    for each, values in ((ada, ("good", "good", "bad")), (bob, ("good", "bad", "bad"))):
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


async def test_work_lists_what_gives_out_items(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 2)
    ada = await person(api, task, "Ada")
    item = await ada.next()
    assert item is not None
    await ada.label(item["item_id"])
    (one,) = (await api.get(f"{PATH}/work", params={"annotator_id": ada.id})).json()["tasks"]
    assert (one["name"], one["total_items"], one["own_annotations"]) == ("Are they good?", 2, 1)
    assert (await api.get(f"{PATH}/work")).json()["tasks"][0]["own_annotations"] == 0
    assert (await api.post(f"{task}/pause")).status_code == 200
    assert (await api.get(f"{PATH}/work")).json()["tasks"] == []


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


async def test_tabs_of_one_person_hold_one_item_and_give_one_label(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 3, required_annotations_per_item=1)
    ada = await person(api, task, "Ada")
    tabs = await asyncio.gather(*(ada.next() for _ in range(4)))
    (item_id,) = {tab["item_id"] for tab in tabs if tab is not None}
    given = await asyncio.gather(*(ada.label(item_id, value) for value in ("good", "bad")))
    late = await ada.label(item_id, "bad")
    for name in ("annotation_id", "next_item_id", "surplus"):
        assert len({submitted[name] for submitted in (*given, late)}) == 1, "the later labels replace the earlier ones"
    progress = (await api.get(f"{task}/progress")).json()
    assert (progress["total_annotations"], progress["surplus"], progress["open_leases"]) == (1, 0, 1)
    old_tab = await api.put(f"{task}/items/{item_id}/draft", params={"annotator_id": ada.id}, json={"labels": {}})
    assert "Submit the labels all the same" in str(assert_problem(old_tab, 409)["detail"])


async def test_markup_is_text_wherever_people_write(api: httpx.AsyncClient) -> None:
    markup = "<img src=x onerror=alert(1)>"
    schema = {"fields": [{"name": "label", "type": "text", "title": markup, "help": markup}]}
    task = await new_task(
        api, 1, name=markup, instructions=markup, annotation_schema=schema, required_annotations_per_item=1
    )
    ada = await person(api, task, markup, expertise_tags=[markup])
    item = await ada.next()
    assert item is not None
    (question,) = item["annotation_schema"]["fields"]
    assert (item["instructions"], question["title"], question["help"]) == (markup, markup, markup)
    await ada.label(item["item_id"], f"={markup}", note=markup, flagged=True, flag_reason=markup)
    answer = await api.get(f"{task}/items")
    assert answer.headers["content-type"] == "application/json"
    (label,) = answer.json()["items"][0]["labels"]
    assert (label["annotator"], label["labels"], label["note"]) == (markup, {"label": f"={markup}"}, markup)
    file = await api.get(f"{task}/export", params={"format": "CSV"})
    assert file.headers["content-type"].startswith("text/csv")
    assert "attachment" in file.headers["content-disposition"]
    assert not any(cell.startswith("=") for row in csv.reader(io.StringIO(file.text)) for cell in row)


async def test_labelling_goes_on_when_the_version_is_deprecated(api: httpx.AsyncClient) -> None:
    task = await new_task(api, 1, required_annotations_per_item=1)
    (made,) = (await api.get("/v1/datasets")).json()["datasets"]
    ada = await person(api, task, "Ada")
    assert (await api.post(f"/v1/datasets/{made['dataset_id']}/versions/1/deprecate")).status_code == 200
    item = await ada.next()
    assert item is not None, "a task has copies of its cases"
    assert not (await ada.label(item["item_id"]))["surplus"]
