"""Measure the response times of requests."""

import time
from collections.abc import Awaitable, Callable
from statistics import median
from typing import Any

from benchmarks.scenario import Measure


async def took(name: str, ask: Callable[[], Awaitable[Any]], *, times: int = 5, aim: str | None = None) -> Measure:
    """Call `ask`, which makes one request, `times` times. Return the median duration in milliseconds as the measurement
    `name`."""
    seen = []
    for _ in range(times):
        began = time.perf_counter()
        await ask()
        seen.append((time.perf_counter() - began) * 1000)
    return Measure(name, median(seen), "ms", aim)
