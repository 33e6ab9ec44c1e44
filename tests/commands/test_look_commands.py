"""Test `llmbench watch`, `list`, `show`, `export`, `retry`, `delete` on a real platform."""

import csv
import io
import json
import os
from datetime import datetime
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from tests.commands.conftest import WriteFile
from tests.commands.process import Llmbench, until_line
from tests.platform import Platform

pytestmark = pytest.mark.asyncio(loop_scope="module")
# If a terminal interpreted this name, it would clear the screen, set the title and reverse the text.
HOSTILE = "Nasty \x1b[2J\x1b]0;pwned\x07 \u202egnirts [red]"


@pytest.mark.never_rerun
async def test_watch_continues_after_a_restart_of_the_platform(llmbench: Llmbench, stack: Platform) -> None:
    model = "mock-0ms-restarted"
    # The provider answers the warm-up and two items, and holds the rest, so that the run cannot end.
    await stack.control(model=model, hold=3)
    run_id = await stack.start_run(model, epochs=6)
    process = await llmbench.begin("watch", run_id, "--json")
    await until_line(process, "Answering")
    await stack.services["gateway-ws"].kill()
    await until_line(process, "does not answer")
    await stack.services["orchestrator"].kill()
    await stack.services["orchestrator"].start()
    await stack.services["gateway-ws"].start()
    await until_line(process, "answers again")
    await stack.control(model=model, hold=None)
    out, err = await process.communicate()
    assert process.returncode == 0, err
    assert json.loads(out)["outcome"] == "complete"


async def test_watch_waits_for_a_run_that_the_user_paused(llmbench: Llmbench, stack: Platform) -> None:
    run_id = await stack.start_run("mock-2s-paused", epochs=6)
    process = await llmbench.begin("watch", run_id)
    await until_line(process, "Answering")
    await llmbench("pause", run_id)
    await until_line(process, "The run is paused")
    await stack.control(model="mock-2s-paused", latency_s=0)
    await llmbench("resume", run_id)
    await process.communicate()
    assert process.returncode == 0


async def test_watch_does_not_wait_for_a_run_paused_at_its_cost_limit(llmbench: Llmbench, stack: Platform) -> None:
    run_id = await stack.start_run("mock-2s-dear", epochs=6)
    await llmbench("pause", run_id)
    await stack.until_status(run_id, "PAUSED")
    # The mock's models have no price, so no cost limit is ever reached. The test writes the reason as the orchestrator
    # would.
    database = await asyncpg.connect(stack.database_url)
    reason = "the cost limit of $1.00 is reached: $1.0100 spent"
    await database.execute("UPDATE run SET status_reason = $1, max_cost_usd = 1 WHERE id = $2", reason, UUID(run_id))
    await database.close()
    result = await llmbench("watch", run_id)
    assert result.code == 1
    assert f"the run is paused: {reason}" in result.err
    assert f"`llmbench resume {run_id} --max-cost-usd MORE` continues it." in result.err
    await stack.control(model="mock-2s-dear", latency_s=0)
    assert (await llmbench("resume", run_id, "--max-cost-usd", "5")).code == 0
    assert (await llmbench("watch", run_id)).code == 0
    assert (await stack.get(f"/api/runs/{run_id}"))["max_cost_usd"] == 5


async def test_watched_log_escapes_control_characters_of_answers(llmbench: Llmbench, stack: Platform) -> None:
    run_id = await stack.start_run("mock-3s-weird", epochs=6)
    process = await llmbench.begin("watch", run_id, "--log")
    await until_line(process, "Answering")
    await stack.control(model="mock-3s-weird", latency_s=0)
    out, err = await process.communicate()
    printed = (out + err).decode()
    for kind in ("answer", "judge_prompt", "verdict", "note"):
        assert f" {kind} " in printed
    assert "sum-005 · mock-3s-weird: " in printed
    assert not {c for c in printed if c < " " and c != "\n"} | (set(printed) & set("\x7f\x9b\u202e\u2066"))


async def test_control_characters_in_names_are_escaped_on_a_terminal(llmbench: Llmbench, stack: Platform) -> None:
    run_id = await stack.start_run("mock-0ms-a", name=HOSTILE, tags=["[bold]x"])
    await stack.until_status(run_id, "FINISHED")
    for arguments in (("list",), ("show", run_id), ("watch", run_id)):
        result = await llmbench(*arguments)
        assert r"Nasty \x1b[2J\x1b]0;pwned\x07 \u202egnirts [red]" in result.out
        assert not set(result.out) & {"\x1b", "\x07", "\u202e"}
    assert "#[bold]x" in (await llmbench("list")).out
    # A pipe receives the text as it is stored, a terminal gets it escaped.
    assert json.loads((await llmbench("show", run_id, "--json")).out)["name"] == HOSTILE
    assert "\u202e" not in (await llmbench.on_terminal("show", run_id, "--json")).out
    assert "\x1b]0;" not in (await llmbench.on_terminal("export", run_id, "--format", "junit")).out


async def test_run_list_is_filtered(llmbench: Llmbench, stack: Platform) -> None:
    for number in range(3):
        run_id = await stack.start_run("mock-0ms-a", name=f"Listed {number}", tags=["listed"])
        await stack.until_status(run_id, "FINISHED")
    found = json.loads((await llmbench("list", "--tag", "listed", "--status", "finished", "--json")).out)
    assert [run["name"] for run in found] == ["Listed 2", "Listed 1", "Listed 0"]
    found = json.loads((await llmbench("list", "--tag", "listed", "--limit", "1", "--json")).out)
    assert [run["name"] for run in found] == ["Listed 2"]
    sorted_ = await llmbench("list", "--tag", "listed", "--sort", "name", "--order", "asc", "--json")
    assert [run["name"] for run in json.loads(sorted_.out)] == ["Listed 0", "Listed 1", "Listed 2"]
    result = await llmbench("list", "--q", "listed 1")
    assert len(result.out.splitlines()) == 3
    assert "Listed 1 #listed" in result.out
    found = json.loads((await llmbench("list", "--tag", "listed", "--provider", stack.provider_id, "--json")).out)
    assert len(found) == 3
    assert "there is no provider 'Mock?'" in (await llmbench("list", "--provider", "Mock?")).err
    result = await llmbench("list", "--status", "paused")
    assert (result.code, result.out) == (0, "")
    assert "no run fits" in result.err


async def test_run_is_shown_with_its_figures_in_80_columns(llmbench: Llmbench, stack: Platform) -> None:
    run_id = await stack.start_run("mock-0ms-with-a-name-that-is-longer-than-most", "mock-0ms-404", name="Shown")
    await stack.until_status(run_id, "FINISHED")
    result = await Llmbench(stack.url, {"COLUMNS": "80"})("show", "Shown", "--tasks")
    assert result.code == 0, result.err
    assert max(len(line) for line in result.out.splitlines()) <= 80
    headings = ("Scores (95 % intervals)", "Speed", "Throughput (closed loop)", "Categories", "Evaluators", "Tasks")
    for words in ("Shown  partial", *headings, "Failed: 6"):
        assert words in result.out
    assert "…" not in result.out.replace("sum-002 …", "")
    assert "not found: http" in result.out
    assert "mock-0ms-404: sum-000, sum-001, sum-002 …" in result.out

    detail = json.loads((await llmbench("show", "Shown", "--tasks", "--failed", "--json")).out)
    assert len(detail["tasks"]) == len(detail["failed_items"]) == 6


async def test_exports_are_complete_files_and_never_overwrite(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    run_id = await stack.start_run("mock-0ms-a", "mock-0ms-404")
    await stack.until_status(run_id, "FINISHED")
    rows = list(csv.DictReader(io.StringIO((await llmbench("export", run_id)).out)))
    assert len(rows) == 12
    failed = await llmbench("export", run_id, "--status", "failed", "--model", "mock-0ms-404", "-f", "jsonl")
    assert len(failed.out.splitlines()) == 6

    file = tmp_path / "report.xml"
    assert (await llmbench("export", run_id, "-o", str(file))).code == 0
    assert file.read_text().startswith("<?xml")
    file.write_text("mine")
    result = await llmbench("export", run_id, "-o", str(file))
    assert (result.code, file.read_text()) == (1, "mine")
    assert "--force replaces it" in result.err
    assert (await llmbench("export", run_id, "-o", str(file), "--force")).code == 0
    assert file.read_text().startswith("<?xml")

    result = await llmbench("export", run_id, "-o", str(tmp_path / "x.csv"), "--format", "pdf")
    assert result.code == 1
    assert "there is no format 'pdf'; there is benchmark-record, csv, json, jsonl, junit, parquet" in result.err
    assert os.listdir(tmp_path) == ["report.xml"]

    listed = (await llmbench("export", "--formats")).out
    assert "junit" in listed
    assert "One test case per item, for a CI system." in listed
    assert (await llmbench("export")).code == 2


async def test_reports_are_written_where_llmbench_sql_reads_them(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    run_id = await stack.start_run("mock-0ms-a", "mock-0ms-404", name="Nightly: ../../sums")
    run = await stack.until_status(run_id, "FINISHED")
    moment = datetime.fromisoformat(run["started_at"]).strftime("%Y-%m-%d_%H-%M-%S")
    into = ("--into", str(tmp_path))

    record = tmp_path / "data" / "benchmarks" / moment / "Nightly-..-..-sums.jsonl"
    result = await llmbench("report", run_id, *into)
    assert (result.code, result.out) == (0, f"{record}\n"), result.err
    assert [json.loads(line)["type"] for line in record.read_text().splitlines()][:2] == ["metadata", "result"]
    again = await llmbench("report", run_id, *into)
    assert again.code == 1
    assert "--force replaces it" in again.err

    of_targets = await llmbench("report", run_id, "--format", "regression-report", *into)
    ends = ("mock-0ms-a", "mock-0ms-404")
    assert of_targets.out.splitlines() == [str(tmp_path / "results" / f"benchmark_{moment}_{end}.json") for end in ends]
    (rag,) = (await llmbench("report", run_id, "-f", "rag-run", "--target", "mock-0ms-a", *into)).out.splitlines()
    assert rag.endswith(f"/outputs/llm_eval/runs/{run_id}.json")
    whole = tmp_path / "outputs" / "llm_eval" / "runs" / f"{run_id}.json"
    assert len(json.loads(whole.read_text())["results"]) == 6
    assert "there is 'mock-0ms-a', 'mock-0ms-404'" in (await llmbench("report", run_id, "--target", "b", *into)).err

    data = ("--data", str(tmp_path / "data"))
    query = "SELECT model, count(*) AS answers, count(avg_score) AS scored FROM benchmarks WHERE type = 'result' "
    result = await llmbench("sql", query + "GROUP BY model ORDER BY model", "--format", "json", *data)
    assert json.loads(result.out) == [
        {"model": "mock-0ms-404", "answers": 6, "scored": 0},
        {"model": "mock-0ms-a", "answers": 6, "scored": 6},
    ], result.err
    shown = await llmbench("sql", "SELECT DISTINCT suite, ts FROM benchmarks", *data)
    assert "Nightly-..-..-sums" in shown.out
    assert moment in shown.out


async def test_judge_is_measured_named_listed_and_planned_with(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    run_id = await stack.start_run("mock-0ms-measured")
    await stack.until_status(run_id, "FINISHED")
    tasks = [item["task_id"] for item in (await stack.get(f"/api/runs/{run_id}/items", limit=100))["items"]]
    labels = tmp_path / "labels.csv"
    rows = [f"{task},{7 + number % 3},{name}" for name in ("Ada", "Bo") for number, task in enumerate(tasks)]
    labels.write_text("\n".join(["case,label,annotator", *rows]))
    for name in ("Mine", "Also"):
        made = await llmbench(
            "calibrations", "create", str(labels), "--run", run_id, "--name", name, "--pass-mark", "8"
        )
        assert made.code == 0, made.err
    shown = json.loads((await llmbench("calibrations", "show", "Mine", "--json")).out)
    assert (shown["scale"]["pass_mark"], shown["annotators"]) == (8, 2)
    renamed = await llmbench("calibrations", "rename", "Also", "Yours")
    assert (renamed.code, "Also is now Yours" in renamed.out) == (0, True), renamed.err
    listed = await llmbench("calibrations", "list", "--run", run_id, "--limit", "1")
    assert "Yours" in listed.out
    assert "Mine" not in listed.out
    assert "--limit shows more" in listed.err
    plan = ("calibrations", "plan", "Mine", "--measure", "mean", "--label-cost", "2")
    # The mock's verdicts have no price, and without a price of verdicts a budget cannot be divided.
    free = await llmbench(*plan, "--precise", "3", "--budget", "10")
    assert (free.code, "--judge-cost" in free.out) == (0, True), free.err
    planned = await llmbench(*plan, "--precise", "3", "--budget", "10", "--judge-cost", "0.5")
    assert planned.code == 0, planned.err
    assert "people " in planned.out
    assert "the budget" in planned.out
    assert (await llmbench(*plan, "--budget", "0")).code == 2
    labels.write_text("case,label\nnone-1,7\nnone-2,8\n")
    refused = await llmbench("calibrations", "create", str(labels), "--run", run_id)
    assert refused.code == 1
    assert [line.split(": ", 1)[0] for line in refused.err.splitlines()[:2]] == [f"{labels}:2", f"{labels}:3"]
    assert "2 of 2 rows are bad" in refused.err
    assert (await llmbench("calibrations", "delete", "Yours")).code == 0
    assert (await llmbench("calibrations", "show", "Yours")).code == 1


async def test_score_is_overruled_promoted_and_withdrawn(llmbench: Llmbench, stack: Platform) -> None:
    run_id = await stack.start_run("mock-0ms-overruled")
    await stack.until_status(run_id, "FINISHED")
    score, why = ("--score", "2"), ("--why", "The sum is wrong.")
    overruled = await llmbench("overrule", run_id, "sum-001", *score, *why, "--by", "Ada", "--json")
    assert overruled.code == 0, overruled.err
    (given,) = json.loads(overruled.out)["items"]
    assert (given["score"], given["reason"], given["given_name"]) == (2, "The sum is wrong.", "Ada")

    shown = (await stack.get(f"/api/runs/{run_id}"))["evaluators"]
    corrected = next(one for one in shown if one["corrects"] == given["evaluator_revision_id"])
    assert not corrected["primary"], "nothing is mixed into the judge's own figures"
    assert (await llmbench("promote", run_id, corrected["revision_id"])).code == 0
    item = next(item for item in await stack.items(run_id) if item["task_id"] == "sum-001")
    assert item["score"] == 2
    # Without `--by` the name of the login counts. The judge is overruled again, and not the score of the first person.
    again = await llmbench("overrule", run_id, item["id"], "--score", "3", *why)
    assert (again.code, "→ 3" in again.out) == (0, True), again.err
    withdrawn = await llmbench("overrule", run_id, "sum-001", "--withdraw", "--by", "Ada")
    assert (withdrawn.code, "withdrawn" in withdrawn.out) == (0, True), withdrawn.err
    history = (await stack.get(f"/api/runs/{run_id}/items/{item['id']}/overrulings"))["items"]
    assert [each["score"] for each in history] == [None, 3, 2]
    item = next(item for item in await stack.items(run_id) if item["task_id"] == "sum-001")
    assert item["score"] == given["judge_score"], "the judge's score counts again"

    for arguments, words in (
        (("sum-001", "--score", "99", *why), "10"),
        (("none", *score, *why), "no item of the task 'none'"),
        (("sum-001", "--withdraw", "--by", "Ada"), "No person's score holds"),
        (("sum-001", *score, *why, "--judge", "another"), "another"),
    ):
        refused = await llmbench("overrule", run_id, *arguments)
        assert (refused.code, len(refused.err.splitlines())) == (1, 1), refused.err
        assert words in refused.err
    assert (await llmbench("overrule", run_id, "sum-001", *score)).code == 2, "a reason is required"
    assert (await llmbench("overrule", run_id, "sum-001", *score, *why, "--withdraw")).code == 2


async def test_retry_repeats_the_failed_items(llmbench: Llmbench, run_file: WriteFile) -> None:
    # The first call is the warm-up. If it fails, the complete model group fails.
    result = await llmbench("run", run_file("mock-0ms-404first1-retried"), "--json")
    assert result.code == 1
    run_id = json.loads(result.out)["id"]
    result = await llmbench("retry", run_id, "--json")
    assert result.code == 0, result.err
    run = json.loads(result.out)
    assert (run["id"], run["outcome"], run["totals"]["completed"]) == (run_id, "complete", 6)
    result = await llmbench("retry", run_id)
    assert result.code == 1
    assert len(result.err.splitlines()) == 1


async def test_retry_with_another_judge_scores_all_answers(llmbench: Llmbench, stack: Platform) -> None:
    run_id = await stack.start_run("mock-0ms-a")
    await stack.until_status(run_id, "FINISHED")
    judge = ("--judge", "mock:mock-0ms-other-judge", "--no-check-providers")
    result = await llmbench("retry", run_id, *judge, "--all")
    assert result.code == 0, result.err
    shown = (await llmbench("show", run_id)).out
    assert "mock-0ms-other-judge (not in the figures above)" in shown
    assert "mock-0ms-judge (not in the figures above)" not in shown

    assert "--all needs --judge" in (await llmbench("retry", run_id, "--all")).err
    assert "write PROVIDER:MODEL" in (await llmbench("retry", run_id, "--judge", "gpt")).err
    assert "did you mean 'Mock'?" in (await llmbench("retry", run_id, "--judge", "Mok:gpt")).err


async def test_delete_needs_confirmation(llmbench: Llmbench, stack: Platform) -> None:
    run_id = await stack.start_run("mock-0ms-a", name="To be deleted")
    await stack.until_status(run_id, "FINISHED")
    result = await llmbench("delete", "To be deleted")
    assert result.code == 1
    assert "--yes is needed" in result.err
    assert (await llmbench("delete", "To be deleted", "--yes")).code == 0
    assert (await stack.http.get(f"/api/runs/{run_id}")).status_code == 404
    result = await llmbench("show", run_id)
    assert result.code == 1
    assert result.err == f"llmbench: There is no run {run_id}.\n"


async def test_partial_run_id_must_be_unambiguous(llmbench: Llmbench, stack: Platform) -> None:
    for _ in range(2):
        await stack.until_status(await stack.start_run("mock-0ms-alike"), "FINISHED")
    runs = (await stack.get("/api/runs"))["items"]
    common = runs[0]["id"][:4]
    result = await llmbench("show", common)
    assert result.code == 1
    assert f"'{common}' is {len(runs)} runs; name one by its id: {runs[0]['id']}" in result.err
    assert "there is no run 'abc'" in (await llmbench("show", "abc")).err


async def test_judge_that_its_provider_does_not_list_is_checked_and_shown_by_a_part_of_the_id(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"question": "1 + 1?", "answer": "3", "right": "fail"}\n')
    check = ("judge", "check", "--judge", "Mock:mock-0ms-judge", "--data", str(cases), "--repeats", "1")
    refused = await llmbench(*check)
    assert (refused.code, "has no model" in refused.err) == (1, True), refused.err
    made = await llmbench(*check, "--no-check-providers", "--json")
    assert made.code == 0, made.err
    id_ = json.loads(made.out)["id"]
    assert id_[:13] in (await llmbench("judge", "list")).out
    shown = await llmbench("judge", "show", id_[:13])
    assert (shown.code, "1 case, judged 1 time" in shown.out) == (0, True), shown.err
    unknown = await llmbench("judge", "show", "nothing")
    assert "there is no judge check 'nothing'" in unknown.err
