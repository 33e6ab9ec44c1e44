"""Let a plan's run wait in the queue: behind an active run, and behind a queued run of a higher priority."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from uuid import UUID

import asyncpg
import httpx

from tests.chaos.evidence import Broken, Queue
from tests.chaos.faults import faults
from tests.chaos.plan import Waiting
from tests.chaos.stage import Stage
from tests.chaos.start import start
from tests.chaos.start_suite import Request
from tests.platform import Platform

_NEVER_BY_ITSELF = "0 0 29 2 *"
_WITHIN_S = 240.0
_PRIORITY = 3
_BY_PROGRAM = [{"kind": "exact_match"}]
_ROWS = (
    "SELECT id, name, status, outcome, extract(epoch FROM started_at)::float8 AS started_at, "
    "extract(epoch FROM finished_at)::float8 AS finished_at FROM run WHERE id = $1"
)


async def start_behind_others(stage: Stage, request: Request, waiting: Waiting, broken: list[Broken]) -> Queue:
    """Queue the plan's run behind two others: an active run whose calls the provider delays, and a queued run of a
    higher priority. Meanwhile cause the fault `waiting.fault`, and add it to `broken`.

    Set `stage.run_id`, and return once the plan's run has started.
    """
    stack, seed = stage.stack, stage.plan.seed
    ahead, urgent = (f"mock-0ms-s{seed}{name}" for name in ("ahead", "urgent"))
    await stack.control(model=ahead, hold=1)
    others = [await _short_run(stack, ahead, queue=True)]
    await stack.until_held(ahead)
    schedule_id = None
    if waiting.scheduled:
        schedule_id = await _due_schedule(stack, request)
    else:
        more = {"queue": True} if request.kind == "run" else {}
        stage.run_id = await start(stack, request, **more)
    others.append(await _short_run(stack, urgent, queue=True, priority=_PRIORITY))
    try:
        await _break(stage, waiting, broken)
        if schedule_id is not None:
            stage.run_id = await _run_of(stack, schedule_id)
    finally:
        await stack.control(model=ahead, hold=None)
    queue = Queue(runs=[*others, stage.run_id], schedule_id=schedule_id)
    await _until(_is_going(stage))
    return queue


async def read_queue(stack: Platform, queue: Queue) -> Queue:
    """Return the queue with data from the database: the rows of its runs and of the schedule's firings, and the ids of
    the runs that the schedule started."""
    connection = await asyncpg.connect(stack.database_url)
    try:
        for run_id in queue.runs:
            queue.rows.extend(map(dict, await connection.fetch(_ROWS, UUID(run_id))))
        if queue.schedule_id is not None:
            firings = "SELECT status, run_id::text FROM schedule_firing WHERE schedule_id = $1"
            queue.firings.extend(map(dict, await connection.fetch(firings, UUID(queue.schedule_id))))
            runs = "SELECT id::text FROM run WHERE schedule_id = $1"
            queue.scheduled.extend(row["id"] for row in await connection.fetch(runs, UUID(queue.schedule_id)))
    finally:
        await connection.close()
    return queue


async def _short_run(stack: Platform, model: str, **more: object) -> str:
    return await stack.start_run(model, judge=None, evaluators=_BY_PROGRAM, name=model, **more)


async def _due_schedule(stack: Platform, request: Request) -> str:
    """Create a schedule that is due at once, and starts a run with `request`. Return the schedule's id."""
    what = {"kind": request.kind, "request": request.body}
    body = {"name": f"{request.body['name']} at {time.time()}", "cron": _NEVER_BY_ITSELF, "what": what}
    schedule_id: str = (await stack.post("/api/schedules", body))["id"]
    connection = await asyncpg.connect(stack.database_url)
    try:
        late = "UPDATE schedule SET next_due_at = now() - interval '1 hour' WHERE id = $1"
        await connection.execute(late, UUID(schedule_id))
    finally:
        await connection.close()
    return schedule_id


async def _break(stage: Stage, waiting: Waiting, broken: list[Broken]) -> None:
    which, began = faults()[waiting.fault.fault], time.time()
    if await which.act(stage, waiting.fault.params):
        loses = which.loses(waiting.fault.params)
        broken.append(Broken(which.name, dict(waiting.fault.params), began, time.time(), loses, which.forgets))


async def _run_of(stack: Platform, schedule_id: str) -> str:
    """Wait until the schedule has started its run, and return the run's id."""
    found: list[str] = []

    async def is_there() -> bool:
        firings = (await stack.get(f"/api/schedules/{schedule_id}/firings"))["items"]
        found.extend(firing["run"]["id"] for firing in firings if firing["run"] is not None)
        return bool(found)

    await _until(is_there)
    return found[0]


def _is_going(stage: Stage) -> Callable[[], Awaitable[bool]]:
    async def is_going() -> bool:
        return await stage.status() not in (None, "QUEUED")

    return is_going


async def _until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait until the condition holds. Requests may fail while a service restarts."""
    async with asyncio.timeout(_WITHIN_S):
        while True:
            with contextlib.suppress(httpx.TransportError, AssertionError):
                if await condition():
                    return
            await asyncio.sleep(0.1)
