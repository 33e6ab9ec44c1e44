"""`llmbench up` as a person runs it: a process of its own, watched from outside."""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import psutil
import pytest

from llmbench_cli.embedded.home import Home, Runtime
from llmbench_cli.embedded.ports import free_port
from tests.servers import open_folder

pytestmark = pytest.mark.never_rerun

START_S = 90.0


@dataclass
class Up:
    """A running `llmbench up` and what it has printed so far."""

    process: asyncio.subprocess.Process
    home: Home
    printed: str = ""

    async def until(self, text: str, *, timeout_s: float = START_S) -> None:
        """Return once the text was printed; fail when the process ends without it."""
        assert self.process.stdout is not None
        async with asyncio.timeout(timeout_s):
            while text not in self.printed:
                line = await self.process.stdout.readline()
                assert line, f"ended without {text!r}: {self.printed}"
                self.printed += line.decode()

    async def rest(self) -> tuple[int, str]:
        """Wait for the end; return the exit code and everything printed."""
        output, _ = await asyncio.wait_for(self.process.communicate(), timeout=90)
        self.printed += output.decode()
        assert self.process.returncode is not None
        return self.process.returncode, self.printed

    def runtime(self) -> Runtime:
        runtime = self.home.runtime()
        assert runtime is not None
        return runtime

    def children(self) -> list[psutil.Process]:
        """Return every process below the supervisor."""
        return psutil.Process(self.process.pid).children(recursive=True)


@pytest.fixture
def home() -> Iterator[Home]:
    folder = open_folder()
    yield Home(folder / "home")
    shutil.rmtree(folder)


@contextlib.asynccontextmanager
async def _up(home: Home, *, port: int | None = None) -> AsyncIterator[Up]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LLMBENCH_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "llmbench_cli.main",
        "up",
        "--no-model",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**kept, "LLMBENCH_HOME": str(home.root), "LLMBENCH_PORT": str(port or free_port()), "COLUMNS": "300"},
    )
    up = Up(process, home)
    try:
        yield up
    finally:
        if process.returncode is None:
            process.terminate()
            await asyncio.wait_for(process.communicate(), timeout=90)


async def _gone(processes: list[psutil.Process]) -> None:
    _, alive = await asyncio.to_thread(psutil.wait_procs, processes, timeout=90)
    assert not alive


async def test_a_taken_port_is_one_line_that_names_its_holder(home: Home) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        async with _up(home, port=port) as up:
            code, printed = await up.rest()
    assert code == 1
    reason = printed.strip().splitlines()[-1]
    assert f"port {port} is taken by pid {os.getpid()}" in reason
    assert "LLMBENCH_PORT" in reason
    assert "Traceback" not in printed


async def test_broken_data_is_one_line_that_names_the_log(home: Home) -> None:
    (home.root / "postgres").mkdir(parents=True)
    (home.root / "postgres" / "PG_VERSION").write_text("9.6\n")
    async with _up(home) as up:
        code, printed = await up.rest()
    assert code == 1
    reason = printed.strip().splitlines()[-1]
    assert "holds data of PostgreSQL 9.6" in reason
    assert f"log: {home.log('postgres')}" in reason
    assert "Traceback" not in printed
    assert home.runtime() is None


async def test_data_that_only_the_server_finds_broken_is_one_line_too(home: Home) -> None:
    """The files are all there, but what is in one of them makes the server refuse."""
    async with _up(home) as up:
        await up.until("✓ PostgreSQL")
        up.process.terminate()
        assert (await up.rest())[0] == 0
    control = home.root / "postgres" / "global" / "pg_control"
    control.write_bytes(b"\0" * control.stat().st_size)
    async with _up(home) as up:
        code, printed = await up.rest()
    assert code == 1
    reason = printed.strip().splitlines()[-1]
    assert "postgres did not start: exit code" in reason
    assert f"log: {home.log('postgres')}" in reason


async def test_it_serves_restarts_what_dies_and_frees_everything(home: Home) -> None:
    async with _up(home) as up:
        await up.until("Ready in")
        for name in ("nats", "postgres", "judge", "edge"):
            child = next(child for child in up.runtime().children if child.name == name)
            up.printed = ""
            os.kill(child.pid, signal.SIGKILL)
            await up.until("again")

        async with _up(home) as second:
            code, printed = await second.rest()
        assert code == 1
        assert f"already runs at {up.runtime().url} (pid {up.process.pid}" in printed.strip().splitlines()[-1]

        everything = up.children()
        assert len(everything) >= 8
        up.process.send_signal(signal.SIGINT)
        code, printed = await up.rest()
        assert code == 0
        assert "had to be killed" not in printed
        await _gone(everything)
    assert home.runtime() is None


async def test_after_a_kill_nothing_is_left_and_the_next_start_keeps_its_ports(home: Home) -> None:
    async with _up(home) as up:
        await up.until("Ready in")
        before, everything = up.runtime(), up.children()
        up.process.kill()
        await up.process.wait()
        await _gone(everything)
    async with _up(home) as up:
        await up.until("Ready in")
        assert up.runtime().ports == before.ports
