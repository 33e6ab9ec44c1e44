"""Measure how long `llmbench up` takes until it is ready, and until the first row of a run is visible. Each measurement
is made with a new home folder, and again with the same folder.

The start of each service is also measured alone: time and CPU time until it is ready, and its memory at that moment.
"""

import shutil
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import psutil

from benchmarks.browser import measured_by
from benchmarks.mock_provider.server import mock_provider
from benchmarks.scenario import Measure, Scenario
from benchmarks.up import up
from tests.platform import platform
from tests.servers import open_folder

_TIMES = 3


@dataclass(frozen=True)
class _Seen:
    """The seconds from the command to its ready message, and from that message to the run's first row in a browser."""

    ready_s: float
    row_s: float


async def measure() -> list[Measure]:
    seen: dict[str, list[_Seen]] = defaultdict(list)
    async with mock_provider() as provider_url:
        for _ in range(_TIMES):
            folder = open_folder()
            try:
                for how in ("cold", "warm"):
                    seen[how].append(await _up(folder / "home", provider_url))
            finally:
                shutil.rmtree(folder)
    measures = [measured for how, found in seen.items() for measured in _of(how, found)]
    return measures + await _each_service()


async def _up(home: Path, provider_url: str) -> _Seen:
    """Measure one start of the platform. The page of a run from an earlier start is opened; if none exists, a run is
    created first."""
    async with up(home, provider_url) as running:
        began = time.perf_counter()
        runs = (await running.stack.get("/api/runs"))["items"]
        if runs:
            run_id = runs[0]["id"]
        else:
            await running.stack.seed(tasks=5)
            run_id = await running.stack.start_run("mock-0ms")
        begun_s = time.perf_counter() - began
        (page,) = await measured_by("first-row", url=running.stack.url, LLMBENCH_BENCH_RUN=run_id)
        return _Seen(running.ready_s, begun_s + page.value)


def _of(how: str, found: list[_Seen]) -> list[Measure]:
    return [
        Measure(f"llmbench up, {how}: until it is ready", median(start.ready_s for start in found), "s"),
        Measure(f"llmbench up, {how}: from there to a run's first row", median(start.row_s for start in found), "s"),
        Measure(
            f"llmbench up, {how}: until a run's first row is visible",
            median(start.ready_s + start.row_s for start in found),
            "s",
        ),
    ]


async def _each_service() -> list[Measure]:
    measures = []
    async with platform(tasks=1) as stack:
        for name, service in stack.services.items():
            cpu_s, wall_s, memory = [], [], []
            for _ in range(_TIMES):
                await service.stop()
                began = time.perf_counter()
                await service.start()
                wall_s.append(time.perf_counter() - began)
                assert service.process is not None
                process = psutil.Process(service.process.pid)
                cpu_s.append(sum(process.cpu_times()[:2]))
                memory.append(process.memory_info().rss / 1e6)
            measures += [
                Measure(f"{name}: CPU until it is ready", median(cpu_s), "s"),
                Measure(f"{name}: until it is ready", median(wall_s), "s"),
                Measure(f"{name}: memory", median(memory), "MB"),
            ]
    return measures


SCENARIO = Scenario(name="start_up", title="llmbench up, cold and warm; each service alone", measure=measure)
