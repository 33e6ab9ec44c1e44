"""Test that every format writes its example, can be read back, and streams the filtered items."""

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet
import pytest
from jsonschema import Draft202012Validator
from made_runs import Target, cases, made_run, made_targets
from run_world import World, answered
from sqlalchemy import text

from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.outcome import Outcome, Rejected
from llmbench.contracts.run_words import RunPhase, RunStatus
from orchestrator.results.exports.base import ExportFormat, formats
from orchestrator.results.exports.samples import LINES, RESULTS, RUBRIC, RUN, Given
from orchestrator.results.ports.figure_schemas import Interval

NASTY = '=cmd|"/c calc"!A1,\x00\x1b[31m\n</system-out>\ud800'


EACH = pytest.mark.parametrize("format_", formats().values(), ids=lambda format_: format_.name)
DOCS = Path(__file__).parents[4] / "docs"
SCHEMAS = DOCS / "schemas"
PAGE = DOCS / "generated" / "exports.md"


def documents(format_: ExportFormat, written: str) -> list[Any]:
    """Return the JSON documents of an export: one per line of a JSONL file, else the entire file."""
    parts = written.splitlines() if format_.extension == "jsonl" else [written]
    return [json.loads(part) for part in parts]


def validated(format_: ExportFormat, written: str) -> list[Any]:
    schema = json.loads((SCHEMAS / f"{format_.json_schema}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    found = documents(format_, written)
    for document in found:
        Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(document)
    return found


@EACH
async def test_format_writes_the_example_of_the_documentation(format_: ExportFormat) -> None:
    written = format_.shown(b"".join([chunk async for chunk in format_.write(RUN, Given(LINES))]))
    *_, section = PAGE.read_text("utf-8").partition(f"\n## {format_.title}\n")
    *_, example = section.partition("\n## ")[0].partition("```text\n")
    assert example.rpartition("```")[0].splitlines() == written.splitlines()
    if format_.json_schema:
        validated(format_, written)


async def test_csv_lines_end_with_carriage_return_and_line_feed() -> None:
    """Every line of a CSV export must end with CR LF. The test compares bytes, because the generated page of examples
    cannot show line endings."""
    written = b"".join([chunk async for chunk in formats()["csv"].write(RUN, Given(LINES))])
    assert written.count(b"\r\n") == 1 + len(LINES)


@EACH
async def test_format_writes_a_valid_file_without_items(format_: ExportFormat) -> None:
    written = format_.shown(b"".join([chunk async for chunk in format_.write(RUN, Given([]))]))
    if format_.json_schema:
        validated(format_, written)


def test_all_promised_export_formats_exist() -> None:
    promised = {"csv", "jsonl", "json", "junit", "parquet", "test-cases"}
    promised |= {"benchmark-record", "regression-report", "rag-run", "report-html"}
    assert promised <= set(formats())
    of_documents = {f"{one.json_schema}.schema.json" for one in formats().values() if one.json_schema}
    assert of_documents == {path.name for path in SCHEMAS.iterdir()}


class _Seen(HTMLParser):
    """Collect the elements, attributes and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


async def test_html_report_shows_hostile_texts_and_executes_none() -> None:
    hostile = "</pre><script>alert(1)</script><img src=x onerror=alert(1)> \u202e\x1b[31m"
    item = replace(
        LINES[0].item, target_label=hostile, case=LINES[0].item.case.model_copy(update={"question": hostile})
    )
    lines = [replace(LINES[0], item=item, answer=hostile)]
    run = RUN.model_copy(update={"name": hostile, "description": hostile})
    results = replace(RESULTS, targets=[RESULTS.targets[0].model_copy(update={"label": hostile})])
    page = b"".join([chunk async for chunk in formats()["report-html"].write(run, Given(lines, results))]).decode()
    seen = _Seen(page)
    assert not seen.elements & {"script", "img", "link", "iframe", "a", "form"}
    assert not seen.attributes & {"src", "href", "onerror", "onload"}
    assert "default-src 'none'" in page
    assert "\u202e" not in page
    assert "\x1b" not in page
    shown = "".join(seen.texts)
    assert shown.count("<script>alert(1)</script>") == 7  # title, heading, description, table, item, question, answer


async def test_html_report_has_the_figures_of_each_target() -> None:
    page = b"".join([chunk async for chunk in formats()["report-html"].write(RUN, Given(LINES))]).decode()
    row = page.partition('<th scope="row">small, t=0</th>')[2].partition("</tr>")[0]
    cells = re.findall(r'<td class="n">([^<]*)</td>', row)
    assert cells == ["30.0%", "none", "1 of 2", "0.0%", "1", "0.41 s", "0.41 s", "0.000120"]
    assert "selection" not in page


async def test_html_report_has_its_start_to_the_minute_and_a_readable_cost() -> None:
    run = RUN.model_copy(update={"cost_usd": 0.081112, "unpriced_calls": 2})
    page = b"".join([chunk async for chunk in formats()["report-html"].write(run, Given(LINES))]).decode()
    assert re.search(r"started \d{4}-\d\d-\d\d \d\d:\d\d UTC ·", page)
    assert "cost $0.081, and 2 calls without a price" in page


async def test_html_report_ranks_targets_as_the_page_of_the_run_does() -> None:
    [small] = RESULTS.targets
    change = {"label": "large", "mean_score": 0.8, "mean_score_interval": Interval(low=0.7, high=0.9), "scored": 2}
    near = {"mean_score": 0.6, "mean_score_interval": Interval(low=0.5, high=0.71), "scored": 2}
    results = replace(RESULTS, targets=[small.model_copy(update=near), small.model_copy(update=change)], is_whole=False)
    page = b"".join([chunk async for chunk in formats()["report-html"].write(RUN, Given(LINES, results))]).decode()
    assert "Not separable: the interval of large overlaps with that of small, t=0." in page
    assert page.index('<th scope="row">large') < page.index('<th scope="row">small')
    assert "70.0 to 90.0" in page
    assert "These answers are a selection." in page
    running = RUN.model_copy(update={"status": RunStatus.RUNNING})
    page = b"".join([chunk async for chunk in formats()["report-html"].write(running, Given(LINES, results))]).decode()
    assert "Not separable" not in page, "a look at a running test is no verdict"


async def export(world: World, run_id: object, **params: str) -> str:
    response = await world.http.get(f"/api/runs/{run_id}/export", params=params)
    assert response.status_code == 200, response.text
    return response.text


async def test_html_report_has_the_worst_answers_first(world: World) -> None:
    template = await world.start("model-a")
    await world.until_status(template, "FINISHED")
    column = await made_run(world, template, cases([0.9, 0.1, "unavailable", 0.5]), name="Mixed")
    run_id = column.partition(":")[0]
    async with world.engine.begin() as connection:
        overall = (
            "UPDATE item SET score_normalised = normalised FROM score WHERE item_id = item.id AND item.run_id = :run"
        )
        await connection.execute(text(overall), {"run": run_id})
    page = await export(world, run_id, format="report-html")
    states = re.findall(r'<p class="small [^"]*">([^<]*)</p>', page.partition("<h2>Answers</h2>")[2])
    assert [re.sub(r".*score ([0-9.]+)%.*", r"\1", state) for state in states][1:] == ["10.0", "50.0", "90.0"]
    assert "failed" in states[0]


async def test_html_report_compares_the_targets_case_by_case(world: World) -> None:
    template = await world.start("model-a")
    await world.until_status(template, "FINISHED")
    scores = {"good": [0.9, 0.8] * 20, "even": [0.8, 0.9] * 20, "poor": [0.3, 0.2] * 20}
    targets = [Target(cases(values), {"label": label}) for label, values in scores.items()]
    run_id = (await made_targets(world, template, targets, name="Three"))[0].partition(":")[0]
    page = await export(world, run_id, format="report-html")
    assert re.findall(r'<p class="lead">(.*?)</p>', page) == [
        "good and even share the highest mean. Case by case against good, poor is worse; even is not separable from it."
    ]


async def test_supported_questions_become_test_cases() -> None:
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

    source = Given([line, LINES[1], line])
    written = b"".join([chunk async for chunk in formats()["test-cases"].write(run, source)]).decode()
    cases = [json.loads(line) for line in written.splitlines()]
    # A second model or epoch continues the numbering of the conversations.
    assert [case["id"] for case in cases] == [f"hr-0001.{part}" for part in ("1.1", "1.2", "2.1", "3.1", "3.2", "4.1")]
    assert cases[1] == {
        "id": "hr-0001.1.2",
        "prompt": "Q2?",
        "context": "The extract.",
        "conversation_id": "hr-0001.1",
        "turn": 2,
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
    assert (cases[0]["metadata"]["page"], cases[0]["turn"]) == (7, 1)


async def test_every_format_can_be_read_back(world: World) -> None:
    async def nasty(_: GenerateCompletion) -> Outcome:
        return answered(NASTY.replace("\x00", "").replace("\ud800", ""))

    world.answer = nasty
    run_id = await world.start("model-a", "model-b", name="Nasty / names")
    await world.until_status(run_id, "FINISHED")
    rows = list(csv.DictReader(io.StringIO(await export(world, run_id, format="csv"), newline="")))
    records = [json.loads(line) for line in (await export(world, run_id, format="jsonl")).splitlines()]
    document = json.loads(await export(world, run_id, format="json"))
    suites = ElementTree.fromstring(await export(world, run_id, format="junit"))  # the platform's own output
    parquet = await world.http.get(f"/api/runs/{run_id}/export", params={"format": "parquet"})
    table = pyarrow.parquet.read_table(io.BytesIO(parquet.content)).to_pylist()
    assert len(rows) == len(records) == len(document["items"]) == len(list(suites.iter("testcase"))) == len(table) == 6
    assert (table[0]["answer"], table[0]["scores"][0]["raw"]) == (records[0]["answer"], 9)
    assert rows[0]["answer"].startswith("'=cmd")
    assert records[0]["answer"].startswith("=cmd")
    assert records[0]["case"]["question"] == "What is 0 + 1?"
    assert document["run"]["id"] == str(run_id)
    assert [suite.get("name") for suite in suites] == ["model-a", "model-b"]


async def test_export_contains_only_the_filtered_items(world: World) -> None:
    run_id = await world.start("model-a", "model-b")
    await world.until_status(run_id, "FINISHED")
    chosen = await export(world, run_id, format="jsonl", model="model-b", q="What is 1")
    (record,) = [json.loads(line) for line in chosen.splitlines()]
    assert (record["model"], record["task_id"]) == ("model-b", "task-1")
    assert await export(world, run_id, format="jsonl", status="FAILED") == ""
    response = await world.http.get(f"/api/runs/{run_id}/export", params={"status": "FAILED", "model": "model-b"})
    assert response.headers["content-disposition"].endswith('_failed_model-b.csv"')


async def test_unknown_format_is_refused_with_a_list_of_the_known_ones(world: World) -> None:
    run_id = await world.start()
    response = await world.http.get(f"/api/runs/{run_id}/export", params={"format": "xls"})
    assert response.status_code == 422
    assert "csv, json, jsonl, junit" in response.json()["detail"]
    await world.until_status(run_id, "FINISHED")


async def test_reports_of_a_real_run_conform_to_their_schemas(world: World) -> None:
    """The reports conform to their schemas although some answers are missing. The run has two targets of one model with
    different labels, and a target whose model does not exist."""

    async def some(command: GenerateCompletion) -> Outcome:
        if command.request.model == "model-b":
            return Rejected(message="no such model", http_status=404, cause="not_found")
        return answered("42")

    world.answer = some
    targets = [
        {"provider_id": str(world.provider_id), "model": model, "label": label, "params": {"temperature": temperature}}
        for model, label, temperature in (("model-a", "cool", 0), ("model-a", "warm", 1), ("model-b", "down", 0))
    ]
    run_id = await world.start(targets=targets, name="Sums")
    run = await world.until_status(run_id, "FINISHED")
    ids = {target["label"]: target["id"] for target in run["targets"]}

    record = validated(formats()["benchmark-record"], await export(world, run_id, format="benchmark-record"))
    assert [line["type"] for line in record] == ["metadata", *["result"] * 9, "summary"]
    first, last, summary = (record[place]["data"] for place in (1, 9, 10))
    assert first["provider_config"] == {
        "provider": "Mock",
        "model": "model-a (cool)",
        "model_params": {"temperature": 0.0},
    }
    assert (first["sample"]["model"], first["sample"]["url"]) == ("model-a", "http://mock/v1/chat/completions")
    assert first["sample"]["input"] == [{"role": "user", "content": "What is 0 + 1?"}]
    assert first["summary"] == {"total_metrics": 1, "passed_metrics": 1, "avg_score": 0.9, "pass_rate": 1.0}
    assert (last["sample"]["output"]["content"], last["metrics"][0]["score"]) == (None, None)
    assert "no such model" in last["metrics"][0]["reason"]
    assert (summary["total_samples"], summary["total_providers"]) == (3, 3)
    assert summary["provider_summaries"]["Mock/model-a (warm)"]["avg_latency_ms"] == 10
    assert summary["provider_summaries"]["Mock/model-b"]["avg_latency_ms"] is None
    assert summary["metric_comparisons"]["rubric"] == {"best_provider": None, "worst_provider": None, "spread": 0}

    refused = await world.http.get(f"/api/runs/{run_id}/export", params={"format": "regression-report"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "target_id")
    for label, status, performance in (("warm", "PASS", 10), ("down", "ERROR", None)):
        chosen = {"format": "regression-report", "target_id": ids[label]}
        (report,) = validated(formats()["regression-report"], await export(world, run_id, **chosen))
        assert {result["accuracy_status"] for result in report["results"]} == {status}
        assert (report["summary"]["total_questions"], report["performance"]["p95"]) == (3, performance)
        assert (report["api_url"], report["config"]["target"]) == ("http://mock/v1/chat/completions", label)

    (rag,) = validated(formats()["rag-run"], await export(world, run_id, format="rag-run"))
    assert (rag["status"], rag["model_names"], len(rag["results"])) == ("partial", ["cool", "warm", "down"], 9)
    chosen_only = await export(world, run_id, format="benchmark-record", target_id=ids["warm"], task_id="task-1")
    assert len(validated(formats()["benchmark-record"], chosen_only)) == 3


async def test_benchmark_record_names_the_baseline_and_the_sample(world: World) -> None:
    baseline = await world.start()
    await world.until_status(baseline, "FINISHED")
    later = await world.start(baseline_run_id=str(baseline), sample={"size": 2, "seed": 5})
    await world.until_status(later, "FINISHED")
    records = [
        validated(formats()["benchmark-record"], await export(world, run_id, format="benchmark-record"))[0]["data"]
        for run_id in (baseline, later)
    ]
    assert [record["base_eval_run"] for record in records] == [str(baseline)] * 2
    assert "case_sample" not in records[0]
    assert (records[1]["case_sample"]["taken"], records[1]["case_sample"]["of"]) == (2, 3)


@pytest.mark.parametrize(("kind", "own"), [("refused", True), ("malformed", True), ("timed_out", False)])
async def test_model_failure_is_a_failed_test_and_other_failures_are_errors(kind: str, own: bool) -> None:
    failure = ItemFailure(phase=RunPhase.BENCHMARKING, kind=kind, message="No.", retryable=True)
    line = replace(LINES[1], item=replace(LINES[1].item, failure=failure))

    async def written(format_: ExportFormat) -> str:
        return b"".join([chunk async for chunk in format_.write(RUN, Given([line]))]).decode()

    assert (f'<failure type="{kind}" message="No."/>' in await written(formats()["junit"])) is own
    (result,) = json.loads(await written(formats()["regression-report"]))["results"]
    assert (result["accuracy_status"], result["accuracy_score"]) == ("FAIL" if own else "ERROR", 0)
    assert result["error_message"] == f"{kind}: No."


async def test_export_formats_are_listed_with_title_and_description(world: World) -> None:
    response = await world.http.get("/api/export-formats")
    assert response.status_code == 200, response.text
    listed = {item["name"]: item for item in response.json()["items"]}
    assert set(listed) == set(formats())
    for one in listed.values():
        assert one["title"]
        assert re.fullmatch(r"[A-Z].{10,90}\.", one["description"])
    assert list(listed)[:5] == ["csv", "json", "jsonl", "junit", "parquet"]
    assert [name for name, one in listed.items() if one["one_target"]] == ["regression-report"]
    assert {name: one["evaluator"] for name, one in listed.items() if one["evaluator"]} == {
        "test-cases": "grounded_questions"
    }
