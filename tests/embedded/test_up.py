"""Test `llmbench up` as a user runs it: as a separate process, observed from outside."""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
import psutil
import pytest

from benchmarks.mock_provider.server import mock_provider
from llmbench_cli.embedded.home import Home, Runtime
from llmbench_cli.embedded.ports import free_port
from tests.servers import open_folder

pytestmark = pytest.mark.never_rerun

START_S = 240.0


@dataclass
class Up:
    """A running `llmbench up`; `printed` is the part of its output that was read so far."""

    process: asyncio.subprocess.Process
    home: Home
    printed: str = ""

    async def until(self, text: str, *, timeout_s: float = START_S) -> None:
        """Wait until the text was printed; fail if the process ends first."""
        assert self.process.stdout is not None
        async with asyncio.timeout(timeout_s):
            while text not in self.printed:
                line = await self.process.stdout.readline()
                assert line, f"ended without {text!r}: {self.printed}"
                self.printed += line.decode()

    async def rest(self) -> tuple[int, str]:
        """Wait until the process has ended. Return its exit code and all output."""
        output, _ = await asyncio.wait_for(self.process.communicate(), timeout=240)
        self.printed += output.decode()
        assert self.process.returncode is not None
        return self.process.returncode, self.printed

    def runtime(self) -> Runtime:
        runtime = self.home.runtime()
        assert runtime is not None
        return runtime

    def children(self) -> list[psutil.Process]:
        """Return all processes that the supervisor has started, directly or not."""
        return psutil.Process(self.process.pid).children(recursive=True)


@pytest.fixture
def home() -> Iterator[Home]:
    folder = open_folder()
    yield Home(folder / "home")
    shutil.rmtree(folder)


@contextlib.asynccontextmanager
async def _up(home: Home, *, port: int | None = None, **settings: str) -> AsyncIterator[Up]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LLMBENCH_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "llmbench_cli.main",
        "up",
        "--no-model",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={
            **kept,
            **settings,
            "LLMBENCH_HOME": str(home.root),
            "LLMBENCH_PORT": str(port or free_port()),
            "COLUMNS": "300",
        },
    )
    up = Up(process, home)
    try:
        yield up
    finally:
        if process.returncode is None:
            process.terminate()
            await asyncio.wait_for(process.communicate(), timeout=240)


async def _gone(processes: list[psutil.Process]) -> None:
    _, alive = await asyncio.to_thread(psutil.wait_procs, processes, timeout=240)
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
    """All files of the data directory exist, but one has a content with which PostgreSQL refuses to start. `llmbench
    up` reports this in one line."""
    async with _up(home) as up:
        await up.until("Ready in")
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
            await up.until(" s again")

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


@pytest.mark.shows("I-27", "S-10")
async def test_nothing_that_it_starts_can_be_a_provider(home: Home) -> None:
    async with _up(home) as up:
        await up.until("Ready in")
        runtime = up.runtime()
        async with httpx.AsyncClient(base_url=runtime.url, timeout=90, trust_env=False) as http:
            for name, port in {**runtime.ports, "edge": urlsplit(runtime.url).port}.items():
                body = {"type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": f"http://127.0.0.1:{port}", "headers": []}
                answer = await http.post("/api/providers/test", json=body)
                assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "base_url"), name


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


async def _busy_run(up: Up, provider_url: str, model: str) -> str:
    """Start a run, and return its id once the mock provider has received the run's first call."""
    async with httpx.AsyncClient(base_url=up.runtime().url, timeout=240) as http:

        async def post(path: str, body: dict[str, Any]) -> str:
            response = await http.post(path, json=body)
            assert response.is_success, response.text
            return str(response.json()["id"])

        provider_id = await post(
            "/api/providers", {"name": "Mock", "type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": provider_url}
        )
        task_id = await post("/api/tasks", {"task_id": "sum", "category": "sums", "question": "What is 1 + 1?"})
        collection_id = await post("/api/collections", {"name": "Sums", "task_ids": [task_id]})
        target = {"provider_id": provider_id, "model": model}
        evaluators = [{"kind": "contains", "params": {"texts": ["2"]}}]
        run = {"targets": [target], "collection_ids": [collection_id], "evaluators": evaluators}
        run_id = await post("/api/runs", run | {"check_providers": False})
    await _ledger(provider_url, 1)
    return run_id


async def _ledger(provider_url: str, calls: int) -> list[dict[str, Any]]:
    """Wait until the mock provider has received `calls` calls, and return its records of them."""
    async with asyncio.timeout(START_S), httpx.AsyncClient(base_url=provider_url, timeout=240) as http:
        while len(seen := (await http.get("/ledger")).json()) < calls:
            await asyncio.sleep(0.05)
    return list(seen)


async def _logged(home: Home, name: str, text: str) -> None:
    """Wait until the process has written `text` to its log."""
    async with asyncio.timeout(START_S):
        while text not in home.log(name).read_text("utf-8"):
            await asyncio.sleep(0.05)


async def test_a_stop_waits_for_the_calls_in_flight_and_pays_none_of_them_again(home: Home) -> None:
    model = "mock-0ms-kept"
    async with mock_provider() as provider_url, httpx.AsyncClient(base_url=provider_url, timeout=240) as provider:
        (await provider.post("/control", json={"model": model, "hold": 0})).raise_for_status()
        async with _up(home) as up:
            await up.until("Ready in")
            run_id = await _busy_run(up, provider_url, model)
            up.process.send_signal(signal.SIGINT)
            await up.until("waiting for 1 call to models, for at most 30 s")
            # The supervisor prints this before it stops the gateway, which until then may begin the next call.
            await _logged(home, "inference-gateway", "waiting for at most 30 s for the calls in flight: 1")
            (await provider.post("/control", json={"model": model, "hold": None})).raise_for_status()
            code, printed = await up.rest()
            assert code == 0
            assert "had to be killed" not in printed
        (stopped,) = await _ledger(provider_url, 1)
        assert stopped["answered"], "what was paid for has come"
        async with _up(home) as up:
            await up.until("Ready in")
            async with asyncio.timeout(START_S), httpx.AsyncClient(base_url=up.runtime().url, timeout=240) as http:
                while (await http.get(f"/api/runs/{run_id}")).json()["status"] != "FINISHED":
                    await asyncio.sleep(0.1)
        call_ids = [call["call_id"] for call in await _ledger(provider_url, 2)]
        assert len(call_ids) == len(set(call_ids)) == 2, "a warm-up and an answer, once each"


async def test_a_second_ctrl_c_waits_for_no_call(home: Home) -> None:
    async with mock_provider() as provider_url, _up(home) as up:
        await up.until("Ready in")
        await _busy_run(up, provider_url, "mock-hang")
        everything = up.children()
        up.process.send_signal(signal.SIGINT)
        await up.until("Ctrl-C again ends at once")

        async def insist() -> None:
            # A second Ctrl-C within half a second does not count: a terminal may deliver one keystroke twice. So repeat
            # it.
            while True:
                up.process.send_signal(signal.SIGINT)
                await asyncio.sleep(0.1)

        insisting = asyncio.create_task(insist())
        try:
            await up.until("Stopping at once")
        finally:
            insisting.cancel()
        assert (await up.rest())[0] == 0
        await _gone(everything)


async def test_first_start_with_sign_in_prints_the_link_for_the_owner_once(home: Home) -> None:
    async with _up(home, LLMBENCH_AUTH="on") as up:
        await up.until("Ready")
        link = urlsplit(up.printed.partition("it works once): ")[2].split()[0])
        assert link.path == "/first-owner"
        url = up.runtime().url
        assert url == f"http://{link.netloc}"
        assert "identity" in up.runtime().ports
        assert up.runtime().viewer_url == ""
        async with httpx.AsyncClient(base_url=url, timeout=90) as http:
            assert (await http.get("/api/tasks")).status_code == 401
            owner = {"email": "ada@example.org", "name": "Ada", "organisation": "Engines"}
            body = {**owner, "token": link.fragment, "password": "correct horse battery"}
            assert (await http.post("/api/auth/first-owner", json=body)).status_code == 201
            assert (await http.get("/api/providers")).status_code == 200
    async with _up(home, LLMBENCH_AUTH="on") as up:
        await up.until("Ready")
        assert "first-owner" not in up.printed


async def test_start_without_sign_in_runs_no_identity_service(home: Home) -> None:
    async with _up(home) as up:
        await up.until("Ready")
        assert "identity" not in {child.name for child in up.runtime().children}
        async with httpx.AsyncClient(base_url=up.runtime().url, timeout=90) as http:
            assert (await http.get("/api/auth/session")).json() == {"auth": "off"}
            assert (await http.post("/api/auth/sign-in")).status_code == 404
            assert (await http.get("/api/members")).status_code == 404
