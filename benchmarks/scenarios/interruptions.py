"""Measure how soon a run continues after a pause and after processes were killed, and how many calls are repeated."""

from statistics import median

from benchmarks.interruptions import Interruption, Paused, measure_kill, measure_kill_of_all, measure_pause
from benchmarks.scenario import Measure, Scenario
from benchmarks.throughput import PATIENCE_S, seed_items
from tests.platform import Platform, platform

ITEMS = 10_000
JUDGED_ITEMS = 1_000
IN_FLIGHT = 10
LATENCY_MS = 200
_MODEL = f"mock-{LATENCY_MS}ms"
_FIRST = 1_000
_TIMES = 3
_KILLED = ("orchestrator", "inference-gateway", "nats", "postgres")
"""The processes that are killed while items are answered."""


async def measure() -> list[Measure]:
    async with platform(tasks=1, database_settings={}) as stack:
        return [*await _while_answering(stack), *await _while_judging(stack)]


async def _while_answering(stack: Platform) -> list[Measure]:
    run_id = await _under_way(stack)
    measures = _of_pauses([await measure_pause(stack, run_id, in_flight=IN_FLIGHT) for _ in range(_TIMES)])
    for name in _KILLED:
        service = (stack.services | stack.servers)[name]
        found = [await measure_kill(stack, service, in_flight=IN_FLIGHT) for _ in range(_TIMES)]
        measures += _of(f"kill -9 of {name}", found)
    found = [await measure_kill_of_all(stack, in_flight=IN_FLIGHT) for _ in range(_TIMES)]
    measures += _of("kill -9 of all, since they are started again", found)
    await _cancel(stack, run_id)
    return measures


async def _while_judging(stack: Platform) -> list[Measure]:
    collection_id = await seed_items(stack, JUDGED_ITEMS)
    run_id = await stack.start_run(
        "mock-0ms", judge=f"{_MODEL}-judge", collection_ids=[collection_id], concurrency=IN_FLIGHT
    )
    await stack.until(run_id, lambda run: run["phase"] == "JUDGING", timeout_s=PATIENCE_S)
    found = [await measure_kill(stack, stack.services["judge"], in_flight=IN_FLIGHT) for _ in range(_TIMES)]
    await _cancel(stack, run_id)
    return _of("kill -9 of judge", found)


async def _under_way(stack: Platform) -> str:
    """Start a run, and return its id when its first 1,000 items are answered. These answers have no latency; later
    answers have `LATENCY_MS`."""
    collection_id = await seed_items(stack, ITEMS)
    await stack.control(model=_MODEL, latency_s=0)
    run_id = await stack.start_run(_MODEL, collection_ids=[collection_id], concurrency=IN_FLIGHT)
    await stack.until(run_id, lambda run: run["counts"]["answered"] >= _FIRST, timeout_s=PATIENCE_S)
    await stack.control(model=_MODEL, latency_s=LATENCY_MS / 1000)
    return run_id


async def _cancel(stack: Platform, run_id: str) -> None:
    await stack.post(f"/api/runs/{run_id}/cancel")
    await stack.until_status(run_id, "CANCELLED")


def _of_pauses(found: list[Paused]) -> list[Measure]:
    return [
        Measure("pause: until it stands still", median(pause.standstill_s for pause in found), "s"),
        Measure(
            f"resume of {ITEMS:,} items: until the next call, a warm-up",
            median(pause.warm_up_s for pause in found),
            "s",
            "1 or less",
        ),
        Measure(f"resume: until {IN_FLIGHT} are in flight", median(pause.resumed.full_speed_s for pause in found), "s"),
        Measure(
            "pause and resume: calls made again", max(pause.resumed.repeated_calls for pause in found), "at worst", "0"
        ),
    ]


def _of(what: str, found: list[Interruption]) -> list[Measure]:
    return [
        Measure(f"{what}: until ready again", median(interruption.ready_s for interruption in found), "s"),
        Measure(f"{what}: until the next call", median(interruption.next_call_s for interruption in found), "s"),
        Measure(
            f"{what}: until {IN_FLIGHT} are in flight", median(interruption.full_speed_s for interruption in found), "s"
        ),
        Measure(
            f"{what}: calls made again, at worst",
            max(interruption.repeated_calls for interruption in found),
            "calls",
            f"{IN_FLIGHT} or fewer",
        ),
    ]


SCENARIO = Scenario(name="interruptions", title="10,000 items, 10 in flight: paused, resumed, killed", measure=measure)
