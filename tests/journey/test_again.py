"""A finished run goes on, on the running platform: what failed is tried again, another judge looks at
all of it, and in the end it is deleted with everything of it."""

from tests.platform import platform

# Every fifth call is refused: one item of six fails, and neither warm-up.
FLAKY = "mock-0ms-400every5"
OTHER_JUDGE = "mock-0ms-other-judge"


async def test_retry_then_another_judge_then_deletion() -> None:
    async with platform(tasks=6) as stack:
        run_id = await stack.start_run(FLAKY)
        run = await stack.until_status(run_id, "FINISHED")
        assert (run["outcome"], run["counts"]["failed"]) == ("partial", 1)

        await stack.post(f"/api/runs/{run_id}/retry-failed")
        run = await stack.until_status(run_id, "FINISHED")
        assert (run["outcome"], run["counts"]) == ("complete", {"items": 6, "answered": 6, "judged": 6, "failed": 0})
        calls = await stack.ledger()
        assert len({call["call_id"] for call in calls}) == len(calls), "nothing was asked for twice"
        asked_of_target = sum(call["model"] == FLAKY for call in calls)

        judge = {"provider_id": stack.provider_id, "model": OTHER_JUDGE}
        body = {"judge": judge, "scope": "all", "check_providers": False}
        await stack.post(f"/api/runs/{run_id}/retry-judging", body)
        run = await stack.until_status(run_id, "FINISHED")
        assert [(one["judge_model"], one["scored"]) for one in run["evaluators"]][1] == (OTHER_JUDGE, 6)
        calls = await stack.ledger()
        assert sum(call["model"] == FLAKY for call in calls) == asked_of_target, "no target was called again"
        assert sum(call["model"] == OTHER_JUDGE for call in calls) == 7, "a warm-up, and one call per answer"

        assert (await stack.http.delete(f"/api/runs/{run_id}")).status_code == 204
        assert (await stack.get("/api/runs"))["items"] == []
        # The platform goes on as if it had never been.
        again = await stack.start_run("mock-0ms-target")
        assert (await stack.until_status(again, "FINISHED"))["outcome"] == "complete"
