"""Measure the throughput of the mock provider itself, to show that it is not the bottleneck of other scenarios."""

import asyncio

from benchmarks.bare_loop import bare_loop
from benchmarks.mock_provider.server import mock_provider
from benchmarks.processes import PROVIDER, use_of_children
from benchmarks.scenario import Measure, Scenario

_ITEMS = 5000


async def measure() -> list[Measure]:
    async with mock_provider() as url:
        await bare_loop("aiohttp", url, items=200, concurrency=50, model="mock-0ms")
        async with use_of_children() as use:
            seconds = await asyncio.wait_for(
                bare_loop("aiohttp", url, items=_ITEMS, concurrency=50, model="mock-0ms"), 300
            )
        calls = 2 * _ITEMS
        return [
            Measure("calls, per second of the provider's CPU", calls / use.cpu_s[PROVIDER], "per s", "3000 or more"),
            Measure("calls, as fast as one loop asks", calls / seconds, "per s"),
        ]


SCENARIO = Scenario(name="provider", title="The mock provider answers", measure=measure)
