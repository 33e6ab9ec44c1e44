"""Test `llmbench baseline` and `llmbench gate` on a real platform, and the exit codes of runs of a preset."""

import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.commands.conftest import WriteFile
from tests.commands.process import Llmbench
from tests.platform import Platform, platform

pytestmark = pytest.mark.asyncio(loop_scope="module")

PRESET = ("--preset", "nightly")
ANSWERS = "evaluators: [{kind: contains, params: {text: Answer}}]\npreset: nightly\n"
OTHERWISE = "evaluators: [{kind: contains, params: {text: answer}}]\npreset: nightly\n"


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
    assert (worse.code, "worse: against main: mean score -1.000" in worse.err) == (100, True)
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
