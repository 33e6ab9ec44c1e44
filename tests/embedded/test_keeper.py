"""Test a supervised process: it is ready when its probe succeeds, is restarted with growing delays, and always ends."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from llmbench_cli.embedded.backoff import MANY_DEATHS, SLOW_S
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.keeper import Keeper
from llmbench_cli.embedded.process import ProcessSpec
from tests.embedded.recorder import Recorder

pytestmark = pytest.mark.never_rerun

SLEEPER = "import time; time.sleep(600)"
STUBBORN = (
    "import pathlib, signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "pathlib.Path(sys.argv[1]).touch(); time.sleep(600)"
)


async def _at_once() -> None:
    """Do nothing. As a probe of readiness, this succeeds at once, so the process counts as ready as soon as it runs."""


async def _never() -> None:
    await asyncio.Event().wait()


def _spec(tmp_path: Path, program: str, *arguments: str, **overrides: object) -> ProcessSpec:
    fields = {
        "name": "part",
        "command": (sys.executable, "-c", program, *arguments),
        "log": tmp_path / "part.log",
        "ready": _at_once,
        **overrides,
    }
    return ProcessSpec(**fields)  # type: ignore[arg-type]


async def test_killed_process_is_restarted_and_a_stopped_one_is_not(tmp_path: Path) -> None:
    report, pids = Recorder(), []
    keeper = Keeper(_spec(tmp_path, SLEEPER), report=report, changed=lambda: pids.append(keeper.pid))
    await keeper.start()
    first = keeper.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    await report.until("again", "part")
    second = keeper.pid
    assert second not in (None, first)
    assert pids == [first, second]
    assert report.deaths == [("killed by signal 9", 0.2, False)]

    await keeper.stop()
    assert keeper.pid is None
    assert second is not None
    assert not psutil.pid_exists(second)
    assert ("stopped", "part") in report.events


async def test_process_that_exits_before_it_is_ready_is_an_error_with_its_last_output(tmp_path: Path) -> None:
    spec = _spec(tmp_path, "import sys; sys.exit('no room')", ready=_never)
    keeper = Keeper(spec, report=Recorder(), changed=lambda: None)
    with pytest.raises(StartError, match=r"part did not start: exit code 1; no room \(log: .*part\.log\)"):
        await keeper.start()


async def test_process_that_never_becomes_ready_is_ended(tmp_path: Path) -> None:
    keeper = Keeper(
        _spec(tmp_path, SLEEPER, ready=_never), report=Recorder(), changed=lambda: None, start_timeout_s=0.3
    )
    with pytest.raises(StartError, match="not ready after"):
        await keeper.start()
    assert keeper.pid is None


async def test_process_that_keeps_exiting_is_reported_failing_and_restarted_slowly(tmp_path: Path) -> None:
    report = Recorder()
    keeper = Keeper(_spec(tmp_path, ""), report=report, changed=lambda: None)
    # The process exits at once. The start may succeed or fail, depending on which is noticed first; both are correct.
    try:
        await keeper.start()
    except StartError:
        keeper = Keeper(_spec(tmp_path, "import time; time.sleep(0.2)"), report=report, changed=lambda: None)
        await keeper.start()
    try:
        await report.until("died", "part", times=MANY_DEATHS)
        delays = [(delay_s, failing) for _, delay_s, failing in report.deaths]
        assert delays == [(0.2, False), (0.4, False), (0.8, False), (1.6, False), (SLOW_S, True)]
    finally:
        await keeper.stop()


async def test_process_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    mark, report = tmp_path / "deaf", Recorder()

    async def is_deaf() -> None:
        while not mark.exists():
            await asyncio.sleep(0.01)

    spec = _spec(tmp_path, STUBBORN, str(mark), ready=is_deaf, stop_grace_s=0.3)
    keeper = Keeper(spec, report=report, changed=lambda: None)
    await keeper.start()
    await keeper.stop()
    assert keeper.pid is None
    assert ("killed", "part") in report.events


async def test_hurry_kills_the_process_without_a_grace_period(tmp_path: Path) -> None:
    mark = tmp_path / "deaf"

    async def is_deaf() -> None:
        while not mark.exists():
            await asyncio.sleep(0.01)

    report = Recorder()
    spec = _spec(tmp_path, STUBBORN, str(mark), ready=is_deaf, stop_grace_s=600)
    keeper = Keeper(spec, report=report, changed=lambda: None)
    await keeper.start()
    stopping = asyncio.create_task(keeper.stop())
    # Let `stop` send its signal, which the process ignores.
    await asyncio.sleep(0)
    keeper.hurry()
    await asyncio.wait_for(stopping, 90)
    assert keeper.pid is None


async def test_hurry_before_the_stop_takes_effect_at_the_stop(tmp_path: Path) -> None:
    keeper = Keeper(_spec(tmp_path, SLEEPER, stop_grace_s=600), report=Recorder(), changed=lambda: None)
    await keeper.start()
    keeper.hurry()
    assert keeper.pid is not None
    await asyncio.wait_for(keeper.stop(), 90)
    assert keeper.pid is None
