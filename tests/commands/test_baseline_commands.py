"""Test `llmbench baseline` and `llmbench gate` on a real platform, and the exit codes of runs of a preset or suite."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.commands.conftest import WriteFile
from tests.commands.process import Llmbench
from tests.platform import Platform, platform

pytestmark = pytest.mark.asyncio(loop_scope="module")

PRESET = ("--preset", "nightly")
ANSWERS = "evaluators: [{kind: contains, params: {text: Answer}}]\npreset: nightly\n"
OTHERWISE = "evaluators: [{kind: contains, params: {text: answer}}]\npreset: nightly\n"
SUITE = ("--suite", "Answers")
SUITE_FILE = """\
name: Answers
tasks:
  - name: plain
    source: {collection: Sums}
    evaluators: [{kind: contains, params: {text: Answer}}]
"""
CHANGED = """\
  - name: short
    source: {dataset: Short}
    evaluators: [{kind: contains, params: {text: Answer}}]
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stack() -> AsyncIterator[Platform]:
    """Yield a platform with enough tasks for a gate with a wide margin to reach a decision."""
    async with platform(tasks=24) as opened:
        yield opened


async def test_runs_of_a_preset_end_with_the_code_of_its_gates(
    llmbench: Llmbench, run_file: WriteFile, stack: Platform
) -> None:
    assert (await llmbench("presets", "create", "nightly")).code == 0
    lacking = await llmbench("gate", "add", "score", "--margin", "0.3", *PRESET)
    assert (lacking.code, "`llmbench baseline promote RUN" in lacking.err) == (1, True)

    # The mock's plain answers contain "Answer", its numbers don't.
    first = await llmbench("run", run_file("mock-0ms-a", more=ANSWERS, name="First"))
    assert first.code == 0, first.err
    made = await llmbench("baseline", "promote", "First", *PRESET, "--note", "the release")
    assert made.code == 0, made.err
    assert "the same" in made.out

    weak = await llmbench("gate", "add", "score", "--margin", "0.05", *PRESET)
    assert (weak.code, "80 of 100 are needed" in weak.err) == (2, True)
    saved = await llmbench("gates", "add", "score", "--margin", "0.3", *PRESET, "--json")
    assert saved.code == 0, saved.err
    assert json.loads(saved.out)["holds"] is True
    checked = await llmbench("gate", "check", *PRESET, "--json")
    assert (checked.code, json.loads(checked.out)[0]["targets"][0]["worse"]) == (0, 0)

    fine = await llmbench("run", run_file("mock-0ms-a", more=ANSWERS, name="Fine"))
    assert (fine.code, "main (baseline First)" in fine.out) == (0, True)
    worse = await llmbench("run", run_file("mock-0ms-number", more=ANSWERS, name="Worse"))
    assert (worse.code, "worse: against main: mean score \N{MINUS SIGN}100.0 points" in worse.err) == (100, True)
    assert (await llmbench("watch", "Worse")).code == 100
    assert "complete, worse" in (await llmbench("list")).out
    strange = await llmbench("run", run_file("mock-0ms-a", more=OTHERWISE, name="Strange"))
    assert (strange.code, "not judged: against main: Two different measures" in strange.err) == (102, True)

    # It is uncertain whether the loss exceeds the wider margin, so the gate is undecided. But there certainly is a
    # loss, which `--undecided ok` does not forgive.
    wider = await llmbench("gate", "add", "score", "--margin", "0.95", "--undecided", "ok", *PRESET)
    assert (wider.code, "0.95" in wider.out) == (0, True)
    undecided = await llmbench("run", run_file("mock-0ms-number", more=ANSWERS, name="Undecided"))
    assert (undecided.code, "lower than the baseline for certain" in undecided.err) == (101, True)

    # The anchor stays when another run becomes the baseline.
    assert (await llmbench("baseline", "promote", "Worse", *PRESET)).code == 0
    again = await llmbench("run", run_file("mock-0ms-number", more=ANSWERS, name="Again"))
    assert (again.code, "the anchor of main" in again.err) == (101, True)
    history = await llmbench("baseline", "history", *PRESET)
    assert [name in history.out for name in ("Worse", "First", "the release")] == [True] * 3
    shown = await llmbench("show", "Again")
    assert "Gates (90 % two-sided intervals)" in shown.out
    refused = await llmbench("presets", "delete", "nightly")
    assert (refused.code, "Delete its baselines first" in refused.err) == (1, True)
    assert (await llmbench("gate", "delete", "score", *PRESET)).code == 0
    assert (await llmbench("baseline", "delete", *PRESET)).code == 0
    assert (await llmbench("presets", "delete", "nightly")).code == 0


async def test_runs_of_a_suite_end_with_the_code_of_its_gates_across_its_versions(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    file = tmp_path / "suite.yaml"
    file.write_text(SUITE_FILE)
    assert (await llmbench("suites", "apply", str(file), "--publish")).code == 0
    good = ("suites", "run", "Answers", "-m", "Mock:mock-0ms-a", "--no-check-providers")
    bad = ("suites", "run", "Answers", "-m", "Mock:mock-0ms-number", "--no-check-providers")
    first = json.loads((await llmbench(*good, "--json")).out)
    assert first["subject"]["name"] == "Answers"
    made = await llmbench("baseline", "promote", first["id"], *SUITE, "--note", "the release")
    assert (made.code, "Answers" in made.out) == (0, True), made.err
    weak = await llmbench("gate", "add", "score", "--margin", "0.05", *SUITE)
    assert (weak.code, "80 of 100 are needed" in weak.err) == (2, True)
    assert (await llmbench("gate", "add", "score", "--margin", "0.3", *SUITE)).code == 0
    saved = json.loads(
        (await llmbench("gate", "add", "contains", "--margin", "0.3", *SUITE, "--task", "plain", "--json")).out
    )
    assert (saved["metric"], saved["task"]) == ("evaluator:plain/contains", "plain")
    changed = await llmbench("gate", "add", "contains", "--margin", "0.35", *SUITE, "--task", "plain", "--json")
    assert (json.loads(changed.out)["id"], json.loads(changed.out)["margin"]) == (saved["id"], 0.35)
    both = await llmbench("gate", "check", *SUITE, "--json")
    assert (both.code, len(json.loads(both.out))) == (0, 2)
    assert (await llmbench("gate", "check", *SUITE, *PRESET)).code == 2
    assert "there is no suite 'None'" in (await llmbench("baseline", "history", "--suite", "None")).err

    fine = await llmbench(*good)
    assert (fine.code, "suite score" in fine.out) == (0, True), fine.err
    worse = await llmbench(*bad)
    assert (worse.code, "worse: against main: suite score \N{MINUS SIGN}100.0 points" in worse.err) == (100, True), (
        worse.err
    )
    assert (await llmbench(*bad, "--baseline", "v1.2")).code == 0, "only the named baseline counts"

    # Another version of the suite is named. Its tasks of the same name are compared.
    await _dataset(stack, "Short")
    file.write_text(SUITE_FILE + CHANGED)
    assert (await llmbench("suites", "apply", str(file), "--publish")).code == 0
    later = json.loads((await llmbench(*good, "--json")).out)
    assert later["gate"]["verdict"] == "fine"
    assert (
        "'Answers' v2 is compared with 'Answers' v1. In one of them only: the task 'short'."
        in later["gates"][0]["sentence"]
    )

    suites = (await stack.get("/api/suites"))["items"]
    (newest,) = [each for each in suites if each["name"] == "Answers"]
    versions = (await stack.get(f"/api/suites/{newest['id']}/versions"))["items"]
    codes = [(await stack.http.delete(f"/api/suites/{version['id']}")).status_code for version in versions]
    assert codes == [204, 409], "the last version stays while the suite has a baseline"
    assert (await llmbench("gate", "delete", "contains", *SUITE, "--task", "plain")).code == 0
    assert (await llmbench("baseline", "delete", *SUITE)).code == 0
    assert (await stack.http.delete(f"/api/suites/{versions[-1]['id']}")).status_code == 204


async def _dataset(stack: Platform, name: str) -> None:
    dataset = await stack.post("/v1/datasets", {"name": name, "type": "EVALUATION"})
    path = f"/v1/datasets/{dataset['dataset_id']}/versions"
    upload = await stack.http.post(path, files={"file": ("cases.csv", b"id,question,expected_output\n1,Why?,42\n")})
    assert upload.is_success, upload.text
    published = await stack.http.post(f"{path}/1/publish")
    assert published.is_success, published.text
