"""Test the checks of tasks and cases: the judge service validates each check once, when it is saved.

Valid checks are stored, shown and exported.
"""

import json
from typing import Any

import httpx
from config_api_asserting import assert_problem

PARIS: dict[str, Any] = {"kind": "contains", "params": {"texts": ["Paris"]}, "weight": 2.0, "negate": True}
SHORT: dict[str, Any] = {"kind": "latency", "params": {"max_ms": 500}}
TASK: dict[str, Any] = {"task_id": "france", "category": "capitals", "question": "France?"}
WHOLE = {
    **TASK,
    "system_prompt": "Be brief.",
    "conversation": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}],
    "accepted_answers": ["Paris", "It is Paris."],
    "metadata": {"level": 3},
    "checks": [PARIS, SHORT],
}


async def _upload(api: httpx.AsyncClient, content: str, name: str = "cases.jsonl", **query: Any) -> httpx.Response:
    dataset = (await api.post("/v1/datasets", json={"name": f"d{name}{len(content)}"})).json()["dataset_id"]
    path = f"/v1/datasets/{dataset}/versions"
    return await api.post(path, files={"file": (name, content.encode())}, params=query)


async def test_task_keeps_its_valid_checks_through_export_and_import(
    api: httpx.AsyncClient, received_checks: list[Any]
) -> None:
    made = await api.post("/api/tasks", json=WHOLE)
    assert made.status_code == 201, made.text
    task = made.json()
    assert {name: task[name] for name in WHOLE} == WHOLE
    assert received_checks == [[PARIS, SHORT]]
    for format_ in ("jsonl", "json", "yaml", "csv"):
        text = (await api.get("/api/tasks/export", params={"format": format_})).text
        again = await api.post(
            "/api/tasks/import", params={"format": format_, "on_conflict": "update"}, content=text.encode()
        )
        assert again.json()["unchanged"] == 1, (format_, again.text)


async def test_invalid_check_of_a_task_is_refused_with_its_position(
    api: httpx.AsyncClient, received_checks: list[Any]
) -> None:
    for body in ({**TASK, "checks": [SHORT, {"kind": "magic"}]}, {**TASK, "checks": [{"kind": "x", "parms": {}}]}):
        answer = await api.post("/api/tasks", json=body)
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["field"].startswith("checks.")
    assert (await api.get("/api/tasks")).json()["items"] == []


async def test_task_with_checks_is_refused_without_the_judge_service(api: httpx.AsyncClient) -> None:
    assert_problem(await api.post("/api/tasks", json={**TASK, "checks": [SHORT]}), 503)
    assert (await api.post("/api/tasks", json=TASK)).status_code == 201


async def test_import_reports_rows_with_invalid_checks_and_validates_each_check_once(
    api: httpx.AsyncClient, received_checks: list[Any]
) -> None:
    rows = [{**TASK, "task_id": f"t{n}", "checks": [SHORT, PARIS]} for n in range(600)]
    rows[3]["checks"] = [SHORT, {"kind": "magic"}]
    content = "\n".join(json.dumps(row) for row in rows)
    refused = await api.post("/api/tasks/import", params={"format": "jsonl"}, content=content)
    assert refused.status_code == 422
    assert refused.json()["bad_rows"] == [
        {"line": 4, "field": "checks.1", "message": "there is no evaluator magic"},
    ]
    assert sum(map(len, received_checks)) == 3
    some = await api.post("/api/tasks/import", params={"format": "jsonl", "skip_bad_rows": True}, content=content)
    assert (some.json()["created"], some.json()["bad_row_count"]) == (599, 1)
    assert some.json()["evaluators"] == [{"kind": "case_checks"}]


async def test_dataset_keeps_checks_in_every_format(api: httpx.AsyncClient, received_checks: list[Any]) -> None:
    case = {"id": "a", "prompt": "France?", "checks": [PARIS, SHORT]}
    version = (await _upload(api, json.dumps(case))).json()
    path = f"/v1/datasets/{version['dataset_id']}/versions/1"
    stored = (await api.get(f"{path}/cases")).json()["cases"][0]
    assert stored["checks"] == [PARIS, SHORT]
    for format_ in ("jsonl", "json", "csv", "parquet"):
        content = (await api.get(f"{path}/export", params={"format": format_})).content
        again = await api.post(
            f"/v1/datasets/{version['dataset_id']}/versions", files={"file": (f"x.{format_}", content)}
        )
        assert again.json()["content_hash"] == version["content_hash"], format_
    refused = await api.get(f"{path}/export", params={"format": "ground_truth"})
    assert refused.status_code == 422
    changed = await api.patch(f"{path}/cases/{stored['test_case_id']}", json={"checks": [{"kind": "magic"}]})
    assert_problem(changed, 422, "checks.0")
    changed = await api.patch(f"{path}/cases/{stored['test_case_id']}", json={"checks": []})
    assert changed.json()["checks"] == []


async def test_invalid_checks_of_a_dataset_are_reported_by_row(
    api: httpx.AsyncClient, received_checks: list[Any]
) -> None:
    rows = [{"prompt": "a"}, {"prompt": "b", "checks": [{"kind": "magic"}]}, {"prompt": "c", "checks": 7}]
    answer = await _upload(api, "\n".join(map(json.dumps, rows)))
    assert answer.status_code == 422
    bad = {(bad_row["line"], bad_row["field"]) for bad_row in answer.json()["bad_rows"]}
    assert (3, "checks") in bad
    assert answer.json()["bad_row_count"] == 2


async def test_published_collection_keeps_all_fields_of_its_tasks(
    api: httpx.AsyncClient, received_checks: list[Any]
) -> None:
    query = {"format": "jsonl", "collection_name": "Capitals"}
    imported = (await api.post("/api/tasks/import", params=query, content=json.dumps(WHOLE))).json()
    answer = await api.post(f"/api/collections/{imported['collection']['id']}/publish", json={})
    assert answer.status_code == 201, answer.text
    version = answer.json()
    path = f"/v1/datasets/{version['dataset_id']}/versions/{version['version_number']}/cases"
    [case] = (await api.get(path)).json()["cases"]
    assert case["checks"] == WHOLE["checks"]
    assert case["input"] == {
        "prompt": "France?",
        "system_prompt": WHOLE["system_prompt"],
        "conversation": WHOLE["conversation"],
    }
    assert case["ground_truth"]["value"] == {"acceptable_answers": WHOLE["accepted_answers"]}
    assert case["metadata"] == {"level": 3, "category": "capitals"}


async def test_loss_of_a_promptfoo_import_is_listed_once_with_its_count(
    api: httpx.AsyncClient, received_checks: list[Any]
) -> None:
    text = """
prompts: ["Capital of {{country}}?"]
defaultTest:
  assert: [{type: javascript, value: x}, {type: llm-rubric, value: Is short}]
tests:
  - {vars: {country: France}, assert: [{type: icontains, value: Paris}]}
  - {vars: {country: Italy}, assert: [{type: icontains, value: Rome}, {type: similar, value: Rome}]}
"""
    query = {"file_name": "promptfooconfig.yaml"}
    answer = (await api.post("/api/tasks/import", params=query, content=text)).json()
    assert [(note["message"], note["count"]) for note in answer["notes"]] == [
        ("not carried over: the assertion javascript", 2)
    ]
    assert answer["evaluators"] == [
        {"kind": "case_checks"},
        {"kind": "rubric", "only": {"metadata": {"promptfoo": ["rubric"]}}},
        {
            "kind": "semantic_similarity",
            "name": "similar 0.75",
            "params": {"pass_mark": 0.75},
            "only": {"metadata": {"promptfoo": ["similar 0.75"]}},
        },
    ]


async def test_version_shows_how_its_columns_were_mapped(api: httpx.AsyncClient) -> None:
    rows = [{"question": "Why?", "choices": ["x", "y"], "answer": 1}, {"question": "How?", "choices": ["z", "w"]}]
    version = (await _upload(api, "\n".join(map(json.dumps, rows)))).json()
    assert version["mapping"] == [
        {"column": "question", "field": "prompt", "by": "known"},
        {"column": "choices", "field": "metadata.choices", "by": "known"},
        {"column": "answer", "field": "expected_output", "by": "known"},
    ]
    assert version["warnings"] == ["1 of 2 rows have no ground truth."]
    mapped = (await _upload(api, "question,extra\nWhy?,So.\n", "m.csv", map=["extra=expected_output"])).json()
    assert mapped["mapping"][1] == {"column": "extra", "field": "expected_output", "by": "chosen"}
    assert mapped["warnings"] == []
    assert_problem(await _upload(api, "question\nWhy?\n", "n.csv", map=["extra=nothing"]), 422, "map")
    unknown = (await _upload(api, "question,extra\nWhy?,So.\n", "u.csv")).json()
    assert "became metadata: extra" in unknown["warnings"][0]
