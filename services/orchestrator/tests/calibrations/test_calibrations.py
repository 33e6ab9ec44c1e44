"""Test the calibrations, which measure the judge of a run against people's labels. The labels come from an annotation
task, or from the request itself."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import httpx
import pytest
from made_runs import cases, made_run
from run_world import World
from sqlalchemy import insert, text

from llmbench.db import tables as t
from llmbench.ids import DEFAULT_ORG_ID, new_id

PATH = "/api/calibrations"
SCORES = [round((number * 7 % 11) / 10, 1) for number in range(44)]
"""The judge's scores, normalised to 0…1: each point of its scale from 0 to 10, four times."""


async def _run(world: World, scores: Sequence[float] = SCORES) -> tuple[str, list[dict[str, Any]]]:
    """Return a finished run and its items in order."""
    template = await world.start("model-a")
    await world.until_status(template, "FINISHED")
    column = await made_run(world, template, cases(scores), name="Labelled")
    run_id = column.split(":")[0]
    items = await world.items(UUID(run_id))
    return run_id, sorted(items, key=lambda item: int(item["task_id"].split("-")[1]))


def _rows(items: Sequence[Mapping[str, Any]], labels: Mapping[str, Sequence[float]]) -> list[dict[str, Any]]:
    return [
        {"item_id": item["id"], "label": given[number], "annotator": name}
        for name, given in labels.items()
        for number, item in enumerate(items)
    ]


async def _created(world: World, **body: Any) -> dict[str, Any]:
    response = await world.http.post(PATH, json=body)
    assert response.status_code == 201, response.text
    found: dict[str, Any] = response.json()
    assert response.headers["Location"] == f"{PATH}/{found['id']}"
    return found


async def _upload(world: World, name: str, content: bytes, **body: Any) -> httpx.Response:
    form = {"file": (name, content, "text/plain")}
    return await world.http.post(PATH, files=form, data={"request": json.dumps(body)})


async def _task(
    world: World,
    run_id: str,
    items: Sequence[Mapping[str, Any]],
    labels: Mapping[str, Sequence[int]],
    *,
    schema: Mapping[str, Any],
    status: str = "COMPLETED",
    audit: int = 0,
    gold: int = 0,
    pairs: bool = False,
) -> UUID:
    """Store an annotation task about `items`, as config-api does. `labels` has the labels of all items by each person.

    The first `audit` items are the task's audit slice. The last `gold` items have a label that was known before. With
    `pairs`, people compare two answers.
    """
    task_id, org = new_id(), {"org_id": DEFAULT_ORG_ID}
    source = {"run_id": run_id, "run_name": "Labelled", "targets": ["model-a"], "pairs": pairs, "named": False}
    people = {name: new_id() for name in labels}
    places = [new_id() for _ in items]
    async with world.engine.begin() as connection:
        await connection.execute(
            insert(t.annotation_task).values(
                id=task_id,
                name="Sums",
                instructions="Rate.",
                annotation_schema=schema,
                required_annotations_per_item=len(labels),
                allow_skip=True,
                show_reference=False,
                lease_s=60,
                sampling_config={},
                status=status,
                source=source,
                **org,
            )
        )
        await connection.execute(
            insert(t.annotator), [{"id": id_, "name": name, **org} for name, id_ in people.items()]
        )
        await connection.execute(
            insert(t.annotation_item),
            [
                {
                    **{"id": places[number], "task_id": task_id, "position": number, "name": f"item {number}"},
                    **{"content": {}, "run_item_id": UUID(item["id"]), "is_audit": number < audit, **org},
                    "gold": {"label": 10} if number >= len(items) - gold else None,
                }
                for number, item in enumerate(items)
            ],
        )
        await connection.execute(
            insert(t.human_annotation),
            [
                {
                    **{"id": new_id(), "task_id": task_id, "item_id": places[number], "annotator_id": people[name]},
                    **{"labels": {"label": given[number]}, "time_spent_seconds": 1, **org},
                }
                for name, given in labels.items()
                for number in range(len(items))
            ],
        )
    return task_id


RATING = {"type": "rating", "scale": {"min": 0, "max": 10}}


async def test_judge_is_measured_against_labels_that_are_sent(world: World) -> None:
    run_id, items = await _run(world)
    truth = [score * 10 for score in SCORES]
    off = [min(10.0, each + 1) for each in truth]
    found = await _created(world, run_id=run_id, labels=_rows(items, {"Ada": off, "Bo": off}))
    figures = found["figures"]
    assert (found["answers"], found["labels"], found["annotators"]) == (44, 88, 2)
    assert found["scale"] == {"levels": [float(level) for level in range(11)], "pass_mark": 5.0}
    assert found["judge"]["judge_model"] == "judge"
    assert found["judge"]["prompt_hash"], "a changed prompt is another judge"
    assert figures["people"]["kappa"]["value"] == 1.0, "both say the same"
    assert figures["judge"]["kappa"]["low"] < figures["judge"]["kappa"]["value"] < 1
    assert figures["judge"]["bias"]["value"] == pytest.approx(-40 / 44)
    assert figures["judge"]["specificity"]["value"] == 1.0
    assert figures["judge"]["sensitivity"]["value"] == pytest.approx(24 / 28), "a 5 of people is a 4 of the judge"
    assert figures["confusion"][1][0] == 4
    # The judge passes 24 of 44, all rightly, and misses 4 of the 28 that people pass.
    (transported,) = figures["transported"]
    assert transported["assumes_transport"] is True
    assert transported["raw"] == pytest.approx(24 / 44)
    assert transported["value"] == pytest.approx(28 / 44)
    assert transported["low"] < transported["value"] < transported["high"]
    assert figures["corrected"] == []
    assert {part["name"] for part in figures["by_length"]} <= {"short", "medium", "long"}
    assert [part["name"] for part in figures["by_category"]] == [items[0]["category"]]
    worst = figures["worst"][0]
    assert worst["answer"] == "42"
    assert worst["question"].startswith("Question")
    assert worst["reason"] == "The sum is right."
    assert figures["corrected"] == [], "labels that were sent are no random sample that we know of"

    page = (await world.http.get(PATH, params={"run_id": run_id})).json()
    assert [each["id"] for each in page["items"]] == [found["id"]]
    assert page["items"][0]["kappa"] == figures["judge"]["kappa"]
    assert "figures" not in page["items"][0]
    assert (await world.http.get(f"{PATH}/{found['id']}")).json() == found

    as_csv = (await world.http.get(f"{PATH}/{found['id']}/export")).text.splitlines()
    assert as_csv[0] == "item_id,case,target,epoch,annotator,label,consensus,judge,audit"
    assert len(as_csv) == 1 + 88
    as_json = (await world.http.get(f"{PATH}/{found['id']}/export", params={"format": "json"})).json()
    assert as_json["figures"] == figures
    assert len(as_json["rows"]) == 44

    renamed = await world.http.patch(f"{PATH}/{found['id']}", json={"name": "Against Ada"})
    assert (renamed.status_code, renamed.json()["name"]) == (200, "Against Ada")
    assert renamed.json()["figures"] == figures
    for wrong in ({}, {"name": ""}, {"name": "x", "labels": 3}):
        assert (await world.http.patch(f"{PATH}/{found['id']}", json=wrong)).status_code == 422
    assert (await world.http.patch(f"{PATH}/{new_id()}", json={"name": "x"})).status_code == 404

    report = (await world.http.get(f"/api/runs/{found['run_id']}/export?format=report-html")).text
    assert "agrees with people: kappa" in report
    assert (await world.http.delete(f"{PATH}/{found['id']}")).status_code == 204
    report = (await world.http.get(f"/api/runs/{found['run_id']}/export?format=report-html")).text
    assert "not measured against people" in report
    assert (await world.http.get(f"{PATH}/{found['id']}")).status_code == 404
    assert (await world.http.delete(f"{PATH}/{found['id']}")).status_code == 404


async def test_completed_task_corrects_the_figures_of_its_own_run(world: World) -> None:
    run_id, items = await _run(world)
    generous = [min(10, round(score * 10) + 2) for score in SCORES]
    labels = {"Ada": generous, "Bo": generous, "Cy": [max(0, each - 1) for each in generous]}
    task_id = await _task(
        world, run_id, items[:30], {name: each[:30] for name, each in labels.items()}, schema=RATING, audit=20
    )
    found = await _created(world, annotation_task_id=str(task_id))
    assert found["run_id"] == run_id
    assert found["source"] == {"kind": "TASK", "name": "Sums", "field": "label", "unscored": 0, "audit_items": 20}
    (corrected,) = found["corrected"]
    assert (corrected["answers"], corrected["audited"]) == (44, 20)
    rate = corrected["pass_rate"]
    assert (rate["labels"], rate["clusters"]) == (20, 20)
    assert rate["raw"] == pytest.approx(sum(score >= 0.5 for score in SCORES) / 44)
    assert rate["raw"] < rate["value"], "people are more generous than the judge"
    assert rate["low"] < rate["value"] < rate["high"]
    assert corrected["mean"]["raw"] == pytest.approx(sum(SCORES) / 44 * 10)
    assert corrected["mean"]["value"] > corrected["mean"]["raw"] + 1

    plan = (await world.http.get(f"{PATH}/{found['id']}/plan", params={"half_width": 0.2, "label_cost": 2})).json()
    assert plan["for_width"]["labels"] + plan["for_width"]["others"] == plan["answers"] == 44
    assert plan["for_width"]["effective_labels"] >= plan["for_width"]["labels"]
    narrow = (await world.http.get(f"{PATH}/{found['id']}/plan", params={"half_width": 0.001})).json()
    assert narrow["for_width"] is None
    assert "44 answers" in narrow["width_impossible_because"]
    spent = (await world.http.get(f"{PATH}/{found['id']}/plan", params={"budget": 20, "judge_cost": 0.01})).json()
    assert spent["for_budget"]["cost"] <= 20
    assert spent["for_budget"]["cost_of_people"] == spent["for_budget"]["labels"]
    assert spent["for_budget"]["cost_of_judge"] == pytest.approx(
        0.01 * (spent["for_budget"]["labels"] + spent["for_budget"]["others"])
    )

    async with world.engine.begin() as connection:
        await connection.execute(text("DELETE FROM annotation_task WHERE id = :id"), {"id": task_id})
    assert (await world.http.delete(f"/api/runs/{run_id}")).status_code == 204
    kept = (await world.http.get(f"{PATH}/{found['id']}")).json()
    assert (kept["run_id"], kept["annotation_task_id"]) == (None, None)
    assert kept["run_name"] == "Labelled"
    assert kept["figures"] == found["figures"]


async def test_judges_of_runs_say_whether_they_were_measured(world: World) -> None:
    run_id, items = await _run(world)
    other, _ = await _run(world, SCORES[:4])

    async def judges(*run_ids: str) -> list[dict[str, Any]]:
        response = await world.http.get(f"{PATH}/judges", params={"run_id": run_ids})
        assert response.status_code == 200, response.text
        found: list[dict[str, Any]] = response.json()["judges"]
        return found

    (judge,) = await judges(run_id, other, str(new_id()))
    assert (judge["judge"], judge["run_id"], judge["calibration_id"]) == ("judge", other, None)
    labels = _rows(items, {"Ada": [score * 10 for score in SCORES]})
    made = [await _created(world, run_id=run_id, labels=labels) for _ in range(2)]
    assert made[0]["judge"]["evaluator_revision_id"] == judge["evaluator_revision_id"]
    (measured,) = await judges(other)
    assert measured["calibration_id"] == made[1]["id"], "a calibration on another run measures the same judge"
    assert await judges(str(new_id())) == []
    assert (await world.http.get(f"{PATH}/judges")).status_code == 422
    many = {"run_id": [str(new_id()) for _ in range(201)]}
    assert (await world.http.get(f"{PATH}/judges", params=many)).status_code == 422


async def test_gold_answers_neither_measure_nor_are_corrected(world: World) -> None:
    run_id, items = await _run(world)
    labels = [min(10, round(score * 10) + 2) for score in SCORES]
    task_id = await _task(
        world, run_id, items[:30], {"Ada": labels[:30], "Bo": labels[:30]}, schema=RATING, audit=20, gold=4
    )
    found = await _created(world, annotation_task_id=str(task_id))
    assert found["answers"] == 26
    (corrected,) = found["corrected"]
    assert (corrected["answers"], corrected["audited"]) == (40, 20)
    drawn_from = [*SCORES[:26], *SCORES[30:]]
    assert corrected["pass_rate"]["raw"] == pytest.approx(sum(score >= 0.5 for score in drawn_from) / 40)


async def test_words_pass_or_fail_and_decisions_stand_above_labels(world: World) -> None:
    run_id, items = await _run(world)
    schema = {"type": "classification", "options": [{"value": "pass"}, {"value": "fail"}]}
    words = ["pass" if score >= 0.5 else "fail" for score in SCORES]
    task_id = await _task(world, run_id, items, {"Ada": words, "Bo": words}, schema=schema)  # type: ignore[dict-item]
    async with world.engine.begin() as connection:
        decide = (
            'UPDATE annotation_item SET decision = \'{"label": "pass"}\', decided_at = now()'
            " WHERE task_id = :id AND position = (SELECT min(position) FROM annotation_item WHERE task_id = :id)"
        )
        await connection.execute(text(decide), {"id": task_id})
    found = await _created(world, annotation_task_id=str(task_id), name="By words")
    assert found["name"] == "By words"
    assert found["scale"] == {"levels": [0.0, 1.0], "pass_mark": 1.0}
    judge = found["figures"]["judge"]
    assert judge["specificity"]["value"] == 1.0
    assert judge["exact"]["value"] == pytest.approx(43 / 44), "the judge failed the answer that was decided to pass"


async def test_measures_without_spread_and_a_single_annotator_say_why(world: World) -> None:
    run_id, items = await _run(world)
    found = await _created(world, run_id=run_id, labels=_rows(items, {"Ada": [7.0] * 44}))
    figures = found["figures"]
    assert figures["judge"]["spearman"]["value"] is None
    assert "equal" in figures["judge"]["spearman"]["undefined_because"]
    assert figures["transported"][0]["value"] is None
    assert figures["transported"][0]["undefined_because"] == "people passed all of them"
    assert figures["people"]["kappa"]["undefined_because"] == "no answer has the labels of two people"
    assert figures["alpha_of_people"]["value"] is None
    plan = (await world.http.get(f"{PATH}/{found['id']}/plan")).json()
    assert plan["for_width"] is None
    assert "same value" in plan["width_impossible_because"]


async def test_file_of_labels_names_answers_by_their_case(world: World) -> None:
    run_id, items = await _run(world)
    lines = ["case;label;annotator", *(f"{item['task_id']};{number % 11};=Eve" for number, item in enumerate(items))]
    response = await _upload(world, "labels.csv", "\n".join(lines).encode(), run_id=run_id)
    assert response.status_code == 201, response.text
    assert response.json()["source"]["name"] == "labels.csv"
    export = await world.http.get(f"{PATH}/{response.json()['id']}/export")
    assert "'=Eve" in export.text, "a spreadsheet must not run the name"
    rows = [json.dumps({"item_id": item["id"], "label": 3}) for item in items]
    again = await _upload(world, "labels.jsonl", "\n".join(rows).encode(), run_id=run_id)
    assert again.status_code == 201, again.text
    first = (await world.http.get(PATH, params={"limit": 1})).json()
    assert first["items"][0]["id"] == again.json()["id"], "the newest is first"
    rest = (await world.http.get(PATH, params={"limit": 1, "cursor": first["next_cursor"]})).json()
    assert [each["id"] for each in rest["items"]] == [response.json()["id"]]


async def test_bad_rows_are_listed_with_their_lines(world: World) -> None:
    run_id, items = await _run(world)
    stranger = new_id()
    rows: list[tuple[str, str]] = [
        (json.dumps({"item_id": str(stranger), "label": 3}), "is no item of the run"),
        (json.dumps({"item_id": items[0]["id"], "label": 11}), "must be from 0 to 10"),
        (json.dumps({"case": "<script>alert(1)</script>", "label": 1}), "is no case of the run"),
        ('{"item_id": "' + items[0]["id"] + '", "label": NaN}', ""),
        (json.dumps({"item_id": items[1]["id"], "label": "lovely"}), "must be a number"),
        (json.dumps({"item_id": items[1]["id"]}), "is missing"),
        (json.dumps({"label": 1}), "name the answer"),
        (json.dumps({"item_id": items[4]["id"], "label": "pass"}), "for words, set `scale` to 0 and 1"),
        (json.dumps({"item_id": items[5]["id"], "label": True}), "for words, set `scale` to 0 and 1"),
        (json.dumps({"item_id": "first", "label": 1}), "must be an id"),
        (json.dumps({"case": "task-1", "epoch": "two", "label": 1}), "must be a whole number"),
        (json.dumps({"item_id": items[1]["id"], "label": 1, "annotator": "a\0b"}), "NUL"),
        ("[1]", "is not an object"),
        (json.dumps({"item_id": items[2]["id"], "label": 1, "score": 2}), "is not read"),
    ]
    good = json.dumps({"item_id": items[3]["id"], "label": 4})
    content = "\n".join([good, *(row for row, _ in rows), good]).encode()
    response = await _upload(world, "labels.jsonl", content, run_id=run_id)
    assert response.status_code == 422, response.text
    bad = {each["line"]: each["message"] for each in response.json()["bad_rows"]}
    assert sorted(bad) == list(range(2, len(rows) + 3)), response.text
    for line, (_, message) in enumerate(rows, start=2):
        assert message in bad[line]
    assert "twice" in bad[len(rows) + 2]
    assert (await world.http.get(PATH)).json()["items"] == []


async def test_hostile_requests_are_refused_with_what_to_do(world: World) -> None:
    run_id, items = await _run(world)
    label = {"item_id": items[0]["id"], "label": 3}
    for body, status, words in (
        ({}, 422, "one of the three"),
        ({"labels": [label]}, 422, "run_id"),
        ({"run_id": str(new_id()), "labels": [label]}, 404, "no run"),
        ({"annotation_task_id": str(new_id())}, 404, "no annotation task"),
        ({"run_id": run_id, "labels": []}, 422, "labels"),
        ({"run_id": run_id, "labels": [label | {"annotator": "a\0"}]}, 422, "NUL"),
        ({"run_id": run_id, "labels": [label], "pass_mark": 0}, 422, "above 0"),
        ({"run_id": run_id, "labels": [label], "scale": {"min": 5, "max": 5}}, 422, "max must be above min"),
        ({"run_id": run_id, "labels": [label], "evaluator_revision_id": str(new_id())}, 422, "no evaluator of the run"),
        ({"run_id": run_id, "labels": [label], "nonsense": 1}, 422, "nonsense"),
    ):
        response = await world.http.post(PATH, json=body)
        assert response.status_code == status, response.text
        assert words in response.text
    infinite = json.dumps({"run_id": run_id, "labels": [label | {"label": float("inf")}]})
    headers = {"content-type": "application/json"}
    assert (await world.http.post(PATH, content=infinite, headers=headers)).status_code == 422
    for name, content, status in (
        ("labels.html", b"<html><script>alert(1)</script></html>", 422),
        ("labels.csv", b"<html><script>alert(1)</script></html>", 422),
        ("labels.csv", b"\xff\xfe\x00", 422),
        ("labels.csv", b"", 422),
        ("labels.csv", b"item_id,label\n" + b"x" * (5 * 1024 * 1024), 413),
    ):
        response = await _upload(world, name, content, run_id=run_id)
        assert response.status_code == status, response.text
    assert (await world.http.get(f"{PATH}/{new_id()}/plan")).status_code == 404
    assert (await world.http.get(f"{PATH}/{new_id()}/export")).status_code == 404


async def test_tasks_that_cannot_be_compared_are_refused(world: World) -> None:
    run_id, items = await _run(world)
    some = items[:12]
    labels = {"Ada": [number % 11 for number in range(12)]}
    active = await _task(world, run_id, some, labels, schema=RATING, status="ACTIVE")
    response = await world.http.post(PATH, json={"annotation_task_id": str(active)})
    assert response.status_code == 409
    assert "Complete it first" in response.text
    pairs = await _task(world, run_id, some, {"Bo": labels["Ada"]}, schema=RATING, pairs=True)
    response = await world.http.post(PATH, json={"annotation_task_id": str(pairs)})
    assert (response.status_code, "pairs of answers" in response.text) == (422, True)
    written = await _task(world, run_id, some, {"Cy": labels["Ada"]}, schema={"type": "text"})
    response = await world.http.post(PATH, json={"annotation_task_id": str(written)})
    assert (response.status_code, "no rating and no classification" in response.text) == (422, True)
    moods = {"type": "classification", "options": [{"value": "sunny"}, {"value": "grey"}]}
    strange = await _task(world, run_id, some, {"Di": labels["Ada"]}, schema=moods)
    response = await world.http.post(PATH, json={"annotation_task_id": str(strange)})
    assert (response.status_code, "'sunny' has none" in response.text) == (422, True)
    other = await world.http.post(PATH, json={"annotation_task_id": str(strange), "run_id": str(new_id())})
    assert (other.status_code, "another run" in other.text) == (422, True)
