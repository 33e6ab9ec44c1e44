"""Test that `llmbench events` prints published events: lines for people, JSON for programs."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator

import nats
import pytest

from llmbench.contracts.base import Message
from llmbench.contracts.item_changed import ItemChanged
from llmbench.contracts.run_logged import RunLogged
from llmbench.contracts.run_progressed import RunProgressed
from llmbench.contracts.run_status_changed import RunStatusChanged
from llmbench_cli.commands.events import as_line
from llmbench_cli.embedded.ports import free_port

EVENT = RunStatusChanged.model_validate(RunStatusChanged.EXAMPLES[0])


@contextlib.asynccontextmanager
async def _events(url: str, *arguments: str) -> AsyncIterator[asyncio.StreamReader]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "llmbench_cli.main",
        "events",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "LLMBENCH_NATS_URL": url, "COLUMNS": "300"},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        # This message goes to stderr, because stdout contains only events.
        assert b"listening on evt.run." in await asyncio.wait_for(process.stderr.readline(), timeout=90)
        yield process.stdout
    finally:
        process.terminate()
        await asyncio.wait_for(process.communicate(), timeout=90)
        assert process.returncode == 0


async def _publish(url: str, *, run_id: str | None = None) -> None:
    client = await nats.connect(url)
    subject = f"evt.run.{run_id}.status" if run_id else EVENT.subject()
    await client.publish(subject, EVENT.model_dump_json().encode(), headers={"ce-type": EVENT.type})
    await client.close()


async def test_event_is_printed_as_a_line_of_text(nats_url: str) -> None:
    async with _events(nats_url) as output:
        await _publish(nats_url)
        line = (await asyncio.wait_for(output.readline(), timeout=90)).decode()
    assert "status   RUNNING · BENCHMARKING" in line


@pytest.mark.parametrize("login", ["as a service", "as a visitor"])
async def test_json_option_prints_event_with_headers(nats_url: str, login: str) -> None:
    url = nats_url if login == "as a service" else f"nats://{nats_url.split('@')[1]}"
    async with _events(url, "--json") as output:
        await _publish(nats_url)
        event = json.loads(await asyncio.wait_for(output.readline(), timeout=90))
    assert event["subject"] == EVENT.subject()
    assert event["headers"] == {"ce-type": EVENT.type}
    assert RunStatusChanged.model_validate(event["body"]) == EVENT


async def test_run_option_shows_only_events_of_the_run(nats_url: str) -> None:
    async with _events(nats_url, "--json", "--run", str(EVENT.run_id)) as output:
        await _publish(nats_url, run_id="another")
        await _publish(nats_url)
        event = json.loads(await asyncio.wait_for(output.readline(), timeout=90))
    assert event["subject"] == EVENT.subject()


async def test_unreachable_nats_is_reported_in_one_line() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "llmbench_cli.main",
        "events",
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "LLMBENCH_NATS_URL": f"nats://127.0.0.1:{free_port()}"},
    )
    _, said = await asyncio.wait_for(process.communicate(), timeout=90)
    assert process.returncode == 1
    assert said.decode().startswith("llmbench: NATS cannot be reached at ")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("message", [ItemChanged, RunLogged, RunProgressed, RunStatusChanged])
def test_every_event_type_has_a_line_of_text(message: type[Message]) -> None:
    for example in message.EXAMPLES:
        event = message.model_validate(example)
        line = as_line(event.subject(), event.model_dump_json().encode())
        assert f"#{example['run_seq']}" in line
        assert "None" not in line
        assert "type=" not in line
