"""Test that old runs are removed completely, but never a run that another run refers to."""

import asyncio
from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

import asyncpg
import pytest
from run_world import World
from sqlalchemy import text

from llmbench.db.logins import SERVICE_GRANTS, ensure_logins
from llmbench.ids import DEFAULT_ORG_ID
from llmbench_cli.embedded.services import with_login
from orchestrator.runs.adapters.retention import PostgresRetention
from orchestrator.runs.handlers.retention import Retention
from orchestrator.runs.ports.all_runs import AllRuns, Organisation
from orchestrator.runs.ports.retention import OldRun, Removed
from orchestrator.runs.ports.store import Deleted

pytestmark = pytest.mark.never_rerun

TABLES = (
    *("run", "item", "score", "model_call", "run_event", "run_group", "target", "run_block", "block_figure"),
    *("run_ranking", "counted_block", "run_evaluator", "idempotency_key"),
)


async def _finished(world: World, *models: str, days_ago: float, **more: Any) -> UUID:
    run_id = await world.start(*models, **more)
    await world.until_status(run_id, "FINISHED")
    # Reading the run stores its pending statistics, so that its rows do not change later.
    assert (await world.http.get(f"/api/runs/{run_id}")).status_code == 200
    await _age(world, run_id, days_ago)
    return run_id


async def _age(world: World, run_id: UUID, days: float) -> None:
    older = text("UPDATE run SET finished_at = now() - :days * interval '1 day' WHERE id = :id")
    async with world.engine.begin() as connection:
        await connection.execute(older, {"days": days, "id": run_id})


async def _preview(world: World, days: float) -> Any:
    response = await world.http.get("/api/retention", params={"older_than_days": days})
    assert response.status_code == 200, response.text
    return response.json()


async def _prune(world: World, days: float) -> Any:
    """Prune repeatedly until no run is left to remove: one request stops after a few seconds."""
    removed: list[Any] = []
    while True:
        response = await world.http.post("/api/retention/prune", json={"older_than_days": days})
        assert response.status_code == 200, response.text
        pruned = response.json()
        removed += pruned["removed"]
        if not pruned["left"]:
            return pruned | {"removed": removed}


async def _rows_of(world: World, run_id: UUID) -> dict[str, int]:
    found: dict[str, int] = {}
    async with world.engine.connect() as connection:
        for table in TABLES:
            column = "id" if table == "run" else "run_id"
            count = text(f"SELECT count(*) FROM {table} WHERE {column} = :id")
            found[table] = (await connection.execute(count, {"id": run_id})).scalar_one()
    return found


async def _until_somebody_waits(world: World) -> None:
    """Wait until a session in this database waits for a lock."""
    waiting = text(
        "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) "
        "WHERE NOT granted AND datname = current_database()"
    )
    async with asyncio.timeout(90), world.engine.connect() as watching:
        while not (await watching.execute(waiting)).scalar_one():
            await watching.rollback()


async def test_old_run_is_removed_with_all_its_rows(world: World) -> None:
    old = await _finished(world, days_ago=40)
    young = await _finished(world, days_ago=20)
    before = await _rows_of(world, young)
    assert min(before[table] for table in ("run", "item", "score", "model_call", "run_event")) > 0
    preview = await _preview(world, 30)
    assert [run["id"] for run in preview["removable"]] == [str(old)]
    assert (preview["removable_runs"], preview["removable_items"]) == (1, 3)
    (kept,) = preview["kept"]
    assert (kept["id"], kept["reason"]) == (str(young), "too_young")
    assert kept["removes_at"] > kept["finished_at"]

    pruned = await _prune(world, 30)
    assert ([run["id"] for run in pruned["removed"]], pruned["left"]) == ([str(old)], 0)
    assert set((await _rows_of(world, old)).values()) == {0}
    assert await _rows_of(world, young) == before
    assert (await world.http.get(f"/api/runs/{old}")).status_code == 404
    events = (await world.js.stream_info("EVENTS", subjects_filter=f"evt.run.{old}.>")).state.subjects
    gates = (await world.js.stream_info("KV_run_state", subjects_filter=f"$KV.run_state.{old}")).state.subjects
    assert not events
    assert not gates
    assert (await world.js.stream_info("EVENTS", subjects_filter=f"evt.run.{young}.>")).state.subjects


async def test_run_that_another_run_refers_to_is_kept_with_a_reason(world: World) -> None:
    baseline = await _finished(world, days_ago=100)
    compared = await _finished(world, days_ago=90, baseline_run_id=str(baseline))
    preview = await _preview(world, 30)
    assert preview["removable"] == []
    assert {run["id"]: run["reason"] for run in preview["kept"]} == {
        str(baseline): "baseline",
        str(compared): "compared",
    }
    assert (await _prune(world, 30)) == {"removed": [], "left": 0}
    # Without this reference to a baseline, both runs may be removed.
    await world.http.patch(f"/api/runs/{compared}", json={"baseline_run_id": None})
    assert [run["id"] for run in (await _prune(world, 30))["removed"]] == [str(baseline), str(compared)]


async def test_unfinished_run_is_kept(world: World) -> None:
    async def never(_: object) -> None:
        return None

    world.answer = never
    run_id = await world.start()
    (kept,) = (await _preview(world, 0.001))["kept"]
    assert (kept["id"], kept["reason"]) == (str(run_id), "not_over")
    assert (await _prune(world, 0.001))["removed"] == []
    await world.http.post(f"/api/runs/{run_id}/cancel")
    await _age(world, run_id, 1)
    assert [run["id"] for run in (await _prune(world, 0.5))["removed"]] == [str(run_id)]


@pytest.mark.shows("I-16")
async def test_run_that_becomes_a_baseline_during_removal_is_kept(world: World) -> None:
    """The removal selects the old run, which becomes a baseline before its row is locked. The removal must check the
    run again under the lock, and keep it."""
    old = await _finished(world, days_ago=40)
    other = await _finished(world, days_ago=1)
    store = PostgresRetention(world.engine, retention_days=None)
    async with world.engine.connect() as connection, connection.begin():
        naming = text("UPDATE run SET baseline_run_id = :old WHERE id = :other")
        await connection.execute(naming, {"old": old, "other": other})
        # The foreign key keeps the old run's row locked. The removal waits for the commit, and then sees the baseline.
        removing = asyncio.create_task(store.remove_oldest(30, besides=set()))
        await _until_somebody_waits(world)
    assert await removing == old
    assert (await _rows_of(world, old))["run"] == 1


async def test_concurrent_prune_requests_remove_each_run_once(world: World) -> None:
    runs = {await _finished(world, days_ago=40 + number) for number in range(4)}
    results = await asyncio.gather(*(_prune(world, 30) for _ in range(3)))
    removed = [run["id"] for result in results for run in result["removed"]]
    assert sorted(removed) == sorted(map(str, runs))


@pytest.mark.shows("I-16")
async def test_interrupted_removal_removes_nothing(world: World) -> None:
    old = await _finished(world, days_ago=40)
    before = await _rows_of(world, old)
    store = PostgresRetention(world.engine, retention_days=None)
    # Another session locks rows of the table from which rows are deleted last.
    async with world.engine.connect() as connection, connection.begin():
        await connection.execute(text("SELECT FROM model_call WHERE run_id = :id FOR UPDATE"), {"id": old})
        removing = asyncio.create_task(store.remove_oldest(30, besides=set()))
        await _until_somebody_waits(world)
        removing.cancel()
        await asyncio.wait({removing})
    assert await _rows_of(world, old) == before
    assert len((await _prune(world, 30))["removed"]) == 1


@pytest.mark.parametrize("days", [0, -1, "nan", 1e9, "soon"])
async def test_invalid_age_is_refused(world: World, days: object) -> None:
    assert (await world.http.get("/api/retention", params={"older_than_days": str(days)})).status_code == 422
    assert (await world.http.post("/api/retention/prune", json={"older_than_days": days})).status_code == 422


class OneAfterAnother:
    """A store from which `runs` runs can be removed, one per call. `given_back` is set when disk space is reclaimed."""

    def __init__(self, runs: int) -> None:
        self.left = runs
        self.given_back = asyncio.Event()

    async def remove_oldest(self, older_than_days: float, *, besides: object) -> Removed | None:
        if not self.left:
            return None
        self.left -= 1
        run = OldRun.model_validate(
            {"id": UUID(int=self.left), "name": "x", "finished_at": "2026-01-01T00:00:00Z", "items": 1}
        )
        return Removed(run, Deleted(run_ids=[run.id], lane_tokens=[]))

    async def count(self, older_than_days: float, *, besides: object) -> int:
        return self.left

    async def give_back_space(self) -> None:
        self.given_back.set()


class OneOrganisation:
    def __init__(self, retention_days: float | None = None) -> None:
        self._organisation = Organisation(DEFAULT_ORG_ID, retention_days)

    async def organisations(self) -> Sequence[Organisation]:
        return [self._organisation]


EVERYBODY = cast(AllRuns, OneOrganisation())


class NoLanes:
    async def forget(self, run_ids: object, lane_tokens: object) -> None:
        raise OSError("NATS is away")


async def test_maximum_age_removes_runs_and_reclaims_space() -> None:
    """All old runs are removed and their disk space is reclaimed, even while NATS is unreachable. Messages that remain
    on NATS belong to no run any more."""
    store: Any = OneAfterAnother(3)
    lanes: Any = NoLanes()
    working = asyncio.create_task(Retention(store, EVERYBODY, lanes, retention_days=30).run())
    async with asyncio.timeout(90):
        await store.given_back.wait()
    working.cancel()
    assert store.left == 0


@pytest.mark.parametrize(("operators", "own", "age"), [(None, 7, 7), (30, 7, 7), (30, 90, 30)])
async def test_lower_age_of_operator_and_organisation_counts(
    operators: float | None, own: float, age: float, caplog: pytest.LogCaptureFixture
) -> None:
    store: Any = OneAfterAnother(1)
    lanes: Any = NoLanes()
    all_runs = cast(AllRuns, OneOrganisation(own))
    caplog.set_level("INFO")
    working = asyncio.create_task(Retention(store, all_runs, lanes, retention_days=operators).run())
    async with asyncio.timeout(90):
        await store.given_back.wait()
    working.cancel()
    assert f"more than {age} days ago" in caplog.text


async def test_without_a_maximum_age_no_run_is_removed_automatically() -> None:
    store: Any = OneAfterAnother(3)
    lanes: Any = NoLanes()
    working = asyncio.create_task(Retention(store, EVERYBODY, lanes, retention_days=None).run())
    # Let the task run until it waits.
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    working.cancel()
    assert store.left == 3


async def test_prune_request_stops_after_its_time_and_reports_how_many_runs_are_left() -> None:
    store: Any = OneAfterAnother(3)
    lanes: Any = NoLanes()
    ticks = iter(range(100))
    pruned = await Retention(store, EVERYBODY, lanes, retention_days=None, now=lambda: float(next(ticks))).prune(
        30, for_s=1.5
    )
    assert (len(pruned.removed), pruned.left) == (2, 1)


async def test_orchestrators_login_may_vacuum_the_tables_it_removes_from(world: World, postgres_url: str) -> None:
    password = "only-for-tests"
    await ensure_logins(postgres_url, {"orchestrator": password})
    connection = await asyncpg.connect(with_login(postgres_url, SERVICE_GRANTS["orchestrator"].role, password))
    warnings: list[str] = []
    connection.add_log_listener(lambda _, message: warnings.append(str(message)))
    try:
        await connection.execute("VACUUM (ANALYZE, SKIP_LOCKED) item, score, run_event, model_call")
    finally:
        await connection.close()
    assert warnings == []
