"""Test that a backup restores everything: finished runs are complete, and paused runs can continue."""

import asyncio
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchmarks.mock_provider.server import mock_provider
from llmbench.db.history import head
from llmbench_cli.embedded.home import Home
from tests.embedded.test_up import _up
from tests.servers import open_folder

pytestmark = pytest.mark.never_rerun

PATIENCE_S = 150.0
SLOW_JUDGE = "mock-0ms-slow-judge"


@pytest.fixture
def home() -> Iterator[Home]:
    folder = open_folder()
    yield Home(folder / "home")
    shutil.rmtree(folder)


async def _llmbench(home: Home, *command: str) -> tuple[int, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LLMBENCH_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "llmbench_cli.main",
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**kept, "LLMBENCH_HOME": str(home.root), "COLUMNS": "300"},
    )
    printed, _ = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    assert process.returncode is not None
    assert b"Traceback" not in printed, printed.decode()
    return process.returncode, printed.decode()


class Api:
    """A client of the platform's API. Its method `post` raises an error for an error response."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def post(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        response = await self.http.post(path, json=body)
        assert response.is_success, response.text
        answer: dict[str, Any] = response.json()
        return answer

    async def until(self, run_id: str, status: str, *, judged: int = 0) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                run: dict[str, Any] = (await self.http.get(f"/api/runs/{run_id}")).json()
                if run.get("status") == status and run["counts"]["judged"] >= judged:
                    return run
                await asyncio.sleep(0.05)


@asynccontextmanager
async def _platform(home: Home) -> Any:
    async with _up(home) as up:
        await up.until("Ready in")
        async with httpx.AsyncClient(base_url=up.runtime().url, timeout=90) as http:
            yield Api(http)


async def _seed(api: Api, provider_url: str) -> dict[str, Any]:
    provider = await api.post(
        "/api/providers",
        {
            "name": "Mock",
            "type": "CUSTOM_OPEN_AI_COMPATIBLE",
            "base_url": provider_url,
            "headers": [{"header_key": "Authorization", "header_value": "Bearer sk-0123456789", "is_secret": True}],
        },
    )
    tasks = [
        (await api.post("/api/tasks", {"task_id": f"t-{n}", "category": "c", "question": f"{n}?"}))["id"]
        for n in range(4)
    ]
    collection = await api.post("/api/collections", {"name": "All", "task_ids": tasks})
    return {
        "judge": {"provider_id": provider["id"], "model": "mock-0ms-judge"},
        "targets": [{"provider_id": provider["id"], "model": "mock-0ms"}],
        "collection_ids": [collection["id"]],
        "check_providers": False,
    }


async def _control(provider: httpx.AsyncClient, **settings: Any) -> None:
    (await provider.post("/control", json={"model": SLOW_JUDGE, **settings})).raise_for_status()


async def test_restore_recovers_all_data_and_a_paused_run_continues(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "all.backup"
    assert (await _llmbench(home, "backup", str(file)))[0] == 1, "nothing is there yet"
    async with mock_provider() as provider_url, httpx.AsyncClient(base_url=provider_url, timeout=90) as provider:
        async with _platform(home) as api:
            body = await _seed(api, provider_url)
            dataset = (await api.post("/v1/datasets", {"name": "Questions"}))["dataset_id"]
            upload = {"file": ("cases.jsonl", b'{"prompt": "1?"}\n')}
            (await api.http.post(f"/v1/datasets/{dataset}/versions", files=upload)).raise_for_status()
            (uploaded,) = [path for path in home.files.rglob("*") if path.is_file()]
            finished = (await api.post("/api/runs", body))["id"]
            before = await api.until(finished, "FINISHED")
            # The provider answers two calls, the warm-up and one score. The next call is in flight when the run is
            # paused.
            await _control(provider, hold=2, latency_s=1)
            body["judge"]["model"] = SLOW_JUDGE
            paused = (await api.post("/api/runs", body))["id"]
            await api.until(paused, "RUNNING", judged=1)
            await api.post(f"/api/runs/{paused}/pause")
            await _control(provider, hold=None)
            await api.until(paused, "PAUSED")

            code, printed = await _llmbench(home, "backup", str(file))
            assert code == 0, printed
            assert f"schema {head()}" in printed
            assert str(home.root / "master.key") in printed
            assert file.stat().st_mode & 0o777 == 0o600
            code, printed = await _llmbench(home, "restore", str(file))
            assert (code, "stop it first" in printed) == (1, True)
        again = tmp_path / "stopped.backup"
        assert (await _llmbench(home, "backup", str(again)))[0] == 0, "also while it is stopped"
        code, printed = await _llmbench(home, "backup", str(file))
        assert (code, "never overwrites a file" in printed) == (1, True)

        # If the folder of uploads is missing, as when it is not mounted, the backup must fail rather than omit the
        # uploads.
        away, rows_alone = home.files.with_name("elsewhere"), tmp_path / "rows.backup"
        home.files.rename(away)
        code, printed = await _llmbench(home, "backup", str(rows_alone))
        assert code == 1
        assert f"names 1 uploaded files, and none of them is in {home.files}" in printed
        assert not rows_alone.exists()
        assert (await _llmbench(home, "backup", str(rows_alone), "--without-files"))[0] == 0
        away.rename(home.files)

        code, printed = await _llmbench(home, "restore", str(file))
        assert code == 1
        assert "the database is not empty" in printed
        assert "--force" in printed
        assert (await _llmbench(home, "restore", str(file), "--force"))[0] == 0

        assert uploaded.read_bytes() == b'{"prompt": "1?"}\n', "put back over itself"

        # Delete everything but the master key.
        data = (home.root / "postgres").resolve()
        key = (home.root / "master.key").read_text()
        shutil.rmtree(data)
        shutil.rmtree(home.root)
        code, printed = await _llmbench(home, "restore", str(file))
        assert code == 0, printed
        assert "put the old one at" in printed
        assert uploaded.read_bytes() == b'{"prompt": "1?"}\n'
        assert not list(home.root.glob("restore-*"))
        (home.root / "master.key").write_text(key)

        await _control(provider, latency_s=0)
        await provider.delete("/ledger")
        async with _platform(home) as api:
            after = await api.until(finished, "FINISHED")
            assert after["results"] == before["results"]
            await api.post(f"/api/runs/{paused}/resume")
            run = await api.until(paused, "FINISHED")
            assert run["outcome"] == "complete"
        calls = (await provider.get("/ledger")).json()
        assert {call["model"] for call in calls} == {SLOW_JUDGE}, "no answer is paid for again"


async def test_file_that_is_no_backup_is_refused(home: Home, tmp_path: Path) -> None:
    for name, content, reason in (
        ("absent", None, "does not exist"),
        ("text", "SELECT 1", "cannot be unpacked"),
    ):
        file = tmp_path / name
        if content:
            file.write_text(content)
        code, printed = await _llmbench(home, "restore", str(file))
        assert code == 1
        assert reason in printed
        assert not (home.root / "postgres").exists()
