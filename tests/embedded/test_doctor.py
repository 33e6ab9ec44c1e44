"""Test `llmbench doctor` on a real stack: healthy, and with faults."""

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from llmbench.db.history import head
from llmbench_cli.embedded.home import Home
from llmbench_cli.embedded.services import services_of
from tests.embedded.test_up import _up
from tests.servers import open_folder


@pytest.fixture
def home() -> Iterator[Home]:
    folder = open_folder()
    yield Home(folder / "home")
    shutil.rmtree(folder)


async def _doctor(home: Home, *options: str, **environment: str) -> tuple[int, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LLMBENCH_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "llmbench_cli.main",
        "doctor",
        *options,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**kept, "LLMBENCH_HOME": str(home.root), "COLUMNS": "200", **environment},
    )
    printed, _ = await asyncio.wait_for(process.communicate(), 90)
    assert process.returncode is not None
    return process.returncode, printed.decode()


def _findings(printed: str) -> dict[tuple[str, str], dict[str, Any]]:
    return {(finding["about"], finding["name"]): finding for finding in json.loads(printed)["findings"]}


async def test_doctor_shows_healthy_and_faulty_parts(home: Home) -> None:
    code, printed = await _doctor(home)
    assert (code, "start one with `llmbench up`" in printed) == (1, True)
    async with _up(home) as up:
        await up.until("Ready in")
        code, printed = await _doctor(home, "--json")
        assert code == 0, printed
        found = _findings(printed)
        assert {name for about, name in found if about == "service"} == set(services_of("off"))
        assert found["database", "schema"]["detail"] == head()
        assert found["process", "edge"]["detail"].endswith(f"port {up.runtime().url.rpartition(':')[2]}")
        assert {name for about, name in found if about == "stream"} >= {"COMMANDS", "EVENTS", "REPORTS", "KV_run_state"}
        assert ("consumer", "COMMANDS/judge") in found
        assert found["key", "master.key"]["detail"] == "mode 0600"
        code, printed = await _doctor(home)
        assert (code, "All is well." in printed) == (0, True)

        # With LLMBENCH_URL, as in a container, the command checks the platform at that URL.
        elsewhere = Home(home.root.with_name("elsewhere"))
        running = up.runtime()
        named = {"LLMBENCH_URL": f"{running.url}/", "LLMBENCH_DATABASE_URL": running.database_url}
        code, printed = await _doctor(elsewhere, "--json", **named)
        assert code == 0, printed
        found = _findings(printed)
        assert {name for about, name in found if about == "service"} == set(services_of("off"))
        assert found["database", "schema"]["detail"] == head()
        assert not [name for about, name in found if about in ("process", "stream")]
        code, printed = await _doctor(elsewhere, "--json", LLMBENCH_URL="http://127.0.0.1:9")
        assert code == 1
        assert "does not answer" in _findings(printed)["service", "judge"]["detail"]

        (home.root / "master.key").chmod(0o644)
        judge = next(child for child in up.runtime().children if child.name == "judge")
        os.kill(judge.pid, signal.SIGSTOP)
        try:
            code, printed = await _doctor(home, "--json")
        finally:
            os.kill(judge.pid, signal.SIGCONT)
        assert code == 1
        found = _findings(printed)
        assert "chmod 600" in found["key", "master.key"]["advice"]
        assert not found["service", "judge"]["ok"]
        assert "does not answer" in found["service", "judge"]["detail"]
        assert found["service", "orchestrator"]["ok"]
