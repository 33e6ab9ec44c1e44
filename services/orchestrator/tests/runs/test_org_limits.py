"""Test that the limits of a plan and the monthly budget are enforced when runs are created, and while they work."""

import asyncio
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from run_world import World, answered
from sqlalchemy import text

from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.outcome import Cost, Outcome
from llmbench.db.plans import change_plan
from llmbench.ids import DEFAULT_ORG_ID
from orchestrator.kernel.adapters.limits import read_spending
from orchestrator.kernel.domain.budget import month_of

pytestmark = pytest.mark.never_rerun

EVALUATION: dict[str, Any] = {
    "input": "17 + 25?",
    "output": "42",
    "evaluators": [{"kind": "contains", "params": {"text": "42"}}],
}
QUEUED: dict[str, Any] = {"queue": True}


async def set_budget(world: World, usd: float | None) -> None:
    async with world.engine.begin() as connection:
        setting = (
            "UPDATE organisation SET settings = jsonb_build_object('cost_budget_monthly_usd', CAST(:usd AS float8))"
        )
        await connection.execute(text(setting), {"usd": usd})


async def use(world: World, usd: float | None, day: date | None = None) -> None:
    """Add a call that costs `usd` US dollars to the usage, as the gateway does before it reports the call. If `usd` is
    None, the cost is unknown."""
    adding = """
        INSERT INTO usage_of_day (org_id, day, person_id, model, calls, unpriced_calls, cost_usd)
        VALUES (:org, :day, :org, 'model-a', 1, :unpriced, :usd) ON CONFLICT (org_id, day, person_id, model)
        DO UPDATE SET cost_usd = usage_of_day.cost_usd + excluded.cost_usd,
                      unpriced_calls = usage_of_day.unpriced_calls + excluded.unpriced_calls
    """
    values = {"org": DEFAULT_ORG_ID, "day": day or datetime.now(UTC).date(), "usd": usd or 0, "unpriced": usd is None}
    async with world.engine.begin() as connection:
        await connection.execute(text(adding), values | {"unpriced": int(usd is None)})


def costing(world: World, usd: float) -> None:
    """Let each call cost `usd` US dollars."""

    async def answer(_: GenerateCompletion) -> Outcome:
        await use(world, usd)
        return answered().model_copy(update={"cost": Cost(usd=usd, source="own_price")})

    world.answer = answer


async def refused(world: World, status: int, path: str = "/api/runs", **more: Any) -> dict[str, Any]:
    body = world.body(**more) if path == "/api/runs" else more
    response = await world.http.post(path, json=body)
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")
    problem: dict[str, Any] = response.json()
    return problem


async def test_runs_and_evaluations_of_a_day_stay_within_the_plan(world: World, postgres_url: str) -> None:
    await change_plan(postgres_url, "ENTERPRISE", {"runs_a_day": 2})
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    assert (await world.http.post("/v1/evaluations", json=EVALUATION)).status_code == 201
    for path, body in (("/api/runs", QUEUED), ("/v1/evaluations", EVALUATION)):
        problem = await refused(world, 403, path, **body)
        assert "allows 2 runs a day" in problem["detail"]
        assert problem["type"] == "plan-limit"
    # A deleted run gives nothing back.
    assert (await world.http.delete(f"/api/runs/{run_id}")).status_code == 204
    await refused(world, 403)


async def test_runs_that_are_created_at_once_are_counted_one_by_one(world: World, postgres_url: str) -> None:
    await change_plan(postgres_url, "ENTERPRISE", {"runs_a_day": 3})
    bodies = [world.body(queue=True, name=f"run {number}") for number in range(6)]
    answers = await asyncio.gather(*(world.http.post("/api/runs", json=body) for body in bodies))
    assert sorted(answer.status_code for answer in answers) == [201, 201, 201, 403, 403, 403]


async def test_concurrency_above_the_plan_is_refused_by_field(world: World, postgres_url: str) -> None:
    await change_plan(postgres_url, "ENTERPRISE", {"concurrency": 2})
    problem = await refused(world, 403, concurrency=3)
    assert [error["field"] for error in problem["errors"]] == ["concurrency"]
    await world.start(concurrency=2)


async def test_spent_budget_pauses_the_run_until_it_is_raised(world: World) -> None:
    await set_budget(world, 1.0)
    costing(world, 0.45)
    run_id = await world.start()
    run = await world.until_status(run_id, "PAUSED")
    assert "the organisation's budget of $1.00" in run["status_reason"]
    assert "An owner can raise it" in run["status_reason"]
    assert [warning["kind"] for warning in run["warnings"]] == ["budget_nearly_spent"]
    for path in (f"/api/runs/{run_id}/resume", "/api/runs", "/v1/evaluations"):
        problem = await refused(world, 402, path, **(EVALUATION if "evaluations" in path else {}))
        assert problem["type"] == "budget-spent"
    await set_budget(world, 100.0)
    assert (await world.http.post(f"/api/runs/{run_id}/resume")).status_code == 202
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["status_reason"]) == ("complete", None)


async def test_budget_lowered_in_mid_run_holds_from_the_next_paid_call_on(world: World) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()
    await set_budget(world, 100.0)

    async def answer(_: GenerateCompletion) -> Outcome:
        begun.set()
        await go_on.wait()
        await use(world, 2.0)
        return answered().model_copy(update={"cost": Cost(usd=2.0, source="own_price")})

    world.answer = answer
    run_id = await world.start()
    await begun.wait()
    await set_budget(world, 1.0)
    go_on.set()
    run = await world.until_status(run_id, "PAUSED")
    assert "budget of $1.00" in run["status_reason"]


async def close(world: World, *, closed: bool = True) -> None:
    """Close or reopen the organisation of the world, as its identity service does."""
    async with world.engine.begin() as connection:
        closing = text("UPDATE organisation SET closed_at = CASE WHEN CAST(:closed AS boolean) THEN now() END")
        await connection.execute(closing, {"closed": closed})


async def test_run_of_an_organisation_that_closes_ends_with_its_next_answer(world: World) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def answer(_: GenerateCompletion) -> Outcome:
        begun.set()
        await go_on.wait()
        return answered()

    world.answer = answer
    run_id = await world.start()
    queued = await world.http.post("/api/runs", json=world.body(queue=True, name="queued"))
    await begun.wait()
    await close(world)
    for path, body in (("/api/runs", QUEUED), ("/v1/evaluations", EVALUATION)):
        assert (await refused(world, 403, path, **body))["type"] == "organisation-closed"
    go_on.set()
    run = await world.until_status(run_id, "CANCELLED")
    assert run["status_reason"] == "the organisation was closed"
    assert (await world.http.get(f"/api/runs/{queued.json()['id']}")).json()["status"] == "QUEUED"
    await close(world, closed=False)
    await world.until_status(UUID(queued.json()["id"]), "FINISHED")


async def test_queued_run_waits_for_budget_and_retry_is_refused_without(world: World) -> None:
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    await set_budget(world, 1.0)
    queued = await world.http.post("/api/runs", json=world.body(queue=True, name="queued"))
    assert queued.status_code == 201
    await world.until_status(UUID(queued.json()["id"]), "FINISHED")
    await use(world, 1.5)
    await refused(world, 402, **QUEUED)


async def test_concurrency_of_one_target_is_limited_as_well(world: World, postgres_url: str) -> None:
    await change_plan(postgres_url, "ENTERPRISE", {"concurrency": 2})
    target = {"provider_id": str(world.provider_id), "model": "model-a", "concurrency": 3}
    await refused(world, 403, targets=[target])


async def test_runs_and_evaluations_that_name_no_evaluator_get_the_organisations(world: World) -> None:
    async with world.engine.begin() as connection:
        settings = '{"default_evaluators": ["g_eval"]}'
        await connection.execute(text("UPDATE organisation SET settings = CAST(:to AS jsonb)"), {"to": settings})
    run = (await world.http.get(f"/api/runs/{await world.start(queue=True)}")).json()
    assert [evaluator["kind"] for evaluator in run["evaluators"]] == ["g_eval"]
    named = await world.start(evaluators=[{"kind": "rubric"}], queue=True)
    run = (await world.http.get(f"/api/runs/{named}")).json()
    assert [evaluator["kind"] for evaluator in run["evaluators"]] == ["rubric"]
    output = {"input": "17 + 25?", "output": "42", "config": {"evaluator_model": "judge", "sync": False}}
    evaluation = await world.http.post("/v1/evaluations", json=output)
    assert evaluation.status_code in (201, 202), evaluation.text
    run = (await world.http.get(f"/api/runs/{evaluation.json()['evaluation_id']}")).json()
    assert [evaluator["kind"] for evaluator in run["evaluators"]] == ["g_eval"]


async def test_month_ends_at_midnight_in_utc(world: World) -> None:
    await use(world, 7.0, date(2026, 11, 30))
    await use(world, 1.0, date(2026, 12, 1))
    await use(world, None, date(2026, 12, 31))
    last = datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC)
    async with world.engine.connect() as connection:
        before = await read_spending(connection, 5.0, last)
        after = await read_spending(connection, 5.0, last + timedelta(seconds=1))
    assert (before.month, before.spent_usd, before.is_spent()) == (date(2026, 11, 1), 7.0, True)
    assert (after.spent_usd, after.unpriced_calls, after.is_spent()) == (1.0, 1, False)
    assert month_of(last) == date(2026, 11, 1)
