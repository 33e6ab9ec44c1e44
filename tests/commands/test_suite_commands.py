"""Test `llmbench suites …`: a file is applied, shown and exported, and its errors are named by line."""

import json
from pathlib import Path

import pytest

from tests.commands.process import Llmbench
from tests.platform import Platform

pytestmark = pytest.mark.asyncio(loop_scope="module")

FILE = """\
name: Nightly
description: Two tasks.
tasks:
  - name: sums
    category: arithmetic
    source: {collection: Sums}
    sample: {size: 4, seed: 7}
    epochs: 2
    evaluators:
      - {kind: contains, params: {texts: ["42"]}, pass_threshold: 1}
"""


async def test_applied_file_is_shown_exported_and_applied_again(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    file = tmp_path / "suite.yaml"
    file.write_text(FILE)
    made = await llmbench("suites", "apply", str(file), "--publish")
    assert (made.code, made.out) == (0, "✓ created: Nightly v1, 1 task, PUBLISHED\n"), made.err
    again = await llmbench("suites", "apply", str(file), "--json")
    assert json.loads(again.out)["change"] == "unchanged"

    listed = await llmbench("suites", "list")
    assert "Nightly" in listed.out
    shown = await llmbench("suites", "show", "Nightly")
    assert shown.code == 0, shown.err
    assert "contains" in shown.out
    assert "Two tasks." in shown.out
    copy = tmp_path / "copy.yaml"
    exported = await llmbench("suites", "export", "Nightly", "--output", str(copy))
    assert exported.code == 0, exported.err
    applied = await llmbench("suites", "apply", str(copy), "--json")
    assert json.loads(applied.out)["change"] == "unchanged", copy.read_text()

    file.write_text(FILE.replace("size: 4", "size: 5"))
    changed = await llmbench("suites", "apply", str(file))
    assert changed.out == "✓ new version: Nightly v2, 1 task, DRAFT\n"
    first = await llmbench("suites", "show", "Nightly", "--version", "1", "--json")
    assert json.loads(first.out)["definition"]["tasks"][0]["sample"]["size"] == 4
    missing = await llmbench("suites", "show", "Nightly", "--version", "9")
    assert (missing.code, missing.out) == (1, "")
    assert "has no version 9; the newest is 2" in missing.err
    assert "there is no suite 'None'" in (await llmbench("suites", "show", "None")).err


async def test_shipped_suites_are_added_with_their_datasets_and_run_without_a_judge(
    llmbench: Llmbench, stack: Platform
) -> None:
    names = ("everyday", "refusals", "structured-output")
    listed = await llmbench("suites", "add")
    assert [line.split("  ")[0] for line in listed.out.splitlines()] == list(names)
    for name in names:
        added = await llmbench("suites", "add", name)
        assert added.code == 0, added.err
        assert added.out.startswith("✓ created: ")
        again = json.loads((await llmbench("suites", "add", name, "--json")).out)
        assert (again["change"], again["suite"]["status"]) == ("unchanged", "PUBLISHED")
        assert 30 <= again["suite"]["total_items"] <= 60
        assert not again["suite"]["needs_judge"]
        model = {"name": "mock-0ms-a", "provider": "Mock"}
        body = {"suite_id": again["suite"]["id"], "model": model, "check_providers": False}
        run_id = (await stack.post("/v1/benchmarks/runs", body))["run_id"]
        run = await stack.until_status(run_id, "FINISHED")
        assert (run["outcome"], run["counts"]["items"]) == ("complete", again["suite"]["total_items"])
    assert "there is no shipped suite 'none'" in (await llmbench("suites", "add", "none")).err


async def test_suite_is_planned_run_and_shown_by_task(llmbench: Llmbench, stack: Platform, tmp_path: Path) -> None:
    file = tmp_path / "suite.yaml"
    file.write_text(FILE.replace("Nightly", "Planned"))
    await llmbench("suites", "apply", str(file))
    models = ("-m", "Mock:mock-0ms-a", "-m", "Mock:mock-0ms-b", "--no-check-providers")
    draft = await llmbench("suites", "run", "Planned", *models)
    assert (draft.code, draft.out) == (1, "")
    assert "there is no published suite 'Planned'" in draft.err
    await llmbench("suites", "apply", str(file), "--publish")
    plan = await llmbench("suites", "run", "Planned", *models, "--dry-run")
    assert plan.code == 0, plan.err
    assert "Planned v1: 16 answers" in plan.out
    done = await llmbench("suites", "run", "Planned", *models)
    assert done.code == 0, done.err
    assert "Planned v1, aggregation mean" in done.out
    assert "of 8/8" in done.out
    found = json.loads((await llmbench("suites", "run", "Planned", *models, "--json", "--min-score", "1")).out)
    assert found["suite"]["name"] == "Planned"
    assert found["verdict"]["exit_code"] == 100
    wrong = await llmbench("suites", "run", "Planned", "-m", "Mock")
    assert wrong.code == 2
    assert "write PROVIDER:MODEL" in wrong.err


async def test_leaderboard_shows_the_latest_run_of_each_target(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    file = tmp_path / "suite.yaml"
    file.write_text(FILE.replace("Nightly", "Ranked"))
    await llmbench("suites", "apply", str(file), "--publish")
    empty = await llmbench("suites", "leaderboard", "Ranked")
    assert (empty.code, empty.out) == (0, "")
    assert "no finished run of this suite fits" in empty.err
    models = ("-m", "Mock:mock-0ms-a", "-m", "Mock:mock-0ms-b", "--no-check-providers")
    assert (await llmbench("suites", "run", "Ranked", *models)).code == 0
    shown = await llmbench("suites", "leaderboard", "Ranked", "--category", "arithmetic", "--provider", "Mock")
    assert shown.code == 0, shown.err
    assert "Ranked v1" in shown.out
    assert "mock-0ms-a" in shown.out
    found = json.loads((await llmbench("suites", "leaderboard", "Ranked", "--json", "--version", "1")).out)
    (listed,) = found["lists"]
    assert [entry["label"] for entry in listed["entries"]] == ["mock-0ms-a", "mock-0ms-b"]
    assert [entry["items"] for entry in listed["entries"]] == [8, 8]
    later = await llmbench("suites", "leaderboard", "Ranked", "--since", "2100-01-01")
    assert "no finished run of this suite fits" in later.err
    unknown = await llmbench("suites", "leaderboard", "Unranked")
    assert (unknown.code, unknown.out) == (1, "")
    assert "There is no suite 'Unranked'" in unknown.err
    assert (
        "there is no provider 'None'" in (await llmbench("suites", "leaderboard", "Ranked", "--provider", "None")).err
    )


async def test_trends_of_a_suite_and_of_a_name_have_a_row_for_each_run(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    file = tmp_path / "suite.yaml"
    file.write_text(FILE.replace("Nightly", "Watched"))
    await llmbench("suites", "apply", str(file), "--publish")
    empty = await llmbench("trends", "--suite", "Watched")
    assert (empty.code, empty.out) == (0, "")
    assert "no finished run has the suite 'Watched'" in empty.err
    run = ("suites", "run", "Watched", "-m", "Mock:mock-0ms-a", "--no-check-providers")
    assert [(await llmbench(*run)).code for _ in range(2)] == [0, 0]
    file.write_text(FILE.replace("Nightly", "Watched").replace("size: 4", "size: 5"))
    await llmbench("suites", "apply", str(file), "--publish")
    assert (await llmbench(*run)).code == 0

    found = json.loads((await llmbench("trends", "--suite", "Watched", "--json")).out)
    (series,) = found["series"]
    assert [bool(point["breaks"]) for point in series["points"]] == [False, False, True]
    shown = await llmbench("trends", "--suite", "Watched")
    assert (shown.code, shown.out.count("mock-0ms-a (95 % intervals)")) == (0, 1), shown.err
    places = [shown.out.index(point["run_id"][:13]) for point in series["points"]]
    assert places[1] < shown.out.index("another version or other tasks of the suite: not comparable") < places[2]

    listed = (await llmbench("trends")).out
    assert "Suites (--suite)" in listed
    (named,) = [each for each in (await stack.get("/api/trends/names"))["items"] if "Watched v1" in each["name"]]
    of_name = json.loads((await llmbench("trends", named["name"], "--json")).out)
    assert [point["run_id"] for point in of_name["series"][0]["points"]] == [
        point["run_id"] for point in series["points"][:2]
    ]
    last = await llmbench("trends", "--suite", "Watched", "--limit", "2")
    assert "only the newest 2 runs are shown" in last.err
    both = await llmbench("trends", "Nightly", "--suite", "Watched")
    assert (both.code, "either by their name or by their suite" in both.err) == (2, True)


async def test_errors_of_a_file_are_named_by_line_and_nothing_changes(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(FILE.replace("Nightly", "Bad").replace("epochs: 2", "after: [words]").replace("contains", "magic"))
    refused = await llmbench("suites", "apply", str(file))
    assert refused.code == 1
    assert f"{file}:8: tasks.0.after.0: there is no task 'words'" in refused.out
    assert f"{file}:10: tasks.0.evaluators.0.kind: " in refused.out
    assert "has 2 errors; nothing changed" in refused.err
    file.write_text("name: [")
    assert f"{file}:1: not YAML" in (await llmbench("suites", "apply", str(file))).err
    file.write_text("- a\n")
    assert "not a suite" in (await llmbench("suites", "apply", str(file))).err
    assert "cannot be read" in (await llmbench("suites", "apply", str(tmp_path / "none.yaml"))).err
    names = [suite["name"] for suite in (await stack.get("/api/suites"))["items"]]
    assert "Bad" not in names


GATED = """\
name: Gated
tasks:
  - name: first
    source: {collection: Sums}
    evaluators:
      - {kind: contains, params: {texts: ["no answer contains this"]}}
  - name: second
    source: {collection: More sums}
    gate: {task: first, min_score: 0.5}
    evaluators:
      - {kind: contains, params: {texts: ["a"]}}
"""


async def test_failed_gate_is_shown_with_its_reason_and_misses_a_threshold(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    task = {"task_id": "more-sums", "category": "arithmetic", "question": "What is 7 + 7?", "excellent": "14"}
    task_id = (await stack.post("/api/tasks", task))["id"]
    await stack.post("/api/collections", {"name": "More sums", "task_ids": [task_id]})
    file = tmp_path / "gated.yaml"
    file.write_text(GATED.replace("min_score: 0.5", "min_score: 5"))
    refused = await llmbench("suites", "apply", str(file))
    assert refused.code == 1
    assert "gated.yaml:9" in refused.out
    assert "must be at most 1" in refused.out
    file.write_text(GATED)
    assert (await llmbench("suites", "apply", str(file), "--publish")).code == 0
    shown = await llmbench("suites", "show", "Gated")
    assert "first from 0.5" in shown.out

    plan = await llmbench("suites", "run", "Gated", "-m", "Mock:mock-0ms-gated", "--no-check-providers", "--dry-run")
    assert "first from 0.5" in plan.out
    command = ("suites", "run", "Gated", "-m", "Mock:mock-0ms-gated", "--no-check-providers")
    done = await llmbench(*command)
    assert done.code == 0, done.err
    assert "skipped, 1/1" in done.out
    reason = "'second' was skipped: 'first' scored 0, and 'second' needs 0.5"
    assert reason in done.err
    assert "without 'second': it cannot be compared" in done.err
    asked = await llmbench(*command, "--min-score", "0")
    assert asked.code == 100
    assert "mean score is without 1 of " in asked.err
    assert "which a gate skipped" in asked.err
