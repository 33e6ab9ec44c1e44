"""Test that files with columns of any name are recognised and mapped in the same way for tasks and for datasets, and
that a check of a file stores nothing."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from config_api_asserting import assert_problem
from dataset_world import Json, dataset, jsonl, stored_files, upload

from config_api.transfer.formats.registry import formats

QUIZ = 'Frage,answer,subject,level,notes\nWhat is 17 + 25?,42,sums,2,x\n"Capital\nof France?",Paris,,1,y\n'
MAP = ["Frage=prompt", "subject=category", "notes=ignore"]


async def _tasks(api: httpx.AsyncClient, content: str, name: str = "quiz.csv", **query: Any) -> httpx.Response:
    return await api.post("/api/tasks/import", content=content, params={"file_name": name, **query})


async def _check(api: httpx.AsyncClient, content: str | bytes, name: str = "quiz.csv", **query: Any) -> httpx.Response:
    raw = content.encode() if isinstance(content, str) else content
    return await api.post("/v1/datasets/check-file", files={"file": (name, raw)}, params=query)


async def _checked(api: httpx.AsyncClient, content: str | bytes, name: str = "quiz.csv", **query: Any) -> Json:
    answer = await _check(api, content, name, **query)
    assert answer.status_code == 200, answer.text
    result: Json = answer.json()
    return result


async def test_mapped_table_becomes_tasks(api: httpx.AsyncClient) -> None:
    result = (await _tasks(api, QUIZ, map=MAP, category="quiz", collection_name="Quiz")).json()
    assert (result["created"], result["bad_row_count"]) == (2, 0)
    assert {column["column"]: (column["field"], column["by"]) for column in result["mapping"]} == {
        "Frage": ("prompt", "chosen"),
        "answer": ("expected_output", "known"),
        "subject": ("category", "chosen"),
        "level": ("metadata.level", "other"),
        "notes": ("ignore", "chosen"),
    }
    assert result["right_answers"] == {"answers": 2, "choices": 0, "grades": 0, "citations": 0, "checks": 0, "none": 0}
    items = (await api.get("/api/tasks", params={"sort": "task_id"})).json()["items"]
    assert [(task["task_id"], task["category"], task["accepted_answers"], task["metadata"]) for task in items] == [
        ("quiz-1", "sums", ["42"], {"level": "2"}),
        ("quiz-2", "quiz", ["Paris"], {"level": "1"}),
    ]
    assert items[1]["question"] == "Capital\nof France?"


async def test_the_same_mapping_checks_a_dataset_file_and_stores_nothing(api: httpx.AsyncClient, files: Path) -> None:
    result = await _checked(api, QUIZ, map=["Frage=prompt", "subject=metadata.topic", "notes=ignore"])
    assert (result["format"], result["row_count"], result["bad_row_count"], result["bad_rows"]) == ("csv", 2, 0, [])
    assert [(case["line"], case["expected_output"], case["metadata"]) for case in result["preview"]] == [
        (2, "42", {"topic": "sums", "level": "2"}),
        (3, "Paris", {"level": "1"}),
    ]
    assert result["right_answers"]["answers"] == 2
    assert stored_files(files) == []
    assert (await api.get("/v1/datasets")).json()["total"] == 0
    path = await dataset(api)
    version = await upload(api, path, QUIZ, "quiz.csv", map=["Frage=prompt", "notes=ignore"])
    assert version.status_code == 201, version.text
    (first, _) = (await api.get(f"{path}/versions/1/cases")).json()["cases"]
    assert first["metadata"] == {"subject": "sums", "level": "2"}


async def test_check_lists_bad_rows_and_counts_the_right_answers_of_the_others(api: httpx.AsyncClient) -> None:
    rows: list[Json] = [
        {"id": "a", "prompt": "p", "options": ["x", "y"], "answer": "y"},
        {"id": "a", "prompt": "twice"},
        {"id": "b"},
        {"id": "c", "prompt": "p", "ground_truth": {"rubric": {"good": "g"}, "citations": ["s"]}},
        {"id": "d", "prompt": "p"},
    ]
    result = await _checked(api, jsonl(*rows), "rows.jsonl")
    assert (result["row_count"], result["bad_row_count"]) == (5, 2)
    assert [bad["line"] for bad in result["bad_rows"]] == [2, 3]
    assert result["right_answers"] == {"answers": 1, "choices": 1, "grades": 1, "citations": 1, "checks": 0, "none": 1}
    assert [case["name"] for case in result["preview"]] == ["a", "c", "d"]
    assert result["preview"][0]["expected_output"] == "B"


@pytest.mark.parametrize(
    ("content", "name", "query", "field"),
    [
        ("", "quiz.csv", {}, "file"),
        ("prompt\n", "quiz.csv", {}, "file"),
        ("prompt\nx\n", "quiz.txt", {}, "format"),
        ("prompt\nx\n", "quiz.csv", {"map": ["nothing=context"]}, "map"),
        ("prompt\nx\n", "quiz.csv", {"map": ["prompt=nonsense"]}, "map"),
        ("prompt,prompt\nx,y\n", "quiz.csv", {}, "file"),
        (b"prompt\n\xff\n", "quiz.csv", {}, "file"),
    ],
)
async def test_file_that_cannot_be_checked_is_refused_at_its_field(
    api: httpx.AsyncClient, content: str | bytes, name: str, query: Json, field: str
) -> None:
    assert_problem(await _check(api, content, name, **query), 422, field)


async def test_check_takes_a_form_with_nothing_but_a_file(api: httpx.AsyncClient) -> None:
    assert_problem(await api.post("/v1/datasets/check-file", content=b"x"), 415)
    extra = await api.post("/v1/datasets/check-file", files={"file": ("a.csv", b"x")}, data={"description": "d"})
    assert_problem(extra, 422, "description")


async def test_mapping_that_does_not_fit_the_tasks_is_refused(api: httpx.AsyncClient) -> None:
    for map_ in (["nothing=prompt"], ["Frage=nonsense"], ["Frage=prompt", "answer=prompt"]):
        assert_problem(await _tasks(api, QUIZ, map=map_), 422, "map")
    config = "prompts: ['{{q}}?']\ntests: [{vars: {q: a}}]\n"
    assert_problem(await _tasks(api, config, "promptfooconfig.yaml", map=["q=prompt"]), 422, "map")
    assert (await api.get("/api/tasks")).json()["items"] == []


async def test_recognised_rows_of_any_format_are_tasks_and_faults_name_line_and_column(api: httpx.AsyncClient) -> None:
    rows: list[Json] = [
        {"instruction": "Add", "input": "1 + 1", "output": "2", "context": "c", "excellent": 2},
        {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]},
        {"answer": "no question"},
        {"question": "Which?", "A": "x", "B": "y", "answer": "A", "metadata": {"k": 1}},
    ]
    result = (await _tasks(api, jsonl(*rows), "rows.jsonl", recognise=True, dry_run=True)).json()
    assert [(bad["line"], bad["field"]) for bad in result["bad_rows"]] == [(3, "prompt")]
    assert result["preview"][0]["task"] == {
        **result["preview"][0]["task"],
        "task_id": "rows-1",
        "category": "rows",
        "question": "Add\n\n1 + 1",
        "accepted_answers": ["2"],
        "excellent": "2",
        "metadata": {"context": "c"},
    }
    assert result["preview"][1]["task"]["accepted_answers"] == ["Ho"]
    assert result["preview"][2]["task"]["metadata"]["k"] == 1
    assert result["right_answers"]["choices"] == 1
    assert result["notes"] == [{"line": 1, "message": "a task has no context; it is kept as metadata", "count": 1}]


@pytest.mark.usefixtures("received_checks")
async def test_files_of_tasks_are_read_alike_with_and_without_recognition(api: httpx.AsyncClient) -> None:
    for format_ in formats().values():
        for example in format_.examples:
            query = {"format": format_.name, "skip_bad_rows": True, "dry_run": True}
            strict, recognised = [
                (await _tasks(api, example.text, example.file_name, recognise=given, **query)).json()
                for given in (False, True)
            ]
            assert recognised["preview"] == strict["preview"], example.text
