"""Every format writes its example, reads back, and streams what the filter chooses."""

import csv
import io
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from run_world import World, answered

from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.outcome import Outcome
from orchestrator.exports.base import ExportFormat, formats
from orchestrator.exports.samples import LINES, RUBRIC, RUN
from orchestrator.ports.queries import ExportLine

NASTY = '=cmd|"/c calc"!A1,\x00\x1b[31m\n</system-out>\ud800'


async def the_lines() -> AsyncIterator[ExportLine]:
    for line in LINES:
        yield line


@pytest.mark.parametrize("format_", formats().values(), ids=lambda format_: format_.name)
async def test_each_format_writes_its_example(format_: ExportFormat) -> None:
    written = b"".join([chunk async for chunk in format_.write(RUN, the_lines())]).decode()
    assert written == format_.example


def test_there_are_the_promised_formats() -> None:
    assert {"csv", "jsonl", "json", "junit", "test-cases"} <= set(formats())


async def export(world: World, run_id: object, **params: str) -> str:
    response = await world.http.get(f"/api/runs/{run_id}/export", params=params)
    assert response.status_code == 200, response.text
    return response.text


async def test_questions_that_hold_become_test_cases() -> None:
    turns = [
        {"question": f"Q{number}?", "ground_truth": f"A{number}", "passage": f"P{number}", "page": page}
        for number, page in ((1, 7), (2, None))
    ]
    details = {"accepted": [{"turns": turns}, {"turns": turns[:1]}], "refused": [{"number": 3, "reason": "r"}]}
    chunk = {"task_id": "hr-0001", "context": "The extract.", "metadata": {"document": "HR.pdf", "document_id": "d"}}
    line = replace(
        LINES[0],
        item=replace(LINES[0].item, case=LINES[0].item.case.model_copy(update=chunk)),
        scores=[LINES[0].scores[0].model_copy(update={"evaluator": "grounded_questions", "details": details})],
    )
    run = RUN.model_copy(
        update={"evaluators": [RUBRIC.model_copy(update={"name": "grounded_questions", "kind": "grounded_questions"})]}
    )

    async def lines() -> AsyncIterator[ExportLine]:
        yield line
        yield LINES[1]
        yield line

    written = b"".join([chunk async for chunk in formats()["test-cases"].write(run, lines())]).decode()
    cases = [json.loads(one) for one in written.splitlines()]
    # A second model, or epoch, counts on.
    assert [case["id"] for case in cases] == [f"hr-0001.{part}" for part in ("1.1", "1.2", "2.1", "3.1", "3.2", "4.1")]
    assert cases[1] == {
        "id": "hr-0001.1.2",
        "prompt": "Q2?",
        "context": "The extract.",
        "conversation": [{"role": "user", "content": "Q1?"}, {"role": "assistant", "content": "A1"}],
        "expected_output": "A2",
        "ground_truth": {"answer": "A2", "citations": ["HR.pdf"], "source": "AUTOMATED"},
        "metadata": {
            "category": "arithmetic",
            "document": "HR.pdf",
            "document_id": "d",
            "passage": "P2",
            "conversation_id": "hr-0001.1",
            "turn": 2,
            "generator": "small, t=0",
        },
    }
    assert (cases[0]["metadata"]["page"], "conversation" in cases[0]) == (7, False)


async def test_every_format_reads_back(world: World) -> None:
    async def nasty(_: GenerateCompletion) -> Outcome:
        return answered(NASTY.replace("\x00", "").replace("\ud800", ""))

    world.answer = nasty
    run_id = await world.start("model-a", "model-b", name="Nasty / names")
    await world.until_status(run_id, "FINISHED")
    rows = list(csv.DictReader(io.StringIO(await export(world, run_id, format="csv"), newline="")))
    records = [json.loads(line) for line in (await export(world, run_id, format="jsonl")).splitlines()]
    document = json.loads(await export(world, run_id, format="json"))
    suites = ElementTree.fromstring(await export(world, run_id, format="junit"))  # our own output
    assert len(rows) == len(records) == len(document["items"]) == len(list(suites.iter("testcase"))) == 6
    assert rows[0]["answer"].startswith("'=cmd")
    assert records[0]["answer"].startswith("=cmd")
    assert records[0]["case"]["question"] == "What is 0 + 1?"
    assert document["run"]["id"] == str(run_id)
    assert [suite.get("name") for suite in suites] == ["model-a", "model-b"]


async def test_an_export_is_what_the_filter_chooses(world: World) -> None:
    run_id = await world.start("model-a", "model-b")
    await world.until_status(run_id, "FINISHED")
    chosen = await export(world, run_id, format="jsonl", model="model-b", q="What is 1")
    (record,) = [json.loads(line) for line in chosen.splitlines()]
    assert (record["model"], record["task_id"]) == ("model-b", "task-1")
    assert await export(world, run_id, format="jsonl", status="FAILED") == ""


async def test_an_unknown_format_is_named_with_those_there_are(world: World) -> None:
    run_id = await world.start()
    response = await world.http.get(f"/api/runs/{run_id}/export", params={"format": "xls"})
    assert response.status_code == 422
    assert "csv, json, jsonl, junit, test-cases" in response.json()["detail"]
    await world.until_status(run_id, "FINISHED")
