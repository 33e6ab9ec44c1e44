"""What the start of each service costs: CPU until it is ready, and the memory it has by then."""

import time
from statistics import median

import psutil

from benchmarks.scenario import Measure, Scenario
from tests.platform import platform

_TIMES = 3


async def measure() -> list[Measure]:
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


SCENARIO = Scenario(name="start_up", title="Each service is started, alone", measure=measure)
