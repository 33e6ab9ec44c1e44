"""Test `up` and `migrate` with a user's own PostgreSQL or NATS server that is misconfigured or unreachable. They name
the problem in one line and exit with 1."""

import asyncio
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from llmbench.db.history import head
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.reach import reach_database, reach_nats
from tests.servers import nats_server, open_folder

SOON_S = 240.0


@pytest.fixture
def home() -> Iterator[Path]:
    folder = open_folder()
    yield folder / "home"
    shutil.rmtree(folder)


async def _llmbench(home: Path, *command: str, **settings: str) -> tuple[int, list[str]]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LLMBENCH_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "llmbench_cli.main",
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**kept, "LLMBENCH_HOME": str(home), "LLMBENCH_PORT": str(free_port()), "COLUMNS": "300", **settings},
    )
    printed, _ = await asyncio.wait_for(process.communicate(), SOON_S)
    assert process.returncode is not None
    assert b"Traceback" not in printed
    return process.returncode, printed.decode().strip().splitlines()


async def test_migrate_explains_a_wrong_database_url_in_one_line(home: Path, empty_postgres_url: str) -> None:
    wrong = {
        empty_postgres_url.replace("only-for-tests", "wrong-word"): "password authentication failed",
        empty_postgres_url.rsplit("/", 1)[0] + "/absent": 'database "absent" does not exist',
        "postgresql://llmbench:wrong-word@127.0.0.1:port/x": "LLMBENCH_DATABASE_URL is not a URL like postgresql://",
        "mysql://llmbench:wrong-word@127.0.0.1/x": "LLMBENCH_DATABASE_URL is not a URL like postgresql://",
    }
    for url, reason in wrong.items():
        code, [line] = await _llmbench(home, "migrate", LLMBENCH_DATABASE_URL=url)
        assert code == 1
        assert reason in line
        assert "wrong-word" not in line


async def test_migrate_creates_the_configured_logins(home: Path, empty_postgres_url: str) -> None:
    code, lines = await _llmbench(
        home,
        "migrate",
        LLMBENCH_DATABASE_URL=empty_postgres_url,
        LLMBENCH_DATABASE_LOGINS="config-api=only-for-tests,orchestrator=only-for-tests,"
        "inference-gateway=only-for-tests,identity=only-for-tests",
    )
    assert code == 0, lines
    assert lines == [
        f"schema empty → {head()}",
        "logins llmbench_config_api, llmbench_config_api_everybody, llmbench_identity, llmbench_identity_everybody, "
        "llmbench_inference_gateway, llmbench_orchestrator, llmbench_orchestrator_everybody",
    ]
    code, [line] = await _llmbench(
        home, "migrate", LLMBENCH_DATABASE_URL=empty_postgres_url, LLMBENCH_DATABASE_LOGINS="config-api"
    )
    assert code == 1
    assert "LLMBENCH_DATABASE_LOGINS is not a list like" in line


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"LLMBENCH_DATABASE_URL": "postgres//no"}, "LLMBENCH_DATABASE_URL is not a URL like postgresql://"),
        ({"LLMBENCH_NATS_URL": "nats://127.0.0.1:port"}, "LLMBENCH_NATS_URL is not a URL like nats://"),
    ],
)
async def test_up_names_a_malformed_url_at_once(home: Path, settings: dict[str, str], reason: str) -> None:
    code, lines = await _llmbench(home, "up", "--no-model", **settings)
    assert code == 1
    assert reason in lines[-1]


async def test_up_names_the_unreachable_server_and_gives_up(home: Path) -> None:
    for variable, what in (("LLMBENCH_DATABASE_URL", "PostgreSQL"), ("LLMBENCH_NATS_URL", "NATS")):
        port, scheme = free_port(), "nats" if what == "NATS" else "postgresql"
        address = f"127.0.0.1:{port}"
        code, lines = await _llmbench(
            home, "up", "--no-model", **{variable: f"{scheme}://llmbench:secret-word@{address}/x"}
        )
        assert code == 1
        assert any(f"waiting up to 10 s for {what} at {address}" in line for line in lines)
        assert f"llmbench cannot start: {what} at {address} does not answer" in lines[-1]
        assert "secret-word" not in "".join(lines)


async def test_refused_login_is_reported_without_waiting(nats_url: str, tmp_path: Path) -> None:
    notes: list[str] = []
    with pytest.raises(StartError, match=r"NATS at 127\.0\.0\.1:\d+ refuses the connection: .*Authorization"):
        await reach_nats(nats_url.replace("only-for-tests", "wrong"), notes.append)
    assert not notes


async def test_late_server_is_waited_for(tmp_path: Path, empty_postgres_url: str) -> None:
    port = free_port()
    notes: asyncio.Queue[str] = asyncio.Queue()
    url = f"nats://llmbench:only-for-tests@127.0.0.1:{port}"
    waiting = asyncio.create_task(reach_nats(url, notes.put_nowait, patience_s=SOON_S))
    assert "waiting up to" in await notes.get()
    async with nats_server(tmp_path, port=port):
        await waiting
    await reach_database(empty_postgres_url, notes.put_nowait)
    assert notes.empty()
