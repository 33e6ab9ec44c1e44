"""Test that each run of a subject is compared with the baselines when it ends. The run, its events and its webhook have
the verdict. No crash loses or repeats the verdict."""

import json
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from gated_runs import TASKS, decided, decided_or_none, gated, new_preset, post, started, varying_judge
from made_runs import Case, made_run
from run_world import World, open_world, running_orchestrator
from sqlalchemy import func, select, update
from webhook_receiver import receiving

from llmbench.contracts.gate_words import GateVerdict
from llmbench.db import tables as t
from orchestrator.runs.adapters.run_store import PostgresRunStore
from orchestrator.runs.handlers.lead import lead
from orchestrator.runs.handlers.record_verdict import record_verdict
from orchestrator.runs.ports.transaction import StoredVerdict

STATUS = "llmbench.run.status_changed.v1"


async def test_run_is_compared_when_it_ends_and_tells_the_verdict(postgres_url: str, nats_url: str) -> None:
    async with open_world(postgres_url, nats_url, tasks=TASKS) as world:
        preset = await new_preset(world)
        world.judge = varying_judge(low=7)
        first = await started(world, preset)
        run = await world.until(first, lambda run: run["status"] == "FINISHED" and run["gate"] is None)
        assert (run["subject"], run["gates"]) == ({"kind": "preset", "id": preset, "name": "Nightly"}, [])
        baseline = await gated(world, preset, first)

        same = await decided(world, await started(world, preset))
        assert (same["gate"]["verdict"], same["gate"]["passed"]) == ("fine", True)
        (gate,) = same["gates"]
        assert (gate["label"], gate["role"], gate["baseline_run_id"]) == ("main", "both", str(first))
        (pair,) = gate["pairs"]
        assert (pair["mean"], pair["cases"], pair["coverage"]) == (0, TASKS, 1)
        told = [event.get("gate") for event in await world.events(UUID(same["id"]), STATUS)][-2:]
        assert [(news or {}).get("verdict") for news in told] == ["pending", "fine"]
        assert (told[-1] or {}).get("passed") is True

        world.judge = varying_judge(low=4)
        worse = await decided(world, await started(world, preset))
        assert (worse["gate"]["verdict"], worse["gate"]["passed"]) == ("worse", False)
        assert worse["gate"]["sentence"].startswith("worse: against main: mean score \N{MINUS SIGN}30.0 points")
        listed = {run["id"]: run["gate"] for run in (await world.http.get("/api/runs")).json()["items"]}
        assert listed[worse["id"]]["verdict"] == "worse"
        # The candidate becomes the baseline. The anchor stays, and still shows the loss.
        await post(world, f"/api/baselines/{baseline['id']}/promote", {"run_id": worse["id"]}, status=200)
        again = await decided(world, await started(world, preset))
        assert [(gate["role"], gate["verdict"]) for gate in again["gates"]] == [
            ("baseline", "fine"),
            ("anchor", "worse"),
        ]
        assert (again["gate"]["verdict"], "the anchor of main" in again["gate"]["sentence"]) == ("worse", True)
        # The baseline itself is compared with its anchor only.
        await post(world, f"/api/runs/{worse['id']}/decide-gates", status=202)
        itself = await decided(world, UUID(worse["id"]))
        assert [(gate["role"], gate["verdict"]) for gate in itself["gates"]] == [("anchor", "worse")]
        # Only the baseline that the run names counts.
        other = await decided_or_none(world, await started(world, preset, baseline_label="v1.2"))
        assert (other["gate"], other["baseline_label"]) == (None, "v1.2")


async def made_candidate(world: World, template: UUID, name: str, results: list[float | str]) -> UUID:
    """Create a finished run of the same subject as the template, by copying the template. The copy has no verdict yet,
    as if the service had crashed at the end of the run."""
    cases = [Case([result, result]) for result in results]
    run_id = UUID((await made_run(world, template, cases, name=name)).partition(":")[0])
    async with world.engine.begin() as connection:
        await connection.execute(update(t.run).where(t.run.c.id == run_id).values(gate_due=True))
    return run_id


def spread(count: int) -> list[float | str]:
    return [0.5 + 0.1 * (case % 4) for case in range(count)]


async def small_template(world: World, preset: str) -> UUID:
    run_id = await started(world, preset)
    await decided_or_none(world, run_id)
    return run_id


@pytest.fixture
async def preset(world: World) -> str:
    return await new_preset(world)


async def made_base(world: World, template: UUID) -> UUID:
    cases = [Case([0.5 + 0.1 * (case % 4), 0.52 + 0.1 * (case % 4)]) for case in range(200)]
    return UUID((await made_run(world, template, cases, name="Base")).partition(":")[0])


async def test_verdict_that_a_crash_left_out_is_decided_at_the_next_start(
    world: World, preset: str, postgres_url: str, nats_url: str
) -> None:
    template = await small_template(world, preset)
    await gated(world, preset, await made_base(world, template))
    left = await made_candidate(world, template, "Left", spread(200))
    async with running_orchestrator(postgres_url, nats_url), running_orchestrator(postgres_url, nats_url):
        run = await decided(world, left)
    assert run["gate"]["verdict"] == "fine"
    told = [event for event in await world.events(left, STATUS) if (event.get("gate") or {}).get("passed")]
    assert len(told) == 1, "two orchestrators tell it once"
    async with world.engine.connect() as connection:
        assert await connection.scalar(select(func.count()).select_from(t.run).where(t.run.c.gate_due)) == 0


async def test_lost_answers_and_other_runs_are_not_judged(world: World, preset: str) -> None:
    template = await small_template(world, preset)
    await gated(world, preset, await made_base(world, template), undecided="ok")
    lost: list[float | str] = ["unavailable" if case % 2 else 0.5 + 0.1 * (case % 4) for case in range(200)]
    low = await made_candidate(world, template, "Lost half", lost)
    # The end of any run wakes the loop. This run shares no case with the baseline.
    strange = await decided(world, await started(world, preset))
    assert (strange["gate"]["verdict"], strange["gate"]["passed"]) == ("not judged", False)
    assert "share no case" in strange["gate"]["sentence"]
    run = await decided(world, low)
    assert (run["gate"]["verdict"], run["gate"]["passed"]) == ("low coverage", False)
    assert "Only 100 of the 200 cases" in run["gate"]["sentence"]


async def test_forgiving_gate_passes_an_undecided_run_but_never_a_lower_one(world: World, preset: str) -> None:
    template = await small_template(world, preset)
    await gated(world, preset, await made_base(world, template), undecided="ok")
    # A few cases get better and as many get worse: the mean equals the baseline's, and no difference is certain.
    noisy: list[float | str] = [0.51 + 0.1 * (case % 4) + (0.18 if case // 4 % 2 else -0.18) for case in range(16)]
    shifted: list[float | str] = [0.5 + 0.1 * (case % 4) - 0.09 - 0.03 * (case % 2) for case in range(60)]
    unsure = await made_candidate(world, template, "Unsure", noisy)
    lower = await made_candidate(world, template, "Lower", shifted)
    await decided(world, await started(world, preset))
    run = await decided(world, unsure)
    assert (run["gate"]["verdict"], run["gate"]["passed"]) == ("undecided", True)
    run = await decided(world, lower)
    assert (run["gate"]["verdict"], run["gate"]["passed"]) == ("undecided", False)
    assert run["gates"][0]["lower_than_baseline"] is True


async def test_verdict_on_results_that_have_changed_is_not_stored(world: World, preset: str) -> None:
    template = await small_template(world, preset)
    store = PostgresRunStore(world.engine)
    async with world.engine.begin() as connection:
        await connection.execute(update(t.run).where(t.run.c.id == template).values(gate_due=True))
        last_seq = await connection.scalar(select(t.run.c.last_seq).where(t.run.c.id == template))
    verdict = StoredVerdict(GateVerdict.WORSE, passed=False, sentence="worse", gates=[])
    stale = partial(record_verdict, verdict=verdict, last_seq=(last_seq or 0) - 1)
    run = (await world.http.get(f"/api/runs/{template}")).json()
    await lead(store, template, order=stale, now=_finished_at(run))
    async with world.engine.connect() as connection:
        stored = select(func.count()).select_from(t.gate_verdict).where(t.gate_verdict.c.run_id == template)
        assert await connection.scalar(stored) == 0


def _finished_at(run: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(run["finished_at"])


async def test_reopened_run_has_no_verdict_and_gets_a_new_one_at_its_next_end(world: World, preset: str) -> None:
    template = await small_template(world, preset)
    await gated(world, preset, await made_base(world, template))
    run_id = await started(world, preset)
    assert (await decided(world, run_id))["gate"]["verdict"] == "not judged"
    added = {"evaluators": [{"kind": "contains", "params": {"text": "42"}, "weight": 0}]}
    await post(world, f"/api/runs/{run_id}/evaluators", added, status=202)
    run = await decided(world, run_id)
    assert run["gate"]["verdict"] == "not judged"
    told = [(event.get("gate") or {}).get("verdict") for event in await world.events(run_id, STATUS)]
    assert told[-5:] == ["pending", "not judged", None, "pending", "not judged"]
    # The same run is compared again on request, when the baselines have changed.
    (baseline,) = (await world.http.get("/api/baselines")).json()["items"]
    assert (await world.http.delete(f"/api/baselines/{baseline['id']}")).status_code == 204
    await post(world, f"/api/runs/{run_id}/decide-gates", status=202)
    run = await world.until(run_id, lambda run: run["gate"] is None)
    assert run["gates"] == []
    refused = await post(world, f"/api/runs/{await world.start('model-a')}/decide-gates", status=409)
    assert refused["status"] == 409


async def test_webhook_of_a_run_waits_for_its_gates_and_reports_them(postgres_url: str, nats_url: str) -> None:
    async with (
        receiving() as receiver,
        open_world(postgres_url, nats_url, private_webhooks=True) as world,
    ):
        preset = await new_preset(world)
        template = await small_template(world, preset)
        await gated(world, preset, await made_base(world, template))
        body = world.body("model-a", subject={"kind": "preset", "id": preset}, webhook_url=receiver.url)
        made = await post(world, "/api/runs", body, status=201)
        assert made["webhook_secret"].startswith("whsec_")
        assert "webhook_secret" not in (await world.http.get(f"/api/runs/{made['id']}")).json()
        await receiver.until(1)
        (request,) = receiver.requests
        sent = json.loads(request.body)
        assert (sent["type"], sent["data"]["id"]) == ("run.finished", made["id"])
        assert sent["data"]["gate"]["verdict"] == "not judged"
        assert request.headers["webhook-signature"].startswith("v1,")
        bad = await post(world, "/api/runs", world.body("model-a", webhook_url="ftp://there"), status=422)
        assert bad["errors"][0]["field"] == "webhook_url"
        alone = await post(world, "/api/runs", world.body("model-a", baseline_label="main"), status=422)
        assert "name the subject" in alone["detail"]
