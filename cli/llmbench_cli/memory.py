"""Measure the memory of processes as their proportional set size, which divides a shared page among the processes that
use it."""

import asyncio
from collections.abc import Mapping

import psutil
from rich.table import Table

SUPERVISOR = "supervisor"


async def measured(pids: Mapping[str, int], *, settle_s: float = 5.0) -> Table:
    """Wait `settle_s` for the memory to settle, then return a table of MB per part and in total. `pids` maps the name
    of each part to its process.

    Child processes are included. The supervisor is measured without its children, because they are the other parts.
    Raises `psutil.NoSuchProcess` if a process has ended.
    """
    await asyncio.sleep(settle_s)
    table = Table(title="Memory, idle")
    table.add_column("part")
    table.add_column("MB", justify="right")
    total = 0.0
    for name, pid in pids.items():
        megabytes = family_mb(pid, children=name != SUPERVISOR)
        total += megabytes
        table.add_row(name, f"{megabytes:.0f}")
    table.add_row("total", f"{total:.0f}", style="bold")
    return table


def family_mb(pid: int, *, children: bool = True) -> float:
    """Return the proportional set size in MB of a process and, unless `children` is False, of all processes below it.
    Raises `psutil.NoSuchProcess` if the process has ended."""
    process = psutil.Process(pid)
    family = [process, *(process.children(recursive=True) if children else [])]
    return sum(_pss_bytes(member) for member in family) / 1e6


def _pss_bytes(process: psutil.Process) -> int:
    try:
        full = process.memory_full_info()
    except psutil.NoSuchProcess:
        return 0
    # Use the unique set size if the system reports no proportional one.
    return int(getattr(full, "pss", full.uss))
