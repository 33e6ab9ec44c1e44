"""Test `llmbench suites from-recipe`: a benchmark's file becomes a suite that runs. A second import changes nothing."""

import json
from pathlib import Path

import pytest

from tests.commands.process import Llmbench
from tests.platform import Platform

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROWS = [
    {"question": f"A box has {count} pens. How many pens are in 2 boxes?", "answer": f"Twice.\n#### {2 * count}"}
    for count in range(3, 9)
]


async def test_file_becomes_a_suite_that_runs_and_twice_changes_nothing(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    file = tmp_path / "test.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    options = ("--name", "Own GSM8K", "--size", "4", "--seed", "7", "--publish")
    made = await llmbench("suites", "from-recipe", "gsm8k", str(file), *options)
    assert (made.code, made.out) == (0, "✓ created: Own GSM8K v1, 1 task, PUBLISHED\n"), made.err
    again = await llmbench("suites", "from-recipe", "gsm8k", str(file), *options, "--json")
    applied = json.loads(again.out)
    assert applied["change"] == "unchanged"
    assert applied["suite"]["tasks"][0]["source_version"] == 1
    assert applied["suite"]["total_items"] == 4

    shown = await llmbench("suites", "show", "Own GSM8K")
    assert "GPT-4 92 % (5-shot, chain of thought" in " ".join(shown.out.split())
    body = {
        "suite_id": applied["suite"]["id"],
        "model": {"name": "mock-0ms-a", "provider": "Mock"},
        "check_providers": False,
    }
    run_id = (await stack.post("/v1/benchmarks/runs", body))["run_id"]
    run = await stack.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["judged"]) == ("complete", 4)

    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS[1:]))
    changed = await llmbench("suites", "from-recipe", "gsm8k", str(file), "--name", "Own GSM8K")
    assert changed.out == "✓ new version: Own GSM8K v2, 1 task, DRAFT\n"


async def test_results_are_shown_by_the_tags_that_a_recipe_gives(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    rows = [
        {"key": 1, "prompt": "Tea?", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]},
        {"key": 2, "prompt": "Cup?", "instruction_id_list": ["keywords:existence"], "kwargs": [{"keywords": ["cup"]}]},
        {
            "key": 3,
            "prompt": "Pot?",
            "instruction_id_list": ["punctuation:no_comma", "detectable_format:title"],
            "kwargs": [{}, {}],
        },
    ]
    file = tmp_path / "input_data.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    made = await llmbench("suites", "from-recipe", "ifeval", str(file), "--publish")
    assert made.out.splitlines() == ["✓ created: IFEval v1, 1 task, PUBLISHED"]
    ran = await llmbench("suites", "run", "IFEval", "-m", "Mock:mock-0ms-a", "--no-check-providers", "--detach")
    assert ran.code == 0, ran.err
    (run,) = json.loads((await llmbench("list", "--suite", "IFEval", "--json")).out)
    await stack.until_status(run["id"], "FINISHED")
    shown = await llmbench("show", run["id"], "--tags")
    assert shown.code == 0, shown.err
    assert "Tags of the cases" in shown.out
    found = json.loads((await llmbench("show", run["id"], "--tags", "--json")).out)["case_tags"]
    assert [(tag["tag"], tag["items"], tag["scored"]) for tag in found] == [
        ("detectable_format:title", 1, 1),
        ("keywords:existence", 1, 1),
        ("punctuation:no_comma", 2, 2),
    ]
    assert json.loads((await llmbench("list", "--suite", "None", "--json")).out) == []


async def test_functions_are_tested_only_where_the_operator_allows_it(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    file = tmp_path / "HumanEval.jsonl"
    row = {
        "task_id": "Own/0",
        "prompt": "def double(n):\n",
        "canonical_solution": "    return 2 * n\n",
        "test": "def check(candidate):\n    assert candidate(2) == 4\n",
        "entry_point": "double",
    }
    file.write_text(json.dumps(row) + "\n")
    refused = await llmbench("suites", "from-recipe", "humaneval", str(file), "--publish")
    assert (refused.code, refused.out) == (1, "")
    assert "start the judge service with LLMBENCH_JUDGE_RUN_CODE=on" in refused.err
    assert (await stack.get("/v1/datasets", name="HumanEval"))["datasets"] == [], "nothing is left half made"


async def test_errors_say_what_to_do(llmbench: Llmbench, stack: Platform, tmp_path: Path) -> None:
    listed = await llmbench("suites", "from-recipe")
    assert [line.split("  ")[0] for line in listed.out.splitlines()][:3] == ["arc", "gsm8k", "hellaswag"]
    nameless = await llmbench("suites", "from-recipe", "gsm8k")
    assert (nameless.code, nameless.out) == (1, "")
    assert "name the file of GSM8K: test.jsonl" in nameless.err
    file = tmp_path / "test.jsonl"
    file.write_text('{"question": "1 + 1?", "answer": "2"}\n')
    bad = await llmbench("suites", "from-recipe", "gsm8k", str(file))
    assert bad.code == 1
    assert f"{file}: row 1: 'answer' has to end with ####" in bad.out
    assert "1 of 1 rows" in bad.err
    assert "nothing was made" in bad.err
    seeded = await llmbench("suites", "from-recipe", "gsm8k", str(file), "--seed", "1")
    assert "a seed needs the --size" in seeded.err
    assert (await stack.get("/v1/datasets", name="GSM8K"))["datasets"] == []
