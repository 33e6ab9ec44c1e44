"""Test that secrets appear in no file and no response, in any encoding, after a run and all other uses of the secrets.

Values that are not secret are found by the same search, which shows that the search works.
"""

import base64
import contextlib
import json
import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import nats
import psutil
import pytest
from nats.aio.msg import Msg

from llmbench.messaging.fence import fence
from llmbench_cli.embedded import dump
from llmbench_cli.embedded.archive import unpacked
from llmbench_cli.embedded.place import wheel_programs
from llmbench_cli.embedded.ports import free_port
from tests.operation.collector import collector
from tests.platform import MASTER_KEY, Platform, platform

FIRST, SECOND, UNSAVED, REFUSED = (f"sk-{word}-4f9c2b7a1e8d3065" for word in ("first", "second", "unsaved", "refused"))
PLAIN = "a-value-that-is-not-secret"


@contextlib.asynccontextmanager
async def _all_messages(nats_url: str) -> AsyncIterator[list[bytes]]:
    """Yield a list that receives all NATS messages, including those that no stream stores."""
    messages: list[bytes] = []

    async def record(message: Msg) -> None:
        messages.append(json.dumps(message.headers or {}).encode() + message.data)

    client = await nats.connect(nats_url)
    try:
        await client.subscribe("evt.>", cb=record)
        await fence(client)
        yield messages
    finally:
        await client.close()


FORMATS = ("csv", "json", "jsonl", "parquet", "junit", "benchmark-record", "regression-report", "rag-run")


@pytest.mark.shows("I-24", "S-05")
async def test_no_file_and_no_response_contains_a_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with AsyncExitStack() as opened:
        spans = opened.enter_context(collector())
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", spans.url)
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        # The command lines of the services are looked at, too.
        stack = await opened.enter_async_context(platform(tasks=2, log_level="DEBUG", interpreted=True))
        messages_seen = await opened.enter_async_context(_all_messages(stack.nats_url))
        answers = Answers(stack.http)
        provider = await answers.post("/api/providers", _provider(stack, FIRST), 201)
        path = f"/api/providers/{provider['id']}"
        await _list_models_and_test(stack, answers, path)
        await _send_refused_changes(stack, answers, path)
        run_id = await _run_benchmark(stack, answers, provider["id"])
        await answers.put(path, _provider(stack, SECOND), 200)
        await answers.post(f"{path}/test", None, 200)
        target_id = (await stack.get(f"/api/runs/{run_id}"))["targets"][0]["id"]
        for name in FORMATS:
            await answers.get(f"/api/runs/{run_id}/export?format={name}&target_id={target_id}")
        for service in stack.services:
            await answers.get(f"/openapi/{service}.json")
        metrics = [await _metrics(port) for port in stack.ports.values()]
        backup = tmp_path / "backup"
        await dump.write(stack.database_url, backup, files=None)
        for page in ("items", "events"):
            await answers.get(f"/api/runs/{run_id}/{page}")

        data = await _written_database(stack.database_url)
        files = {**_files(stack.logs), **_files(data)}
        commands = _command_lines()
        # Services send their remaining spans when they stop.
        for one in stack.services.values():
            await one.stop()
        everything = {
            **files,
            **_files(stack.logs),
            "answers": answers.text(),
            "told": b"\n".join(messages_seen),
            "metrics": b"\n".join(metrics),
            "backup": _unpacked(backup),
            "command lines": commands,
            "spans": b"".join(spans.bodies),
        }
        secrets = {spelling for secret in (FIRST, SECOND, UNSAVED, REFUSED, MASTER_KEY) for spelling in spelt(secret)}
        found = [
            (name, spelling) for name, content in everything.items() for spelling in secrets if spelling in content
        ]
        assert not found
        # Command lines do not contain the servers' passwords either.
        assert b"only-for-tests" not in commands

        # The search finds these values, so it does cover the backup, spans, metrics and command lines.
        assert PLAIN.encode() in everything["backup"]
        assert b"mock-0ms-leak" in everything["spans"]
        assert b"llmbench_" in everything["metrics"]
        assert b"config_api" in commands
        assert b"postgres" in commands
        assert any(PLAIN.encode() in content for name, content in files.items() if name.startswith(str(data)))
        assert any(b"evt.run." in content for name, content in files.items() if name.endswith(".blk"))
        assert b"llmbench.call.finished.v1" in everything["told"]
        assert all(len(files[str(service.spec.log)]) > 0 for service in stack.services.values())


def test_search_finds_a_secret_in_any_encoding() -> None:
    for around in (b"", b"1", b"12", b"123"):
        text = around + FIRST.encode() + b" and more"
        for encoded in (text, base64.b64encode(text), base64.urlsafe_b64encode(text), text.hex().encode()):
            assert any(spelling in encoded for spelling in spelt(FIRST)), encoded


class Answers:
    """An HTTP client that keeps all responses, including their headers, so that they can be searched for secrets."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._kept: list[str] = []

    async def post(self, path: str, body: dict[str, Any] | None, status: int) -> Any:
        return self._keep(await self._http.post(path, json=body), status).json()

    async def put(self, path: str, body: dict[str, Any], status: int) -> Any:
        return self._keep(await self._http.put(path, json=body), status).json()

    async def get(self, path: str) -> str:
        return self._keep(await self._http.get(path), 200).text

    def text(self) -> bytes:
        return "\n".join(self._kept).encode()

    def _keep(self, answer: httpx.Response, status: int) -> httpx.Response:
        assert answer.status_code == status, answer.text
        self._kept.append(f"{answer.headers}\n{answer.text}")
        return answer


def _provider(stack: Platform, secret: str, **changes: Any) -> dict[str, Any]:
    return {
        "name": "With a secret",
        "type": "CUSTOM_OPEN_AI_COMPATIBLE",
        "base_url": stack.provider_url,
        "headers": [
            {"header_key": "Authorization", "header_value": f"Bearer {secret}", "is_secret": True},
            {"header_key": "X-Team", "header_value": PLAIN},
        ],
    } | changes


async def _list_models_and_test(stack: Platform, answers: Answers, path: str) -> None:
    await answers.get(path)
    await answers.get(f"{path}/models")
    assert (await answers.post(f"{path}/test", None, 200))["ok"] is True
    unsaved = _provider(stack, UNSAVED)
    assert (await answers.post("/api/providers/test", unsaved, 200))["ok"] is True
    # Each of these problems is reported in a sentence: an unreachable port, an unknown host, a missing page.
    for changes in (
        {"base_url": f"http://127.0.0.1:{free_port()}"},
        {"base_url": "http://nobody.invalid"},
        {"models_endpoint": "/nothing/here"},
    ):
        tested = await answers.post("/api/providers/test", {**unsaved, **changes}, 200)
        assert (tested["ok"], bool(tested["problem"])) == (False, True)


async def _send_refused_changes(stack: Platform, answers: Answers, path: str) -> None:
    refused = _provider(stack, REFUSED)
    await answers.post("/api/providers", refused, 409)
    await answers.put(path, {**refused, "colour": REFUSED}, 422)
    control = [{"header_key": "Authorization", "header_value": f"{REFUSED}\n", "is_secret": True}]
    await answers.put(path, {**refused, "headers": [*control, *refused["headers"]]}, 422)
    no_json = await stack.http.post(
        "/api/providers", content=json.dumps(refused)[:-1], headers={"content-type": "application/json"}
    )
    assert REFUSED not in no_json.text


async def _run_benchmark(stack: Platform, answers: Answers, provider_id: str) -> str:
    """Run a benchmark with a model whose error message repeats the credentials. Return the run's id."""
    body = stack.run_body()
    body["targets"] = [{"provider_id": provider_id, "model": model} for model in ("mock-0ms", "mock-0ms-leak")]
    body["judge"]["provider_id"] = provider_id
    run = await answers.post("/api/runs", body, 201)
    await stack.until_status(run["id"], "FINISHED")
    assert "Authorization: •••" in await answers.get(f"/api/runs/{run['id']}")
    return str(run["id"])


async def _metrics(port: int) -> bytes:
    async with httpx.AsyncClient(timeout=90) as http:
        return (await http.get(f"http://127.0.0.1:{port}/metrics")).content


def _command_lines() -> bytes:
    """Return the command lines of all processes that the test has started; `ps` shows them to every user."""
    lines = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            lines.append(" ".join(process.cmdline()))
    return "\n".join(lines).encode()


def _unpacked(backup: Path) -> bytes:
    """Return the backup's rows as SQL. PostgreSQL's own program decompresses them."""
    with unpacked(backup, inside=backup.parent / "unpacked") as found:
        restore = [str(wheel_programs() / "pg_restore"), "--file=-", str(found.rows)]
        return subprocess.run(restore, check=True, capture_output=True).stdout


async def _written_database(database_url: str) -> Path:
    """Write all data to disk by a checkpoint, and return the server's data directory."""
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute("CHECKPOINT")
        return Path(await connection.fetchval("SHOW data_directory"))
    finally:
        await connection.close()


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path: Path(path).read_bytes()
        for where, _, names in os.walk(folder)
        for path in (os.path.join(where, name) for name in names)
        if os.path.isfile(path)
    }


def spelt(secret: str) -> Iterator[bytes]:
    """Yield each form in which the secret may be encoded: plain, hexadecimal, UTF-16, and base64 at any alignment."""
    raw = secret.encode()
    yield raw
    yield raw.hex().encode()
    yield secret.encode("utf-16-le")
    for offset, skipped in enumerate((0, 2, 3)):
        whole = base64.b64encode(bytes(offset) + raw).rstrip(b"=")[skipped:]
        # Leave out the last characters, which depend on the bytes that follow.
        yield whole[:-2]
        yield whole[:-2].translate(bytes.maketrans(b"+/", b"-_"))
