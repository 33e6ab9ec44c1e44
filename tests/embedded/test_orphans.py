"""Test that no process survives its supervisor: the kernel ends the child processes, and the next start ends those that
remain."""

import asyncio
import os
import subprocess
import sys

import psutil
import pytest

from llmbench_cli.embedded.home import Child, Runtime
from llmbench_cli.embedded.leftovers import end_leftovers, identify, living

pytestmark = pytest.mark.never_rerun

# Starts a child process as the platform does, prints the child's pid, and waits to be killed.
SUPERVISOR = """
import asyncio, pathlib, sys
from llmbench_cli.embedded.process import ProcessSpec, spawn

async def main():
    spec = ProcessSpec(name="x", command=(sys.executable, "-c", "import time; time.sleep(600)"),
                       log=pathlib.Path(sys.argv[1]), ready=asyncio.Event().wait)
    print((await spawn(spec)).pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def _runtime(*children: Child) -> Runtime:
    return Runtime(
        supervisor=Child(name="supervisor", pid=1, created=0.0),
        url="http://x",
        database_url="",
        nats_url="",
        children=children,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the next start ends them")
async def test_children_of_a_killed_supervisor_end(tmp_path: object) -> None:
    supervisor = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SUPERVISOR, f"{tmp_path}/x.log", stdout=asyncio.subprocess.PIPE
    )
    assert supervisor.stdout is not None
    child = psutil.Process(int(await supervisor.stdout.readline()))
    supervisor.kill()
    await supervisor.wait()
    _, alive = await asyncio.to_thread(psutil.wait_procs, [child], timeout=90)
    assert not alive


def test_remaining_processes_are_ended_and_named() -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        child = identify("nats", process.pid)
        assert child is not None
        assert end_leftovers(_runtime(child)) == ["nats"]
        assert living(child) is None


def test_other_process_with_the_same_pid_is_not_touched() -> None:
    ours = identify("nats", os.getpid())
    assert ours is not None
    stranger = ours.model_copy(update={"created": ours.created - 3600})
    assert end_leftovers(_runtime(stranger)) == []
