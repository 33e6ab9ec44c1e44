"""Create runs of an evaluation preset that has a baseline with gates, and wait for the verdicts on these runs."""

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

from run_world import World, scored
from sqlalchemy import insert

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.db import tables as t
from llmbench.ids import DEFAULT_ORG_ID, new_id

TASKS = 40


def varying_judge(*, low: float) -> Callable[[JudgeAnswer], Awaitable[Verdict]]:
    """Return a judge that gives the epochs of each case the scores `low` + 1 and `low` alternately."""
    asked: Counter[str] = Counter()

    async def judge(command: JudgeAnswer) -> Verdict:
        asked[command.case.task_id] += 1
        return scored(low + asked[command.case.task_id] % 2)

    return judge


async def new_preset(world: World) -> str:
    id_ = new_id()
    async with world.engine.begin() as connection:
        await connection.execute(
            insert(t.evaluation_preset).values(id=id_, org_id=DEFAULT_ORG_ID, name="Nightly", settings={})
        )
    return str(id_)


async def post(world: World, path: str, body: dict[str, Any] | None = None, *, status: int) -> Any:
    response = await world.http.post(path, json=body or {})
    assert response.status_code == status, response.text
    return response.json()


async def started(world: World, preset: str, **more: Any) -> UUID:
    """Start a run of the preset. It waits in the queue while a judge check is active."""
    options = {"epochs": 2, "queue": True} | more
    return await world.start("model-a", subject={"kind": "preset", "id": preset}, **options)


async def decided(world: World, run_id: UUID) -> dict[str, Any]:
    """Wait until the gates of the run are decided."""
    await world.until_decided(run_id)
    return await world.until(run_id, lambda run: bool(run["gate"]) and run["gate"]["verdict"] != "pending")


async def decided_or_none(world: World, run_id: UUID) -> dict[str, Any]:
    def over(run: dict[str, Any]) -> bool:
        return run["status"] == "FINISHED" and (run["gate"] is None or run["gate"]["verdict"] != "pending")

    await world.until_decided(run_id)
    return await world.until(run_id, over)


async def gated(world: World, preset: str, run_id: UUID, **gate: Any) -> Any:
    """Make the run the baseline of the preset, and add a gate to the baseline. `gate` replaces settings of this gate.
    Return the baseline."""
    body = {"subject": {"kind": "preset", "id": preset}, "run_id": str(run_id)}
    baseline = await post(world, "/api/baselines", body, status=201)
    settings = {"metric": "score", "margin": 0.1} | gate
    await post(world, f"/api/baselines/{baseline['id']}/gates", settings, status=201)
    return baseline
