"""Test `llmbench schedules …` on a real platform."""

import json
from pathlib import Path

import pytest

from tests.commands.conftest import WriteFile
from tests.commands.process import Llmbench
from tests.platform import Platform

pytestmark = pytest.mark.asyncio(loop_scope="module")

LEAP_DAY = "30 2 29 2 *"


async def test_schedule_is_created_from_a_run_file_run_paused_and_deleted(
    llmbench: Llmbench, run_file: WriteFile, stack: Platform
) -> None:
    nothing = await llmbench("schedules", "list")
    assert "no schedules yet" in nothing.err

    path = run_file("mock-0ms-a")
    made = await llmbench("schedules", "create", path, "--name", "Rare", "--cron", LEAP_DAY, "--zone", "Europe/Berlin")
    assert made.code == 0, made.err
    assert "the schedule 'Rare' is created; next: Tue 2028-02-29 02:30 +01:00 Europe/Berlin" in made.err

    listed = await llmbench("schedules", "list")
    assert "Rare" in listed.out
    assert "2028-02-29 02:30 +01:00" in listed.out

    started = await llmbench("schedules", "run", "rare", "--json")
    assert started.code == 0, started.err
    run = await stack.until_status(json.loads(started.out)["run"]["id"], "FINISHED")
    assert (run["name"], run["schedule"]["name"]) == ("From a file", "Rare")
    assert "schedule: Rare" in (await llmbench("show", run["id"])).out
    history = await llmbench("schedules", "history", "Rare")
    assert "run now" in history.out
    assert "complete" in history.out

    assert "is paused" in (await llmbench("schedules", "pause", "Rare")).err
    assert "paused" in (await llmbench("schedules", "list")).out
    assert "goes on; next: Tue 2028-02-29" in (await llmbench("schedules", "resume", "Rare")).err

    unasked = await llmbench("schedules", "delete", "Rare")
    assert (unasked.code, "--yes is needed" in unasked.err) == (1, True)
    assert (await llmbench("schedules", "delete", "Rare", "--yes")).code == 0
    gone = await llmbench("schedules", "run", "Rare")
    assert (gone.code, "there is no schedule 'Rare'" in gone.err) == (1, True)


async def test_next_times_of_an_expression_are_shown_in_the_zone(llmbench: Llmbench) -> None:
    shown = await llmbench("schedules", "next", LEAP_DAY, "--zone", "Asia/Tokyo", "--count", "2")
    assert shown.out.splitlines() == ["Tue 2028-02-29 02:30 +09:00", "Sun 2032-02-29 02:30 +09:00"]


async def test_wrong_expression_or_run_file_is_refused_with_its_place(llmbench: Llmbench, run_file: WriteFile) -> None:
    never = await llmbench("schedules", "next", "0 0 30 2 *")
    assert (never.code, "is never due" in never.err) == (1, True)
    path = run_file("mock-0ms-a", more="tags: ['']\n")
    wrong = await llmbench("schedules", "create", path, "--name", "Wrong", "--cron", LEAP_DAY)
    assert wrong.code == 1
    assert "run.yaml:" in wrong.err
    assert "tags" in wrong.err
    unknown = await llmbench("schedules", "create", run_file("mock-0ms-a"), "--name", "Wrong", "--cron", "every day")
    assert (unknown.code, "2 fields" in unknown.err) == (1, True)


async def test_schedule_runs_a_suite_and_tells_the_secret_of_its_webhook_once(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    file = tmp_path / "suite.yaml"
    file.write_text(
        "name: By night\ntasks:\n  - name: sums\n    source: {collection: Sums}\n"
        "    evaluators: [{kind: contains, params: {text: Answer}}]\n"
    )
    assert (await llmbench("suites", "apply", str(file), "--publish")).code == 0
    create = ("schedules", "create", "--suite", "By night", "--name", "Suite", "--cron", LEAP_DAY)
    for more, said in (((), "--model PROVIDER:MODEL"), (("-m", "Mock"), "write PROVIDER:MODEL")):
        refused = await llmbench(*create, *more)
        assert (refused.code, said in refused.err) == (2, True), refused.err
    assert (await llmbench("schedules", "create", "--name", "None", "--cron", LEAP_DAY)).code == 2
    made = await llmbench(*create, "-m", "Mock:mock-0ms", "--webhook", "https://hook.example.org/told", "--paused")
    assert made.code == 0, made.err
    assert "not shown again: whsec_" in made.err
    assert "whsec_" not in (await llmbench("schedules", "list", "--json")).out
    assert (await llmbench("schedules", "delete", "Suite", "--yes")).code == 0

    assert (await llmbench(*create, "-m", "Mock:mock-0ms")).code == 0
    started = json.loads((await llmbench("schedules", "run", "Suite", "--json")).out)
    run = await stack.until_status(started["run"]["id"], "FINISHED")
    assert (run["name"], run["suite"]["name"], run["schedule"]["name"]) == ("Suite", "By night", "Suite")
    assert (run["outcome"], run["subject"]["kind"]) == ("complete", "suite")
