"""Measure the resources that child processes use, by program: CPU time and memory."""

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
    # PostgreSQL comes first, because its processes name their clients (other programs) in their command lines.
    "postgres": "postgres",
    "config_api": "config-api",
    "orchestrator": "orchestrator",
    "inference_gateway": "inference-gateway",
    "judge": "judge",
    "gateway_ws": "gateway-ws",
    "identity": "identity",
    "nats-server": "nats",
    "caddy": "edge",
    "benchmarks.mock_provider": "provider",
}
PROVIDER = "provider"
BUFFERS = "shared buffers"
"""The name under which shared memory is counted: PostgreSQL's buffers, which fill up to their configured size."""


@dataclass
class Use:
    """The resources that each program used: CPU time in seconds, and memory in bytes, sampled about once a second.

    Shared memory is counted once, under `BUFFERS`.
    """

    cpu_s: dict[str, float] = field(default_factory=dict)
    samples: list[dict[str, int]] = field(default_factory=list)
    """The memory of each program at each sample."""

    @property
    def memory_bytes(self) -> dict[str, int]:
        """Return the peak memory of each program."""
        return {name: max(sample.get(name, 0) for sample in self.samples) for name in self._names()}

    @property
    def usual_bytes(self) -> dict[str, int]:
        """Return each program's median memory. Short-lived processes such as PostgreSQL's vacuum do not affect it."""
        return {name: int(median(sample.get(name, 0) for sample in self.samples)) for name in self._names()}

    @property
    def together_bytes(self) -> int:
        """Return the peak memory of all programs together, without the mock provider. It is at most the sum of their
        peaks, which may occur at different times."""
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
    """Measure the known programs among the processes that this one has started, directly or not, while the block runs.

    The measurements are complete at the end of the block.
    """
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
            # Include children that have ended, such as the process of a PostgreSQL connection.
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
    """Return a process's proportional set size in bytes, and how much of it is shared memory."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    found = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines[1:])}
    return found.get("Pss", 0), found.get("Pss_Shmem", 0)
