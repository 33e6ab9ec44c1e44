"""Test that runs of two organisations do not affect each other, but take turns on the machine of a local provider."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest
from run_seed import seed
from run_world import World, answered, open_world, running_orchestrator
from sqlalchemy import insert, update

from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.outcome import Outcome
from llmbench.db import tables as t
from llmbench.db.logins import SERVICE_GRANTS, ensure_logins
from llmbench.ids import new_id
from llmbench_cli.embedded.services import with_login
from orchestrator.runs.handlers.act import LOCAL_HOST_BUSY

EVALUATORS = [{"kind": "contains", "params": {"text": "4"}}]
PASSWORD = "only-for-tests"


@dataclass(frozen=True)
class Other:
    """A second organisation: its orchestrator, provider and collection."""

    http: httpx.AsyncClient
    org_id: UUID
    provider_id: UUID
    collection_id: UUID

    async def start(self, model: str) -> str:
        body: dict[str, Any] = {
            "targets": [{"provider_id": str(self.provider_id), "model": model}],
            "collection_ids": [str(self.collection_id)],
            "check_providers": False,
            "evaluators": EVALUATORS,
        }
        response = await self.http.post("/api/runs", json=body)
        assert response.status_code == 201, response.text
        run_id: str = response.json()["id"]
        return run_id


@pytest.fixture
async def login_url(postgres_url: str) -> str:
    """Return the database's URL with the orchestrator's login, for which row-level security holds."""
    await ensure_logins(postgres_url, {"orchestrator": PASSWORD})
    return with_login(postgres_url, SERVICE_GRANTS["orchestrator"].role, PASSWORD)


@pytest.fixture
async def world(postgres_url: str, login_url: str, nats_url: str) -> AsyncIterator[World]:
    async with open_world(postgres_url, nats_url, database_url=login_url) as opened:
        yield opened


@pytest.fixture
async def other(world: World, login_url: str, nats_url: str) -> AsyncIterator[Other]:
    org_id = new_id()
    async with world.engine.begin() as connection:
        await connection.execute(insert(t.organisation).values(id=org_id, name="Other"))
    provider_id, collection_id = await seed(world.engine, 3, org_id=org_id)
    async with running_orchestrator(login_url, nats_url, organisation=org_id) as app:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            yield Other(http, org_id, provider_id, collection_id)


async def _move(world: World, provider_id: UUID, base_url: str) -> None:
    async with world.engine.begin() as connection:
        await connection.execute(update(t.provider).where(t.provider.c.id == provider_id).values(base_url=base_url))


class Held:
    """Answers commands. It holds back the answers for the items of one provider until `released` is set."""

    def __init__(self, provider_id: UUID) -> None:
        self._provider_id = provider_id
        self.begun = asyncio.Event()
        self.released = asyncio.Event()

    async def answer(self, command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.ITEM and command.provider.provider_id == self._provider_id:
            self.begun.set()
            await self.released.wait()
        return answered()


async def _start_beside_a_held_run(world: World, other: Other) -> tuple[Held, str, UUID]:
    """Start a run of the other organisation, whose answers are held back. Then start a run of the world's own
    organisation. Return the held answers and the ids of both runs."""
    held = Held(other.provider_id)
    world.answer = held.answer
    theirs = await other.start("model-a")
    await held.begun.wait()
    return held, theirs, await world.start("model-a", judge=None, evaluators=EVALUATORS, check_providers=False)


@pytest.mark.shows("S-28")
async def test_local_provider_serves_one_organisation_at_a_time(world: World, other: Other) -> None:
    # Both names mean this machine, and the ports differ.
    await _move(world, other.provider_id, "http://localhost:1/v1")
    await _move(world, world.provider_id, "http://127.0.0.1:2/v1")
    held, theirs, mine = await _start_beside_a_held_run(world, other)
    waiting = await world.until(mine, lambda run: run["groups"][0]["backoff_reason"] is not None)
    assert waiting["status"] == "RUNNING"
    assert waiting["groups"][0]["backoff_reason"] == LOCAL_HOST_BUSY
    assert {command.provider.provider_id for command in world.calls()} == {other.provider_id}
    logged = [event["text"] for event in await world.events(mine, "run.logged.v1")]
    assert not any(other.provider_id.hex in text or "localhost" in text for text in logged), logged
    held.released.set()
    run = await world.until_status(mine, "FINISHED")
    assert (run["outcome"], run["groups"][0]["backoff_reason"]) == ("complete", None)
    assert (await other.http.get(f"/api/runs/{theirs}")).json()["status"] == "FINISHED"
    order = [command.provider.provider_id for command in world.calls()]
    assert order == [other.provider_id] * 3 + [world.provider_id] * 3


async def test_hosted_group_continues_while_another_organisation_uses_the_machine(world: World, other: Other) -> None:
    await _move(world, other.provider_id, "http://localhost:1/v1")
    await _move(world, world.provider_id, "http://127.0.0.1:2/v1")
    hosted = await world.add_provider("Hosted")
    await _move(world, hosted, "http://1.1.1.1/v1")
    held = Held(other.provider_id)
    world.answer = held.answer
    await other.start("model-a")
    await held.begun.wait()
    mine = await world.start(
        targets=[
            {"provider_id": str(id_), "model": "model-a", "label": str(id_)} for id_ in (world.provider_id, hosted)
        ],
        judge=None,
        evaluators=EVALUATORS,
        check_providers=False,
        parallel_groups=2,
    )
    run = await world.until(mine, lambda run: run["groups"][1]["status"] == "CLOSED")
    assert (run["groups"][0]["status"], run["groups"][0]["backoff_reason"]) == ("WAITING", LOCAL_HOST_BUSY)
    assert run["counts"]["answered"] == 3
    held.released.set()
    assert (await world.until_status(mine, "FINISHED"))["outcome"] == "complete"


async def test_runs_of_two_organisations_with_hosted_providers_are_active_together(world: World, other: Other) -> None:
    await _move(world, other.provider_id, "http://1.1.1.1/v1")
    await _move(world, world.provider_id, "http://1.1.1.1/v1")
    held, theirs, mine = await _start_beside_a_held_run(world, other)
    assert (await world.until_status(mine, "FINISHED"))["outcome"] == "complete"
    assert (await other.http.get(f"/api/runs/{theirs}")).json()["status"] == "RUNNING"
    held.released.set()
    async with asyncio.timeout(240):
        while (await other.http.get(f"/api/runs/{theirs}")).json()["status"] != "FINISHED":
            await asyncio.sleep(0.05)
