"""Test that a process from a fork server behaves like a process of a new Python interpreter."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest

from llmbench_cli.embedded.binaries import checkout
from tests.preloaded.client import Servers
from tests.preloaded.programs import COMMAND_LINE, PRELOAD

PROGRAM = "tests.preloaded.probe"
TIMEOUT_S = 240.0


@pytest.fixture
def servers() -> Iterator[Servers]:
    opened = Servers({PROGRAM: "import random, uuid_utils, tests.preloaded"})
    yield opened
    opened.close()


class Probe:
    """Starts the program `tests.preloaded.probe`, by a fork server or a new interpreter, with pipes for its output."""

    def __init__(self, servers: Servers, *, forked: bool) -> None:
        self._servers = servers
        self._forked = forked

    async def begin(self, *arguments: str, **how: object) -> asyncio.subprocess.Process:
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": checkout(), **how}
        if self._forked:
            return await self._servers.start(PROGRAM, *arguments, **options)  # type: ignore[arg-type]
        return await asyncio.create_subprocess_exec(sys.executable, "-m", PROGRAM, *arguments, **options)  # type: ignore[arg-type]

    async def __call__(self, *arguments: str, **how: object) -> tuple[int | None, str, str]:
        process = await self.begin(*arguments, **how)
        out, err = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
        return process.returncode, out.decode(), (err or b"").decode()


@pytest.fixture(params=["forked", "interpreted"])
def probe(request: pytest.FixtureRequest, servers: Servers) -> Probe:
    return Probe(servers, forked=request.param == "forked")


@pytest.fixture
def forked(servers: Servers) -> Probe:
    return Probe(servers, forked=True)


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("return", 0),
        ("exit 3", 3),
        ("exit words", 1),
        ("raise", 1),
        ("interrupt", -signal.SIGINT),
        ("signal 15", -signal.SIGTERM),
        ("signal 9", -signal.SIGKILL),
    ],
)
async def test_end_is_reported(probe: Probe, how: str, code: int) -> None:
    returned, out, err = await probe("end", how)
    assert returned == code
    assert ("at exit" in out) == (not how.startswith("signal"))
    assert ("Traceback" in err) == (how in ("raise", "interrupt"))


async def test_process_has_what_was_requested_and_nothing_else(servers: Servers, tmp_path: Path) -> None:
    # Python finds the probe by PYTHONPATH, because the process does not run in the checkout.
    settings = {"PYTHONPATH": str(checkout()), "PATH": os.environ["PATH"], "ONLY": "here \udc80"}
    shown = []
    for forked in (True, False):
        process = await Probe(servers, forked=forked).begin(
            "show", "a b", "", env=settings, cwd=tmp_path, umask=0o027, start_new_session=True
        )
        out, err = await process.communicate()
        assert process.returncode == 0, err
        seen = json.loads(out)
        assert seen.pop("pid") == seen.pop("session") == seen.pop("group") == process.pid
        shown.append(seen)
    for name, value in shown[0].items():
        assert (name, value) == (name, shown[1][name])
    assert {**shown[0]["environment"], **settings} == shown[0]["environment"]
    assert shown[0]["descriptors"] == [0, 1, 2]


async def test_group_and_session_are_those_of_pytest_unless_new_ones_are_requested(forked: Probe) -> None:
    _, out, _ = await forked("show")
    seen = json.loads(out)
    assert (seen["group"], seen["session"]) == (os.getpgrp(), os.getsid(0))


async def test_input_reaches_the_process(probe: Probe) -> None:
    process = await probe.begin("echo", stdin=subprocess.PIPE)
    out, _ = await process.communicate(b"one\ntwo\n")
    assert out == b"one\ntwo\n"
    assert await probe("echo", stdin=subprocess.DEVNULL) == (0, "", "")
    _, both, _ = await probe("both", stderr=subprocess.STDOUT)
    assert sorted(both.splitlines()) == ["to stderr", "to stdout"]


@pytest.mark.never_rerun
async def test_process_can_be_stopped_continued_and_killed(probe: Probe) -> None:
    process = await probe.begin("wait")
    assert process.stdout is not None
    assert await process.stdout.readline() == b"waiting\n"
    assert process.returncode is None
    process.send_signal(signal.SIGSTOP)
    running = psutil.Process(process.pid)
    async with asyncio.timeout(TIMEOUT_S):
        while running.status() != psutil.STATUS_STOPPED:
            await asyncio.sleep(0)
    process.send_signal(signal.SIGCONT)
    process.terminate()
    assert await asyncio.wait_for(process.wait(), TIMEOUT_S) == -signal.SIGTERM
    assert process.returncode == -signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        process.kill()


async def test_many_processes_at_once_have_their_own_output_and_random_numbers(forked: Probe) -> None:
    ended = await asyncio.gather(*(forked("draw", str(number)) for number in range(40)))
    drawn = [json.loads(out) for _, out, _ in ended]
    assert [code for code, _, _ in ended] == [number % 7 for number in range(40)]
    assert [one["number"] for one in drawn] == [str(number) for number in range(40)]
    assert len({one["random"] for one in drawn}) == 40
    assert len({one["uuid"] for one in drawn}) == 40


async def test_program_that_cannot_be_imported_is_an_error_with_the_reason() -> None:
    with (
        contextlib.closing(Servers({PROGRAM: "import no_such_module"})) as servers,
        pytest.raises(AssertionError, match="No module named 'no_such_module'"),
    ):
        await servers.start(PROGRAM)


async def test_folder_that_does_not_exist_is_an_error_and_the_server_goes_on(forked: Probe) -> None:
    with pytest.raises(AssertionError, match="/no/such/folder"):
        await forked("show", cwd="/no/such/folder")
    assert (await forked("end", "return"))[0] == 0


@contextlib.asynccontextmanager
async def _user_of_a_server() -> AsyncIterator[tuple[asyncio.subprocess.Process, list[psutil.Process]]]:
    """Yield a process that has started a fork server, and a list of the server and the server's two children."""
    user = await asyncio.create_subprocess_exec(
        sys.executable, "-m", PROGRAM, "use", cwd=checkout(), stdout=subprocess.PIPE
    )
    assert user.stdout is not None
    assert await user.stdout.readline() == b"using\n"
    yield user, psutil.Process(user.pid).children(recursive=True)


@pytest.mark.never_rerun
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_nothing_is_left_after_the_end_of_the_user(number: signal.Signals) -> None:
    async with _user_of_a_server() as (user, family):
        assert len(family) == 3
        user.send_signal(number)
        await user.wait()
        _, alive = await asyncio.to_thread(psutil.wait_procs, family, TIMEOUT_S)
        assert alive == []


@pytest.mark.parametrize("program", [COMMAND_LINE, "judge"])
async def test_program_of_the_platform_ends_as_the_interpreted_one(program: str, tmp_path: Path) -> None:
    # A service ends with a message about its settings, and the command line with its help.
    settings = {"PATH": os.environ["PATH"], "PYTHONPATH": str(checkout()), "LLMBENCH_NO_SUCH": "1"}
    with contextlib.closing(Servers(PRELOAD)) as servers:
        ends = []
        for start in (servers.start, _interpreted):
            process = await start(
                program, "--help", stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=settings, cwd=tmp_path
            )
            out, err = await process.communicate()
            ends.append((process.returncode, out.decode(), err.decode()))
    assert ends[0] == ends[1]
    assert any(ends[0][1:])
    assert "Traceback" not in ends[0][2]


async def _interpreted(module: str, *arguments: str, **how: object) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(sys.executable, "-m", module, *arguments, **how)  # type: ignore[arg-type]
