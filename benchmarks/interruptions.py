"""Measure how a pause or killed processes interrupt a run, from the mock provider's record of its calls."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from benchmarks.run_events import run_events, until
from llmbench.contracts.run_status_changed import RunStatusChanged
from llmbench.contracts.run_words import RunStatus
from llmbench_cli.embedded.backoff import next_restart
from tests.platform import Platform
from tests.servers import Service

PATIENCE_S = 120.0
_LOOK_EVERY_S = 0.1
_BEFORE_CALLS = 30
_AFTER_CALLS = 50

Call = Mapping[str, Any]


@dataclass(frozen=True)
class Interruption:
    """The effects of one interruption of a run: a pause, or killed processes. All times are seconds from its beginning.

    - `next_call_s`: until the end of the longest gap in which no call began.
    - `full_speed_s`: until as many calls were in flight again as before.
    - `repeated_calls`: the number of requests that repeated an earlier call.
    - `ready_s`: until the killed processes were ready again; 0 if none was killed.
    """

    next_call_s: float
    full_speed_s: float
    repeated_calls: int
    ready_s: float = 0.0


@dataclass(frozen=True)
class Paused:
    """The measurements of a run that was paused and resumed.

    - `standstill_s`: seconds from the request to pause until the run is PAUSED.
    - `warm_up_s`: seconds from the request to resume until the first call begins, which is a warm-up.
    - `resumed`: the effects of the interruption, measured from the request to resume.
    """

    standstill_s: float
    warm_up_s: float
    resumed: Interruption


def interruption(calls: Iterable[Call], *, at: float, in_flight: int) -> Interruption:
    """Compute the effects of the interruption that began at `at` (seconds since the epoch), from the record of calls.

    The interruption ends when `in_flight` calls are in flight again. Raises ValueError if the calls do not show that.
    """
    calls = list(calls)
    begun = sorted(call["started_at"] for call in calls if call["started_at"] > at)
    silences = [(after - before, after) for before, after in pairwise([at, *begun])]
    if not silences:
        raise ValueError("no call came after the interruption")
    next_call_at = max(silences)[1]
    calls_by_id = Counter(call["call_id"] for call in calls if call["call_id"])
    return Interruption(
        next_call_s=next_call_at - at,
        full_speed_s=_full_from(calls, next_call_at, in_flight) - at,
        repeated_calls=sum(calls_by_id.values()) - len(calls_by_id),
    )


def _full_from(calls: Iterable[Call], since: float, in_flight: int) -> float:
    moments = sorted(
        moment
        for call in calls
        for moment in ((call["started_at"], 1), *([(call["finished_at"], -1)] if call["finished_at"] else []))
    )
    open_ = 0
    for at, change in moments:
        open_ += change
        if at >= since and open_ >= in_flight:
            return float(at)
    raise ValueError(f"{in_flight} calls were never under way again")


async def wait_for_calls(stack: Platform) -> None:
    """Clear the provider's record of calls, and wait until 30 new calls are answered."""
    await stack.provider_http.delete("/ledger")
    await stack.until_ledger(lambda calls: sum(call["answered"] for call in calls) >= _BEFORE_CALLS)


async def until_over(stack: Platform, *, at: float, in_flight: int) -> Interruption:
    """Wait until 50 new calls have begun and `in_flight` calls are in flight again. Return the effects of the
    interruption that began at `at` (seconds since the epoch). Raises TimeoutError after `PATIENCE_S`."""
    ended = time.time()
    async with asyncio.timeout(PATIENCE_S):
        while True:
            calls = await stack.ledger()
            if sum(call["started_at"] > ended for call in calls) >= _AFTER_CALLS:
                try:
                    return interruption(calls, at=at, in_flight=in_flight)
                except ValueError:
                    # The calls do not show the end of the interruption yet.
                    pass
            await asyncio.sleep(_LOOK_EVERY_S)


async def measure_pause(stack: Platform, run_id: str, *, in_flight: int) -> Paused:
    """Pause the run, resume it as soon as it is paused, and return the measurements. `in_flight` is the number of calls
    that the run has in flight. Raises TimeoutError if a step takes longer than `PATIENCE_S`."""
    await wait_for_calls(stack)
    async with run_events(stack, RunStatusChanged) as events:
        at = time.perf_counter()
        await stack.post(f"/api/runs/{run_id}/pause")
        await until(events, lambda event: event.status == RunStatus.PAUSED, timeout_s=PATIENCE_S)
        standstill_s = time.perf_counter() - at
    at = time.time()
    await stack.post(f"/api/runs/{run_id}/resume")
    resumed = await until_over(stack, at=at, in_flight=in_flight)
    first_at = min(call["started_at"] for call in await stack.ledger() if call["started_at"] > at)
    return Paused(standstill_s, first_at - at, resumed)


async def measure_kill(stack: Platform, service: Service, *, in_flight: int) -> Interruption:
    """Kill a service with SIGKILL, and restart it after the same delay as `llmbench up`. Return the effects.

    `in_flight` is the number of calls that the run has in flight. Raises TimeoutError after `PATIENCE_S`.
    """
    await wait_for_calls(stack)
    at = time.time()
    await service.kill()
    await asyncio.sleep(next_restart([at], now_s=at).delay_s)
    await service.start()
    ready_s = time.time() - at
    return replace(await until_over(stack, at=at, in_flight=in_flight), ready_s=ready_s)


async def measure_kill_of_all(stack: Platform, *, in_flight: int) -> Interruption:
    """Kill all services, PostgreSQL and NATS with SIGKILL, and restart them. Return the effects; the times begin
    with the restart. Raises TimeoutError after `PATIENCE_S`."""
    await wait_for_calls(stack)
    for process in (*stack.services.values(), *stack.servers.values()):
        await process.kill()
    at = time.time()
    # The servers are restarted first, as in `llmbench up`.
    await asyncio.gather(*(process.start() for process in stack.servers.values()))
    await asyncio.gather(*(process.start() for process in stack.services.values()))
    ready_s = time.time() - at
    return replace(await until_over(stack, at=at, in_flight=in_flight), ready_s=ready_s)
