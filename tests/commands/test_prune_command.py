"""Test `llmbench prune`, and the causes of failures in `llmbench show`, on a real platform."""

import json
from uuid import UUID

import asyncpg
import pytest

from tests.commands.process import Llmbench
from tests.platform import Platform

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.never_rerun]


async def _finished(stack: Platform, *models: str, days_ago: float, **more: object) -> str:
    run_id = await stack.start_run(*models, **more)
    await stack.until_status(run_id, "FINISHED")
    database = await asyncpg.connect(stack.database_url)
    older = "UPDATE run SET finished_at = now() - $1 * interval '1 day' WHERE id = $2"
    await database.execute(older, days_ago, UUID(run_id))
    await database.close()
    return run_id


async def test_prune_shows_old_runs_and_removes_them_after_confirmation(llmbench: Llmbench, stack: Platform) -> None:
    old = await _finished(stack, "mock-0ms", days_ago=40, name="Old one")
    baseline = await _finished(stack, "mock-0ms", days_ago=50, name="The baseline")
    compared = await _finished(stack, "mock-0ms", days_ago=45, name="Compared", baseline_run_id=baseline)

    nothing_named = await llmbench("prune")
    assert nothing_named.code == 1
    assert "name an age" in nothing_named.err
    no_age = await llmbench("prune", "--older-than", "soon")
    assert no_age.code == 1
    assert "is no age" in no_age.err

    preview = await llmbench("prune", "--older-than", "30d", "--dry-run")
    assert "Old one" in preview.out
    assert "The baseline" in preview.out
    assert "1 run with 6 items" in preview.out
    assert (await stack.http.get(f"/api/runs/{old}")).status_code == 200

    unasked = await llmbench("prune", "--older-than", "30d")
    assert unasked.code == 1
    assert "--yes is needed" in unasked.err

    pruned = json.loads((await llmbench("prune", "--older-than", "30d", "--yes", "--json")).out)
    assert [run["id"] for run in pruned["removed"]] == [old]
    assert (await stack.http.get(f"/api/runs/{old}")).status_code == 404
    for kept in (baseline, compared):
        assert (await stack.http.get(f"/api/runs/{kept}")).status_code == 200


async def test_show_groups_failures_by_cause_and_says_what_the_mean_leaves_out(
    llmbench: Llmbench, stack: Platform
) -> None:
    run_id = await stack.start_run("mock-0ms-401", "mock-0ms-filtered")
    await stack.until_status(run_id, "FINISHED")
    shown = (await llmbench("show", run_id)).out
    assert "unauthorized" in shown
    assert "content filter" in shown
    assert "6 answers were refused; they count as 0" in " ".join(shown.split())
