"""What the platform's processes use: CPU time between two moments, and the most memory in between, by program."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

_EVERY_S = 1.0
# What a command line says → the program's name in the report. The provider is no part of the platform.
_PROGRAMS = {
    # First: its processes name those whom they serve.
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


@dataclass
class Use:
    """By program: seconds of CPU, and the most memory in bytes (shared memory counted once)."""

    cpu_s: dict[str, float] = field(default_factory=dict)
    memory_bytes: dict[str, int] = field(default_factory=dict)
    together_bytes: int = 0
    """The most that all of them had at one moment; they do not peak together."""


@asynccontextmanager
async def use_of_children() -> AsyncIterator[Use]:
    """Of this process's children, while the block runs; the figures are there when it is left."""
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
            now[name] += _proportional_bytes(process.pid)
    for name, size in now.items():
        use.memory_bytes[name] = max(size, use.memory_bytes.get(name, 0))
    use.together_bytes = max(use.together_bytes, sum(size for name, size in now.items() if name != PROVIDER))


def _cpu_s() -> Mapping[str, float]:
    used: dict[str, float] = defaultdict(float)
    for name, process in _programs():
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            # Of those that have ended as well: a connection's process in PostgreSQL, say.
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


def _proportional_bytes(pid: int) -> int:
    """Its own memory, and its share of what it shares with others."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0
