"""Find and stop the processes that a killed supervisor, such as `llmbench up`, left behind. They are recognised by pid
and creation time, never by name."""

import signal

import psutil

from llmbench_cli.embedded.home import Child, Runtime

# PostgreSQL takes longest to stop: it gets as much time here as at a normal stop (`postgres.Cluster.spec`).
_GRACE_S = 20.0
# psutil derives creation times from the boot time, so that their last digits may vary.
_CLOCK_TOLERANCE_S = 1.0


def identify(name: str, pid: int) -> Child | None:
    """Return the record by which `living` can find this process again; `None` if it has already ended. `name` is only
    stored in the record."""
    try:
        return Child(name=name, pid=pid, created=psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        return None


def living(child: Child) -> psutil.Process | None:
    """Return the recorded process if it still runs; `None` if it has ended, even if another process has its pid now."""
    try:
        process = psutil.Process(child.pid)
        same = abs(process.create_time() - child.created) < _CLOCK_TOLERANCE_S
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.NoSuchProcess:
        return None


def end_leftovers(runtime: Runtime) -> list[str]:
    """Stop the processes that a dead stack left running; return their names.

    PostgreSQL gets its fast shutdown, which protects its data. A process that does not stop within 20 s is killed.
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
        # It ended by itself meanwhile, as intended.
        return
