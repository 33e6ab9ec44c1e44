"""Test that every change is published on NATS: as readable JSON with CloudEvents headers, in order, also after an
outage."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import nats
from asgi_lifespan import LifespanManager
from config_api_asserting import assert_problem, create_resource
from nats.aio.msg import Msg
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.main import Settings, create_app
from llmbench.contracts.registry import parse
from llmbench.db.tables import config_outbox
from llmbench.messaging.streams import EVENTS
from llmbench_cli.embedded.ports import free_port
from tests.servers import nats_server

DEFAULTS = ["Local Ollama", "Local LM Studio"]
TASK = {"task_id": "t", "category": "c", "question": "q"}


async def _events(nats_url: str, number: int) -> list[Msg]:
    """Wait for the first `number` events, apart from the events of the default providers, and return them."""
    connection = await nats.connect(nats_url)
    try:
        subscription = await connection.jetstream().subscribe("evt.config.>", stream=EVENTS, ordered_consumer=True)
        events = [await subscription.next_msg(timeout=90) for _ in range(len(DEFAULTS) + number)]
        assert [json.loads(event.data)["name"] for event in events[: len(DEFAULTS)]] == DEFAULTS
        return events[len(DEFAULTS) :]
    finally:
        await connection.close()


async def test_every_change_is_published_as_an_event(api: httpx.AsyncClient, nats_url: str) -> None:
    provider = await create_resource(api, "/api/providers", name="P", type="OLLAMA")
    task = await create_resource(api, "/api/tasks", **TASK)
    collection = await create_resource(api, "/api/collections", name="C", task_ids=[task["id"]])
    await api.put(f"/api/providers/{provider['id']}", json={"name": "P2", "type": "OLLAMA"})
    await api.put(f"/api/tasks/{task['id']}", json={**TASK, "task_id": "t2"})
    await api.put(f"/api/collections/{collection['id']}", json={"name": "C2"})
    await api.patch(f"/api/collections/{collection['id']}/tasks", json={"unassign": [task["id"]]})
    for path in (f"collections/{collection['id']}", f"tasks/{task['id']}", f"providers/{provider['id']}"):
        await api.delete(f"/api/{path}")

    events = await _events(nats_url, 10)
    assert [(event.subject, json.loads(event.data)["name"]) for event in events] == [
        ("evt.config.provider.created.v1", "P"),
        ("evt.config.task.created.v1", "t"),
        ("evt.config.collection.created.v1", "C"),
        ("evt.config.provider.updated.v1", "P2"),
        ("evt.config.task.updated.v1", "t2"),
        ("evt.config.collection.updated.v1", "C2"),
        ("evt.config.collection.updated.v1", "C2"),
        ("evt.config.collection.deleted.v1", "C2"),
        ("evt.config.task.deleted.v1", "t2"),
        ("evt.config.provider.deleted.v1", "P2"),
    ]
    for event in events:
        headers = event.headers
        assert headers is not None
        message = parse(event.data)
        assert headers["ce-specversion"] == "1.0"
        assert headers["ce-type"] == message.type
        assert headers["ce-source"] == "/llmbench/config-api"
        assert headers["ce-id"] == headers["Nats-Msg-Id"]
        assert headers["ce-time"].endswith("Z")
        assert headers["traceparent"].startswith("00-")


async def test_event_continues_the_trace_of_its_request(api: httpx.AsyncClient, nats_url: str) -> None:
    trace = f"00-{'ab' * 16}-{'cd' * 8}-01"
    await api.post("/api/tasks", json=TASK, headers={"traceparent": trace})
    [event] = await _events(nats_url, 1)
    assert event.headers is not None
    assert event.headers["traceparent"] == trace


async def test_refused_change_is_not_published(api: httpx.AsyncClient, nats_url: str) -> None:
    await create_resource(api, "/api/tasks", **TASK)
    assert_problem(await api.post("/api/tasks", json=TASK), 409, "task_id")
    await create_resource(api, "/api/tasks", **{**TASK, "task_id": "after"})
    assert [json.loads(event.data)["name"] for event in await _events(nats_url, 2)] == ["t", "after"]


async def test_changes_without_nats_are_published_when_it_returns(
    postgres_url: str, engine: AsyncEngine, tmp_path: Path
) -> None:
    port = free_port()
    async with nats_server(tmp_path, port=port) as nats_url:
        pass  # Only the URL is needed at start: no server listens at it.
    settings = Settings.model_validate(
        {"LLMBENCH_DATABASE_URL": postgres_url, "LLMBENCH_NATS_URL": nats_url, "LLMBENCH_MASTER_KEY": "k" * 32}
    )
    app = create_app(settings)
    async with LifespanManager(app, startup_timeout=240, shutdown_timeout=240) as manager:
        transport = httpx.ASGITransport(app=manager.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as api:
            assert "NATS" in str(assert_problem(await api.get("/health/ready"), 503)["detail"])
            names = [f"t{number}" for number in range(5)]
            for name in names:
                await create_resource(api, "/api/tasks", **{**TASK, "task_id": name})
            provider = (await api.get("/api/providers", params={"q": "Ollama"})).json()["items"][0]
            path = f"/api/providers/{provider['id']}"
            assert_problem(await api.get(f"{path}/models"), 503)
            assert (await api.delete(path)).status_code == 204
            async with nats_server(tmp_path, port=port):
                events = await _events_once_there(nats_url, 6)
                assert [json.loads(event.data)["name"] for event in events] == [*names, "Local Ollama"]
                async for waiting in _outbox_sizes(engine):
                    if waiting == 0:
                        break
                while (await api.get("/health/ready")).status_code != 200:
                    continue


async def _outbox_sizes(engine: AsyncEngine) -> AsyncIterator[int]:
    while True:
        async with engine.connect() as connection:
            yield (await connection.execute(select(func.count()).select_from(config_outbox))).scalar_one()


async def _events_once_there(nats_url: str, number: int) -> list[Msg]:
    connection = await nats.connect(nats_url)
    try:
        while EVENTS not in [info.config.name for info in await connection.jetstream().streams_info()]:
            continue
    finally:
        await connection.close()
    return await _events(nats_url, number)
