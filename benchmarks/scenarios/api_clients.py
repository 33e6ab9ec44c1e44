"""Measure the response times that 200 API clients see during a run, and their effect on the run."""

import sys
import time
from statistics import median, quantiles

from benchmarks.api_clients import PAUSE_S
from benchmarks.client_process import connected
from benchmarks.scenario import Measure, Scenario
from benchmarks.throughput import Took, seed_items, take
from tests.platform import Platform, platform

CLIENTS = 200
ITEMS = 300
CONCURRENCY = 10
_TIMES = 3
_ASKING = "benchmarks.api_clients"


async def measure() -> list[Measure]:
    async with platform(tasks=1, database_settings={}) as stack:
        collection_id = await seed_items(stack, ITEMS)
        # The first run is not measured, because it includes work that every process does only once.
        await _run(stack, collection_id)
        alone: list[Took] = []
        watched: list[Took] = []
        answers: dict[str, list[float]] = {}
        errors: list[str] = []
        seconds = 0.0
        for _ in range(_TIMES):
            alone.append(await _run(stack, collection_id))
            began = time.perf_counter()
            async with connected(_ASKING, "--url", stack.url, "--clients", str(CLIENTS)) as asking:
                watched.append(await _run(stack, collection_id))
                seconds += time.perf_counter() - began
                seen = await asking.end()
            errors += seen["errors"]
            for name, took_ms in seen["took_ms"].items():
                answers.setdefault(name, []).extend(took_ms)
    for error in errors[:10]:
        sys.stderr.write(f"   error: {error}\n")
    return [*_answered(answers, seconds, errors), *_slowed(alone, watched)]


async def _run(stack: Platform, collection_id: str) -> Took:
    return await take(stack, collection_id, items=ITEMS, concurrency=CONCURRENCY, latency_ms=0)


def _answered(answers: dict[str, list[float]], seconds: float, errors: list[str]) -> list[Measure]:
    every = [took_ms for of_one in answers.values() for took_ms in of_one]
    found = [
        Measure(f"{CLIENTS} clients, one question in {PAUSE_S:g} s each: answers", len(every) / seconds, "per s"),
        Measure("errors", len(errors), "", "0"),
    ]
    for name, took_ms in {"all": every, **answers}.items():
        found.append(Measure(f"{name}: median", median(took_ms), "ms"))
        found.append(Measure(f"{name}: 99 of 100", quantiles(took_ms, n=100)[98], "ms"))
    return found


def _slowed(alone: list[Took], watched: list[Took]) -> list[Measure]:
    quick, slow = (median(run.wall_s for run in runs) for runs in (alone, watched))
    found = [
        Measure("the run alone", ITEMS / quick, "items/s"),
        Measure("the run with the clients", ITEMS / slow, "items/s"),
        Measure("times as long", slow / quick, "x"),
    ]
    for name in ("orchestrator", "postgres", "edge"):
        for who, runs in (("alone", alone), ("with the clients", watched)):
            share = median(run.use.cpu_s.get(name, 0.0) / run.wall_s for run in runs)
            found.append(Measure(f"CPU of {name}, {who}", share * 100, "%"))
    return found


SCENARIO = Scenario(name="api_clients", title="200 API clients on one run while it goes on", measure=measure)
