"""The environment of the gateway's tests: real PostgreSQL and NATS, and a mock provider. Tests act as orchestrator."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import nats
from asgi_lifespan import LifespanManager
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.kv import KeyValue

from inference_gateway.domain.call import Command
from inference_gateway.main import Settings, create_app
from llmbench.contracts.base import Message
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.chat import ChatMessage, ChatRequest, SamplingParams
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.embedding import EmbeddingRequest
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.group_opened import GroupOpened
from llmbench.contracts.outcome import NotStarted
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.release_model import ReleaseModel
from llmbench.contracts.run_state import RunGate
from llmbench.db.secrets import Binding, SecretBox, hint
from llmbench.ids import DEFAULT_ORG_ID, group_token, new_id
from llmbench.messaging.fence import fence
from llmbench.messaging.publish import publish_durably, publish_lossy, request
from llmbench.messaging.streams import COMMANDS, ensure_lane, ensure_streams, lane_durable, run_state_bucket

MASTER_KEY = "a master key for tests, long enough"
WAIT_S = 240.0
PROBE = "mock-0ms-probe"


async def until(condition: Callable[[], bool], what: str = "the condition") -> None:
    """Poll until the condition holds. Raise `AssertionError` after `WAIT_S` seconds."""
    try:
        async with asyncio.timeout(WAIT_S):
            while not condition():
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"{what} never came to hold") from None


@dataclass
class World:
    """Connections to the test's servers, and helpers to act as the orchestrator. `events` has all `CallFinished` events
    so far."""

    database_url: str
    nats_url: str
    provider_url: str
    db: "asyncpg.Connection[asyncpg.Record]"
    nats: Client
    js: JetStreamContext
    gates: KeyValue
    http: httpx.AsyncClient
    provider: ProviderSnapshot
    run_id: UUID
    events: list[CallFinished] = field(default_factory=list)

    # Methods that create the rows which commands refer to.

    async def add_provider(
        self,
        *,
        base_url: str | None = None,
        type_: str = "CUSTOM_OPEN_AI_COMPATIBLE",
        secrets: Mapping[str, str] | None = None,
        plain: Mapping[str, str] | None = None,
        options: dict[str, Any] | None = None,
        org_id: UUID = DEFAULT_ORG_ID,
    ) -> ProviderSnapshot:
        """Insert a provider with these secret and plain headers. By default it leads to the mock provider."""
        provider = ProviderSnapshot(
            provider_id=new_id(),
            name=f"provider {new_id()}",
            type=type_,
            base_url=base_url or self.provider_url,
            models_endpoint="/v1/models",
            inference_endpoint="/v1/chat/completions",
            options=options or {},
        )
        await self.db.execute(
            """INSERT INTO provider (id, org_id, name, type, base_url, models_endpoint, inference_endpoint)
            VALUES ($1, $2, $3, $4, $5, $6, $7)""",
            provider.provider_id,
            org_id,
            provider.name,
            provider.type,
            provider.base_url,
            provider.models_endpoint,
            provider.inference_endpoint,
        )
        for key, value in (secrets or {}).items():
            await self.seal(provider, key, value)
        for key, value in (plain or {}).items():
            await self.db.execute(
                """INSERT INTO provider_header (id, provider_id, header_key, is_secret, plain_value, position)
                VALUES ($1, $2, $3, false, $4, 9)""",
                new_id(),
                provider.provider_id,
                key,
                value,
            )
        return provider

    async def seal(self, provider: ProviderSnapshot, key: str, value: str, master_key: str = MASTER_KEY) -> None:
        """Insert a secret header, or replace its value. `master_key` encrypts it."""
        sealed = SecretBox(master_key).seal(value, Binding(provider.provider_id, key, provider.base_url))
        await self.db.execute(
            """INSERT INTO provider_header (id, provider_id, header_key, is_secret, sealed_value, hint, position)
            VALUES ($1, $2, $3, true, $4, $5, 1)
            ON CONFLICT (provider_id, header_key) DO UPDATE SET sealed_value = EXCLUDED.sealed_value""",
            new_id(),
            provider.provider_id,
            key,
            sealed,
            hint(value),
        )

    async def add_organisation(self) -> UUID:
        """Insert an organisation, and return its id."""
        org_id = new_id()
        await self.db.execute("INSERT INTO organisation (id, name) VALUES ($1, 'Other')", org_id)
        return org_id

    async def add_run(self, org_id: UUID = DEFAULT_ORG_ID) -> UUID:
        """Insert a run, and return its id."""
        run_id = new_id()
        await self.db.execute(
            """INSERT INTO run (id, org_id, name, status, phase, concurrency, timeout_s, max_attempts, max_backoff_s,
            judge_provider_id, judge_provider_name, judge_model)
            VALUES ($1, $2, 'a run', 'PENDING', 'BENCHMARKING', 1, 60, 3, 60, $3, 'judge', 'mock-0ms')""",
            run_id,
            org_id,
            self.provider.provider_id,
        )
        return run_id

    # Methods that act as the orchestrator.

    def command(self, model: str = "mock-0ms", prompt: str = "What is 17 + 25?", **more: Any) -> GenerateCompletion:
        """Return a command for a completion, with fresh ids. `more` overrides its fields."""
        provider = more.pop("provider", self.provider)
        given: dict[str, Any] = {
            "call_id": new_id(),
            "run_id": self.run_id,
            "group": group_token(provider.provider_id, model),
            "group_id": new_id(),
            "purpose": Purpose.ITEM,
            "item_id": new_id(),
            "dispatch": 1,
            "provider": provider,
            "request": ChatRequest(
                model=model,
                messages=(ChatMessage(role="user", content=prompt),),
                params=SamplingParams(options=more.pop("options", {})),
                response_schema=more.pop("response_schema", None),
            ),
            "timeout_s": 300,
        }
        return GenerateCompletion(**(given | more))

    def embedding(self, *texts: str, model: str = "mock-0ms", **more: Any) -> EmbedTexts:
        """Return a command for embeddings, with fresh ids. `more` overrides its fields."""
        provider = more.pop("provider", self.provider)
        given: dict[str, Any] = {
            "call_id": new_id(),
            "run_id": self.run_id,
            "group": group_token(provider.provider_id, model),
            "group_id": new_id(),
            "purpose": Purpose.SCORE,
            "score_id": new_id(),
            "dispatch": 1,
            "provider": provider,
            "request": EmbeddingRequest(model=model, texts=texts, options=more.pop("options", {})),
            "timeout_s": 300,
        }
        return EmbedTexts(**(given | more))

    def release(self, model: str, provider: ProviderSnapshot) -> ReleaseModel:
        return ReleaseModel(
            call_id=new_id(),
            run_id=self.run_id,
            group=group_token(provider.provider_id, model),
            group_id=new_id(),
            dispatch=1,
            provider=provider,
            model=model,
        )

    async def open_lane(self, group: str, *, concurrency: int = 1) -> None:
        """Create the lane of a model group, the queue of its commands, and announce it to running gateways."""
        await ensure_lane(self.js, group, concurrency=concurrency)
        await publish_lossy(self.nats, GroupOpened(group=group), service="test")

    async def send(self, *commands: Command) -> None:
        for command in commands:
            await publish_durably(self.js, command, service="test")

    async def ask(self, command: Command) -> CallFinished:
        """Open the command's lane, send the command, and return its event."""
        await self.open_lane(command.group, concurrency=command.concurrency)
        await self.send(command)
        return await self.finished(command.call_id)

    async def finished(self, call_id: UUID, number: int = 1) -> CallFinished:
        """Wait until the call has `number` events `CallFinished`, and return the last of these events."""
        await until(lambda: len(self.events_of(call_id)) >= number, f"event {number} of call {call_id}")
        return self.events_of(call_id)[number - 1]

    def events_of(self, call_id: UUID) -> list[CallFinished]:
        return [event for event in self.events if event.call_id == call_id]

    async def gate(self, gate: RunGate, run_id: UUID | None = None) -> None:
        await self.gates.put(str(run_id or self.run_id), gate.value.encode())

    async def gate_is_seen(self, gate: RunGate) -> None:
        """Set the gate of this world's run to `gate`, and wait until the running gateway obeys it. `gate` has to be one
        that allows no calls.

        The gateway notices the change with a delay. So probe commands are sent in another lane until one of them is not
        started.
        """
        await self.gate(gate)
        async with asyncio.timeout(WAIT_S):
            while not isinstance((await self.ask(self.command(PROBE))).outcome, NotStarted):
                continue

    async def request(self, message: Message) -> bytes:
        return await request(self.nats, message, service="test", timeout_s=WAIT_S)

    async def nothing_pending(self, group: str) -> None:
        """Wait until every command of the group's lane has been delivered and acknowledged."""
        async with asyncio.timeout(WAIT_S):
            while True:
                info = await self.js.consumer_info(COMMANDS, lane_durable(group))
                if info.num_pending == 0 and info.num_ack_pending == 0:
                    return
                await asyncio.sleep(0.02)

    # Methods that observe and control the mock provider.

    async def ledger(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = (await self.http.get(f"{self.provider_url}/ledger")).json()
        return rows

    async def stats(self) -> dict[str, Any]:
        found: dict[str, Any] = (await self.http.get(f"{self.provider_url}/ledger/stats")).json()
        return found

    async def control(self, **settings: Any) -> None:
        """Change the behaviour of the mock provider from now on."""
        (await self.http.post(f"{self.provider_url}/control", json=settings)).raise_for_status()

    async def until_calls(self, number: int) -> list[dict[str, Any]]:
        """Wait until the mock provider has received `number` calls. Return its records of all calls."""
        async with asyncio.timeout(WAIT_S):
            while len(rows := await self.ledger()) < number:
                await asyncio.sleep(0.02)
        return rows

    async def until_disconnected(self, model: str) -> None:
        """Wait until the mock provider has noticed that all clients with an unanswered call of `model` have
        disconnected."""
        async with asyncio.timeout(WAIT_S):
            while any(call["model"] == model and call["finished_at"] is None for call in await self.ledger()):
                await asyncio.sleep(0.02)

    async def disable_redelivery_timeout(self, group: str) -> None:
        """Let NATS redeliver a command only when a gateway returns it, and not when it stays unacknowledged.

        The next `open_lane` undoes this.
        """
        info = await self.js.consumer_info(COMMANDS, lane_durable(group))
        await self.js.add_consumer(COMMANDS, info.config.evolve(ack_wait=3600.0))

    async def rows(self) -> list[asyncpg.Record]:
        return await self.db.fetch("SELECT * FROM model_call ORDER BY finished_at")

    # Methods that run a gateway.

    def settings(self, **more: Any) -> Settings:
        return Settings(
            nats_url=self.nats_url,
            database_url=self.database_url,
            master_key=MASTER_KEY,
            **({"stop_grace_s": 0.2} | more),
        )

    @contextlib.asynccontextmanager
    async def gateway(self, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
        """Run a gateway in this process. Yields a client of its HTTP API."""
        app = create_app(self.settings(**settings))
        async with (
            LifespanManager(app, startup_timeout=WAIT_S, shutdown_timeout=WAIT_S) as manager,
            httpx.AsyncClient(transport=httpx.ASGITransport(manager.app), base_url="http://127.0.0.1") as http,
        ):
            async with asyncio.timeout(WAIT_S):
                while (await http.get("/health/ready")).status_code != 200:
                    await asyncio.sleep(0.01)
            yield http

    @contextlib.asynccontextmanager
    async def gateway_process(self, log: Path | None = None) -> AsyncIterator[asyncio.subprocess.Process]:
        """Run a gateway as its own process, which a test may kill."""
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("LLMBENCH_")},
            "LLMBENCH_DATABASE_URL": self.database_url,
            "LLMBENCH_NATS_URL": self.nats_url,
            "LLMBENCH_MASTER_KEY": MASTER_KEY,
            "LLMBENCH_INFERENCE_GATEWAY_STOP_GRACE_S": "0.2",
        }
        output = log.open("ab") if log else None
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "inference_gateway", env=environment, stderr=output, stdout=output
        )
        try:
            yield process
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), WAIT_S)
            if process.returncode is None:
                process.kill()
                await process.wait()
            if output:
                output.close()


@contextlib.asynccontextmanager
async def open_world(database_url: str, nats_url: str, provider_url: str) -> AsyncIterator[World]:
    """Connect to the servers, and yield a world with a provider and a run. The mock provider's records of calls are
    deleted first."""
    db = await asyncpg.connect(database_url)
    connection = await nats.connect(nats_url, reconnect_time_wait=0.1, max_reconnect_attempts=-1)
    js = connection.jetstream()
    await ensure_streams(js)
    async with httpx.AsyncClient(timeout=WAIT_S) as http:
        await http.delete(f"{provider_url}/ledger")
        world = World(
            database_url=database_url,
            nats_url=nats_url,
            provider_url=provider_url,
            db=db,
            nats=connection,
            js=js,
            gates=await run_state_bucket(js),
            http=http,
            provider=None,  # type: ignore[arg-type]  # set below
            run_id=new_id(),
        )
        world.provider = await world.add_provider()
        world.run_id = await world.add_run()

        async def record_event(message: Msg) -> None:
            world.events.append(CallFinished.model_validate_json(message.data))

        await connection.subscribe("evt.call.>", cb=record_event)
        await fence(connection)
        try:
            yield world
        finally:
            await connection.close()
            await db.close()
