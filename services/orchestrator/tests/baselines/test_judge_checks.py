"""Test that, when a gated run ends, the judge scores stored answers of the baseline again. If these scores show that
the judge has changed, the run's verdict says so, and its gates are not decided."""

import itertools
from typing import Any
from uuid import UUID

import pytest
from gated_runs import TASKS, decided, decided_or_none, gated, new_preset, post, started, varying_judge
from run_world import World, open_world, running_orchestrator, scored
from sqlalchemy import func, select, update

from llmbench.contracts.answer_scored import Errored, Verdict
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Rejected
from llmbench.contracts.run_words import RunStatus, RunType
from llmbench.db import tables as t
from orchestrator.baselines.domain.judge_drift import ANSWERS, REPEATS


async def baseline_of(world: World, preset: str, **gate: Any) -> UUID:
    world.judge = varying_judge(low=7)
    first = await started(world, preset)
    await decided_or_none(world, first)
    await gated(world, preset, first, **gate)
    return first


async def planned_checks(world: World) -> list[dict[str, Any]]:
    """Return the list `judge_checks` in the response of `POST /api/gates/{id}/check`, for the only gate of the test."""
    (baseline,) = (await world.http.get("/api/baselines")).json()["items"]
    (gate,) = baseline["gates"]
    planned: list[dict[str, Any]] = (await post(world, f"/api/gates/{gate['id']}/check", status=200))["judge_checks"]
    return planned


async def check_runs(world: World) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = (await world.http.get("/api/runs", params={"type": "JUDGE_CHECK"})).json()["items"]
    return listed


def checks_of(world: World, run_id: str) -> list[JudgeAnswer]:
    return [command for command in world.seen if isinstance(command, JudgeAnswer) and str(command.run_id) == run_id]


async def test_shifted_judge_stops_the_gate_and_a_varying_one_does_not(postgres_url: str, nats_url: str) -> None:
    async with open_world(postgres_url, nats_url, tasks=TASKS) as world:
        preset = await new_preset(world)
        baseline = await baseline_of(world, preset)
        (planned,) = await planned_checks(world)
        assert (planned["run_id"], planned["evaluators"]) == (str(baseline), ["rubric"])
        assert (planned["answers"], planned["repeats"]) == (ANSWERS, REPEATS)
        assert "10 stored answers of 'model-a' are judged again, 2 times each (rubric)" in planned["sentence"]

        by_turns = itertools.cycle((1, -1, 0))
        world.judge_again = lambda stored: scored(stored + next(by_turns))
        same = await decided(world, await started(world, preset))
        assert (same["gate"]["verdict"], same["gate"]["passed"]) == ("fine", True)
        (gate,) = same["gates"]
        check = gate["judge_check"]
        assert (check["answers"], check["repeats"], check["changed"]) == (ANSWERS, REPEATS, False)
        (run,) = await check_runs(world)
        assert (run["id"], run["type"], run["outcome"]) == (check["run_id"], "JUDGE_CHECK", "complete")
        assert run["id"] not in (await world.http.get("/api/runs")).text, "the list of runs is not filled with checks"
        assert len(checks_of(world, run["id"])) == ANSWERS * REPEATS

        # The judge now gives the same answers three points less. Judging the stored answers again shows this.
        world.judge = varying_judge(low=4)
        world.judge_again = lambda stored: scored(stored - 3)
        stopped = await decided(world, await started(world, preset))
        assert (stopped["gate"]["verdict"], stopped["gate"]["passed"]) == ("the judge changed", False)
        expected = "the judge changed: against main: It gives 10 stored answers of 'model-a' 0.300 less on average"
        assert stopped["gate"]["sentence"].startswith(expected)
        (gate,) = stopped["gates"]
        assert gate["pairs"] == [], "no figures that would mislead"
        assert (gate["judge_check"]["shift"], gate["judge_check"]["changed"]) == (-0.3, True)
        assert gate["judge_check"]["p"] == pytest.approx(3**-ANSWERS)

        # Another decision about the same end of the run uses the same check, so asking again cannot change the verdict.
        before = len(await check_runs(world))
        await post(world, f"/api/runs/{stopped['id']}/decide-gates", status=202)
        again = await decided(world, UUID(stopped["id"]))
        assert again["gates"][0]["judge_check"] == gate["judge_check"]
        assert len(await check_runs(world)) == before

        # If the judge is the same, a model that is worse gets that verdict.
        world.judge_again = scored
        worse = await decided(world, await started(world, preset))
        assert worse["gate"]["verdict"] == "worse"
        assert str(baseline) == worse["gates"][0]["baseline_run_id"]


async def test_failed_check_is_repeated_on_request_and_each_end_has_its_own(postgres_url: str, nats_url: str) -> None:
    async with open_world(postgres_url, nats_url, tasks=TASKS) as world:
        preset = await new_preset(world)
        await baseline_of(world, preset)
        rejected = Rejected(message="401: the key is wrong", http_status=401, cause="unauthorized")
        world.judge_again = lambda _: Errored(failure=rejected)
        run = await decided(world, await started(world, preset))
        assert (run["gate"]["verdict"], run["gate"]["passed"]) == ("not judged", False)
        assert "The judge scored 0 stored answers of the baseline again, and 5 are needed" in run["gate"]["sentence"]
        world.judge_again = scored
        await post(world, f"/api/runs/{run['id']}/decide-gates", status=202)
        checked = await decided(world, UUID(run["id"]))
        assert checked["gate"]["verdict"] == "fine"
        assert len(await check_runs(world)) == 2

        async with world.engine.begin() as connection:
            later = {"finished_at": t.run.c.finished_at + func.make_interval(0, 0, 0, 0, 0, 1), "gate_due": True}
            await connection.execute(update(t.run).where(t.run.c.id == UUID(run["id"])).values(later))
        again = await decided(world, UUID(run["id"]))
        assert again["gates"][0]["judge_check"]["run_id"] != checked["gates"][0]["judge_check"]["run_id"]


async def test_paused_check_leaves_no_run_without_a_verdict(postgres_url: str, nats_url: str) -> None:
    async with open_world(postgres_url, nats_url, tasks=TASKS) as world:
        preset = await new_preset(world)
        await baseline_of(world, preset)
        held: list[float] = []
        world.judge_again = lambda stored: held.append(stored)
        run_id = await started(world, preset)
        await world.until(run_id, lambda _: len(held) > 0)
        async with world.engine.begin() as connection:
            paused = {"status": RunStatus.PAUSED, "status_reason": "the budget is spent"}
            await connection.execute(update(t.run).where(t.run.c.type == RunType.JUDGE_CHECK).values(paused))
        run = await decided(world, run_id)
        assert run["gate"]["verdict"] == "not judged"
        assert "needed to know that it has not changed (the budget is spent)" in run["gate"]["sentence"]
        world.judge_again = scored
        await post(world, f"/api/runs/{run['id']}/decide-gates", status=202)
        assert (await decided(world, run_id))["gate"]["verdict"] == "fine"


async def test_deleted_run_takes_its_checks_along_unless_one_is_active(postgres_url: str, nats_url: str) -> None:
    async with open_world(postgres_url, nats_url, tasks=TASKS) as world:
        preset = await new_preset(world)
        baseline = await baseline_of(world, preset)
        held: list[float] = []
        world.judge_again = lambda stored: held.append(stored)
        run_id = await started(world, preset)
        await world.until(run_id, lambda _: len(held) > 0)
        refused = await world.http.delete(f"/api/runs/{run_id}")
        assert (refused.status_code, "Cancel it or wait for its end" in refused.text) == (409, True)
        (check,) = await check_runs(world)
        await post(world, f"/api/runs/{check['id']}/cancel", status=202)
        cancelled = await decided(world, run_id)
        assert cancelled["gate"]["verdict"] == "not judged"
        # Another decision begins another check. The run has two then, of which one has a row in `judge_check`.
        world.judge_again = scored
        await post(world, f"/api/runs/{run_id}/decide-gates", status=202)
        assert (await decided(world, run_id))["gate"]["verdict"] == "fine"
        assert len(await check_runs(world)) == 2
        assert (await world.http.delete(f"/api/runs/{run_id}")).status_code == 204
        assert await check_runs(world) == []
        async with world.engine.connect() as connection:
            for table in (t.item, t.score, t.run_event, t.judge_check):
                others = select(func.count()).select_from(table).where(table.c.run_id != baseline)
                assert await connection.scalar(others) == 0, table.name


async def test_gate_without_a_judge_judges_nothing_again(postgres_url: str, nats_url: str) -> None:
    async with open_world(postgres_url, nats_url, tasks=10) as world:
        preset = await new_preset(world)
        await baseline_of(world, preset, metric="latency", margin=5)
        assert await planned_checks(world) == []
        run = await decided(world, await started(world, preset))
        assert run["gates"][0]["judge_check"] is None
        assert await check_runs(world) == []


async def test_check_survives_the_end_of_its_orchestrator_and_is_begun_once(postgres_url: str, nats_url: str) -> None:
    async with open_world(postgres_url, nats_url, tasks=TASKS) as world:
        preset = await new_preset(world)
        await baseline_of(world, preset)
        held: list[float] = []

        def hold(stored: float) -> Verdict | None:
            held.append(stored)
            return None

        world.judge_again = hold
        run_id = await started(world, preset)
        await world.until(run_id, lambda _: len(held) > 0)
        # Two more orchestrators find the run due as well. The unanswered commands are sent again to the judge.
        world.judge_again = scored
        async with running_orchestrator(postgres_url, nats_url), running_orchestrator(postgres_url, nats_url):
            run = await decided(world, run_id)
        assert run["gate"]["verdict"] == "fine"
        assert len(await check_runs(world)) == 1
        async with world.engine.connect() as connection:
            assert await connection.scalar(select(func.count()).select_from(t.judge_check)) == 1
            assert await connection.scalar(select(func.count()).select_from(t.run).where(t.run.c.gate_due)) == 0
