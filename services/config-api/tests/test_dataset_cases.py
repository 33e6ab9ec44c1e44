"""Test that the cases of a draft can be changed and deleted before it is published, and not afterwards."""

from uuid import uuid4

import httpx
from config_api_asserting import assert_problem
from dataset_world import Json, dataset, jsonl, numbered, upload, upload_version


async def _cases(api: httpx.AsyncClient, path: str) -> list[Json]:
    cases: list[Json] = (await api.get(f"{path}/versions/1/cases", params={"limit": 1000})).json()["cases"]
    return cases


async def _version(api: httpx.AsyncClient, path: str, number: int = 1) -> Json:
    version: Json = (await api.get(f"{path}/versions/{number}")).json()
    return version


async def test_edited_draft_equals_an_uploaded_file_with_the_same_content(api: httpx.AsyncClient) -> None:
    path = await dataset(api)
    truth = {"answer": "1", "source": "AUTOMATED"}
    first = await upload_version(api, path, jsonl(*numbered(5, ground_truth=truth, metadata={"page": 1})))
    cases = await _cases(api, path)
    url = f"{path}/versions/1/cases"
    change = {"input": {"prompt": " What? ", "context": "c"}, "expected_output": "4", "ground_truth": {"answer": "4"}}
    answer = await api.patch(f"{url}/{cases[1]['test_case_id']}", json=change)
    assert answer.status_code == 200, answer.text
    assert (answer.json()["name"], answer.json()["row_index"]) == ("case-0001", 1)
    assert answer.json()["input"] == change["input"]
    assert (answer.json()["ground_truth"]["source"], answer.json()["metadata"]) == ("IMPORTED", {"page": 1})
    named = await api.patch(f"{url}/{cases[4]['test_case_id']}", json={"name": "last", "ground_truth": None})
    assert (named.json()["name"], named.json()["ground_truth"]) == ("last", None)
    assert (await api.delete(f"{url}/{cases[0]['test_case_id']}")).status_code == 204
    gone = await api.post(f"{url}/delete", json={"test_case_ids": [cases[2]["test_case_id"], str(uuid4())]})
    assert gone.json() == {"deleted": 1, "row_count": 3}

    left = await _cases(api, path)
    assert [(case["row_index"], case["name"]) for case in left] == [(0, "case-0001"), (1, "case-0003"), (2, "last")]
    edited = await _version(api, path)
    assert (edited["row_count"], edited["content_hash"] != first["content_hash"]) == (3, True)
    export = (await api.get(f"{path}/versions/1/export")).content
    again = await upload_version(api, path, export)
    assert again["content_hash"] == edited["content_hash"]
    assert (await api.post(f"{path}/versions/1/publish")).json()["status"] == "PUBLISHED"
    assert_problem(await api.delete(f"{url}/{cases[1]['test_case_id']}"), 409)
    assert_problem(await api.patch(f"{url}/{cases[1]['test_case_id']}", json={"name": "x"}), 409)
    assert (await _version(api, path))["content_hash"] == edited["content_hash"]


async def test_invalid_change_of_a_case_is_refused(api: httpx.AsyncClient) -> None:
    path = await dataset(api)
    before = await upload_version(api, path, jsonl(*numbered(2, page=1)))
    url = f"{path}/versions/1/cases/{(await _cases(api, path))[0]['test_case_id']}"
    assert_problem(await api.patch(url, json={"input": {"prompt": " "}}), 422, "input.prompt")
    assert_problem(await api.patch(url, json={"input": {"prompt": "a\0b"}}), 422, "input.prompt")
    assert_problem(await api.patch(url, json={"metadata": {"page": "one"}}), 422, "metadata.page")
    assert_problem(await api.patch(url, json={"ground_truth": {"anwser": "x"}}), 422, "ground_truth.anwser")
    assert_problem(await api.patch(url, json={"prompt": "x"}), 422, "prompt")
    assert_problem(await api.patch(url, json={"name": "case-0001"}), 409, "name")
    other = f"{path}/versions/1/cases/{uuid4()}"
    assert_problem(await api.patch(other, json={"name": "x"}), 404)
    assert_problem(await api.delete(other), 404)
    ids = [case["test_case_id"] for case in await _cases(api, path)]
    assert_problem(await api.post(f"{path}/versions/1/cases/delete", json={"test_case_ids": ids}), 409)
    assert await _version(api, path) == before


async def test_generated_case_name_changes_with_the_prompt(api: httpx.AsyncClient) -> None:
    path = await dataset(api)
    await upload_version(api, path, jsonl({"prompt": "one"}, {"prompt": "two"}, {"prompt": "two"}))
    one, two, _ = await _cases(api, path)
    answer = await api.patch(f"{path}/versions/1/cases/{one['test_case_id']}", json={"input": {"prompt": "two"}})
    assert answer.json()["name"] == f"{two['name']}-1"
    same = await api.patch(f"{path}/versions/1/cases/{two['test_case_id']}", json={"input": {"prompt": "two"}})
    assert same.json()["name"] == two["name"]


async def test_version_without_cases_refuses_to_delete_one(api: httpx.AsyncClient) -> None:
    path = await dataset(api)
    await upload(api, path, '{"id": "x"}', keep_invalid=True)
    assert_problem(await api.delete(f"{path}/versions/1/cases/{uuid4()}"), 409)


async def test_only_the_last_turns_of_a_conversation_can_be_deleted(api: httpx.AsyncClient) -> None:
    path = await dataset(api)
    turns = [{"id": f"t{turn}", "prompt": "?", "conversation_id": "talk", "turn": turn} for turn in (1, 2, 3)]
    version = await upload_version(api, path, jsonl(*turns, {"id": "alone", "prompt": "?"}))
    ids = {case["name"]: case["test_case_id"] for case in await _cases(api, path)}
    url = f"{path}/versions/1/cases"
    problem = assert_problem(await api.delete(f"{url}/{ids['t2']}"), 409)
    assert "'talk' would have a turn 3 and 2 turns in all" in str(problem["detail"])
    assert_problem(await api.post(f"{url}/delete", json={"test_case_ids": [ids["t1"], ids["alone"]]}), 409)
    assert (await _version(api, path))["content_hash"] == version["content_hash"]
    for names, left in ((["t3"], 3), (["t1", "t2"], 1)):
        gone = await api.post(f"{url}/delete", json={"test_case_ids": [ids[name] for name in names]})
        assert gone.json()["row_count"] == left
