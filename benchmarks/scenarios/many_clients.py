"""Measure the latency of events, and CPU and memory of gateway-ws, while many clients follow a run.

The run has 500 events a second. Each number of clients is measured without and with 50 more clients that read nothing.
"""

from statistics import quantiles
from typing import Any
from urllib.parse import urlsplit

from benchmarks.changes import change_items
from benchmarks.client_process import connected
from benchmarks.processes import use_of_children
from benchmarks.scenario import Measure, Scenario
from llmbench_cli.embedded.ports import LOOPBACK
from tests.platform import Platform, platform

CLIENTS = (200, 1000)
DEAF = 50
EVENTS_PER_SECOND = 500
SECONDS = 10.0


async def measure() -> list[Measure]:
    measures: list[Measure] = []
    async with platform(tasks=50) as stack:
        for clients in CLIENTS:
            for deaf in (0, DEAF):
                # The run is new each time, because its events are numbered and each number may exist only once.
                run_id = await stack.start_run("mock-0ms-a", "mock-0ms-b", concurrency=4)
                await stack.until_status(run_id, "FINISHED")
                measures += await _watched(stack, run_id, clients, deaf)
    return measures


async def _watched(stack: Platform, run_id: str, clients: int, deaf: int) -> list[Measure]:
    who = f"{clients:,} clients" + (f", {deaf} more read nothing" if deaf else "")
    async with use_of_children() as use:
        seen, sent = await _fed(stack, run_id, clients, deaf)
    ages = sorted(seen["ages_ms"])
    cuts = quantiles(ages, n=100)
    complete = sum(count >= sent for count in seen["counts"])
    return [
        Measure(f"{who}: got all {sent:,} events", complete, "clients", f"{clients:,}"),
        Measure(f"{who}: event to client, median", cuts[49], "ms"),
        Measure(f"{who}: event to client, 99 of 100", cuts[98], "ms", "250 or less"),
        Measure(f"{who}: event to client, worst", ages[-1], "ms"),
        Measure(f"{who}: CPU of gateway-ws", use.cpu_s.get("gateway-ws", 0.0) / SECONDS * 100, "%"),
        Measure(f"{who}: memory of gateway-ws", use.memory_bytes.get("gateway-ws", 0) / 1024**2, "MB"),
    ]


async def _fed(stack: Platform, run_id: str, clients: int, deaf: int) -> tuple[dict[str, Any], int]:
    where = ("--url", f"http://{LOOPBACK}:{stack.ports['gateway-ws']}", "--host", urlsplit(stack.url).netloc)
    who = ("--run", run_id, "--clients", str(clients), "--deaf", str(deaf))
    async with connected("benchmarks.watchers", *where, *who) as clients_process:
        sent = await change_items(stack, run_id, per_second=EVENTS_PER_SECOND, seconds=SECONDS)
        return await clients_process.end(str(sent)), sent


SCENARIO = Scenario(name="many_clients", title="Many browsers on one gateway, 500 events a second", measure=measure)
