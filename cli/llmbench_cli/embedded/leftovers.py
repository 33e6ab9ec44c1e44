"""Processes that a killed supervisor left behind: found by pid and creation time, never by name."""

import signal

import psutil

from llmbench_cli.embedded.home import Child, Runtime

_GRACE_S = 10.0
# psutil derives creation times from the boot time; the last digits may wobble.
_CLOCK_TOLERANCE_S = 1.0


def identify(name: str, pid: int) -> Child | None:
    """Return a process's identity, or None when it has ended already."""
    try:
        return Child(name=name, pid=pid, created=psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        return None


def living(child: Child) -> psutil.Process | None:
    """Return the process if it is still the one that was recorded."""
    try:
        process = psutil.Process(child.pid)
        same = abs(process.create_time() - child.created) < _CLOCK_TOLERANCE_S
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.NoSuchProcess:
        return None


def end_leftovers(runtime: Runtime) -> list[str]:
    """End what is left of a dead stack; return the names of what had to be ended.

    PostgreSQL gets its fast shutdown, because its data is what matters.
    """
    left = [(child, process) for child in runtime.children if (process := living(child))]
    for child, process in left:
        _signal(process, signal.SIGINT if child.name == "postgres" else signal.SIGTERM)
    _, stubborn = psutil.wait_procs([process for _, process in left], timeout=_GRACE_S)
    for process in stubborn:
        _signal(process, signal.SIGKILL)
    psutil.wait_procs(stubborn, timeout=_GRACE_S)
    return [child.name for child, _ in left]


def _signal(process: psutil.Process, number: signal.Signals) -> None:
    try:
        process.send_signal(number)
    except psutil.NoSuchProcess:
        # It ended by itself in the meantime, which is what we want.
        return
