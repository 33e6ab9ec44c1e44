"""Test actions on a finished run while the platform keeps running.

Failed items are retried. Then another judge and a panel of judges score all answers. Finally the run is deleted
completely.
"""

import pytest

from tests.journey.conftest import Seeded
from tests.platform import Platform

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

# Every fifth call is refused: one of the seven, which are a warm-up and six items. So one item fails.
FLAKY = "mock-0ms-400every5"
OTHER_JUDGE = "mock-0ms-other-judge"
PANEL = (OTHER_JUDGE, "mock-60ms-second", "mock-60ms-third")


async def test_finished_run_is_retried_judged_again_and_deleted(seeded: Seeded) -> None:
    stack = await seeded(tasks=6)
    run_id = await stack.start_run(FLAKY)
    run = await stack.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["failed"]) == ("partial", 1)

    await stack.post(f"/api/runs/{run_id}/retry-failed")
    run = await stack.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]) == (
        "complete",
        {"items": 6, "answered": 6, "judged": 6, "failed": 0, "skipped": 0},
    )
    calls = await stack.ledger()
    assert len({call["call_id"] for call in calls}) == len(calls), "nothing was asked for twice"
    asked_of_target = sum(call["model"] == FLAKY for call in calls)

    judge = {"provider_id": stack.provider_id, "model": OTHER_JUDGE}
    body = {"judge": judge, "scope": "all", "check_providers": False}
    await stack.post(f"/api/runs/{run_id}/retry-judging", body)
    run = await stack.until_status(run_id, "FINISHED")
    assert [(evaluator["judge_model"], evaluator["scored"]) for evaluator in run["evaluators"]][1] == (OTHER_JUDGE, 6)
    calls = await stack.ledger()
    assert sum(call["model"] == FLAKY for call in calls) == asked_of_target, "no target was called again"
    assert sum(call["model"] == OTHER_JUDGE for call in calls) == 7, "a warm-up, and one call per answer"

    await add_panel_while_the_judge_is_killed(stack, run_id)

    assert (await stack.http.delete(f"/api/runs/{run_id}")).status_code == 204
    assert (await stack.http.get(f"/api/runs/{run_id}")).status_code == 404
    # A new run works as usual after the deletion.
    again = await stack.start_run("mock-0ms-target")
    assert (await stack.until_status(again, "FINISHED"))["outcome"] == "complete"


async def add_panel_while_the_judge_is_killed(stack: Platform, run_id: str) -> None:
    """Add a panel of judges. Kill the judge service with SIGKILL while the panel's second member scores, and again
    while the third member scores.

    Each new member is called once per answer, and finishes before the next member begins. The first member has already
    scored the answers as the run's judge, and is not called again.
    """
    before = len(await stack.ledger())
    for model in PANEL[1:]:
        await stack.control(model=model, hold=3)
    judges = [{"provider_id": stack.provider_id, "model": model} for model in PANEL]
    panel = {"kind": "rubric", "name": "panel", "panel": {"judges": judges}}
    await stack.post(f"/api/runs/{run_id}/evaluators", {"evaluators": [panel], "check_providers": False})
    for model in PANEL[1:]:
        await stack.until_held(model)
        await stack.services["judge"].kill()
        await stack.control(model=model, hold=None)
        await stack.services["judge"].start()
    run = await stack.until_status(run_id, "FINISHED")
    whole = next(evaluator for evaluator in run["evaluators"] if evaluator["panel"])
    assert (run["outcome"], whole["scored"], whole["agreement"]["answers"]) == ("complete", 6, 6)
    calls = (await stack.ledger())[before:]
    called_models = [call["model"] for call in calls if call["kind"] != "unload"]
    assert called_models == [PANEL[1]] * 7 + [PANEL[2]] * 7, "a warm-up each, and one call per answer"
    assert len({call["call_id"] for call in calls}) == len(calls), "nothing was asked for twice"
