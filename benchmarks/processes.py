"""Measure the resources of the platform's processes, by program: CPU time between two moments, and peak memory."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import psutil

_EVERY_S = 1.0
# A part of the command line identifies each program. The provider is not part of the platform.
_PROGRAMS = {
    # This comes first, because its processes name their clients in their command lines.
    "postgres": "postgres",
    "config_api": "config-api",
    "orchestrator": "orchestrator",
    "inference_gateway": "inference-gateway",
    "judge": "judge",
    "gateway_ws": "gateway-ws",
    "nats-server": "nats",
    "caddy": "edge",
    "benchmarks.mock_provider": "provider",
}
PROVIDER = "provider"
BUFFERS = "shared buffers"
"""PostgreSQL's pages, which fill up to the configured size and then stay."""


@dataclass
class Use:
    """The usage by program: seconds of CPU, and memory in bytes (shared memory counted once)."""

    cpu_s: dict[str, float] = field(default_factory=dict)
    samples: list[dict[str, int]] = field(default_factory=list)
    """The memory of each program at each sample."""

    @property
    def memory_bytes(self) -> dict[str, int]:
        """Return the peak of each program."""
        return {name: max(sample.get(name, 0) for sample in self.samples) for name in self._names()}

    @property
    def usual_bytes(self) -> dict[str, int]:
        """Return the median of each program, which short-lived processes such as PostgreSQL's vacuum do not affect."""
        return {name: int(median(sample.get(name, 0) for sample in self.samples)) for name in self._names()}

    @property
    def together_bytes(self) -> int:
        """Return the peak of the sum; programs do not peak at the same time."""
        return max(map(_together, self.samples))

    @property
    def usual_together_bytes(self) -> int:
        return int(median(map(_together, self.samples)))

    def _names(self) -> set[str]:
        return {name for sample in self.samples for name in sample}


def _together(sample: Mapping[str, int]) -> int:
    return sum(size for name, size in sample.items() if name != PROVIDER)


@asynccontextmanager
async def use_of_children() -> AsyncIterator[Use]:
    """Measure this process's children while the block runs; the figures are complete when it is left."""
    use = Use()
    before = _cpu_s()
    watching = asyncio.create_task(_watch(use))
    try:
        yield use
    finally:
        watching.cancel()
        _look(use)
        use.cpu_s = {name: seconds - before.get(name, 0.0) for name, seconds in _cpu_s().items()}


async def _watch(use: Use) -> None:
    while True:
        _look(use)
        await asyncio.sleep(_EVERY_S)


def _look(use: Use) -> None:
    now: dict[str, int] = defaultdict(int)
    for name, process in _programs():
        with suppress(psutil.NoSuchProcess, OSError):
            proportional, shared = _bytes(process.pid)
            now[name] += proportional - shared
            if shared:
                now[BUFFERS] += shared
    use.samples.append(dict(now))


def _cpu_s() -> Mapping[str, float]:
    used: dict[str, float] = defaultdict(float)
    for name, process in _programs():
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            # The figure includes children that have ended, such as the process of a PostgreSQL connection.
            used[name] += times.user + times.system + times.children_user + times.children_system
    return used


def _programs() -> list[tuple[str, psutil.Process]]:
    found = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            command = process.cmdline()[:3]
            name = next((name for word, name in _PROGRAMS.items() if any(word in part for part in command)), None)
            if name is not None:
                found.append((name, process))
    return found


def _bytes(pid: int) -> tuple[int, int]:
    """Return a process's memory with its share of shared pages, and the part of it in shared memory."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    found = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines[1:])}
    return found.get("Pss", 0), found.get("Pss_Shmem", 0)
