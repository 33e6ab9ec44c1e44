"""The wiring of the service: the only module that knows every adapter."""

import asyncio
import contextlib
import importlib
import logging
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

from fastapi import FastAPI
from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict

from inference_gateway.adapters.call_memory import CallMemory
from inference_gateway.adapters.events import DurableEvents
from inference_gateway.adapters.gates import WatchedGates
from inference_gateway.adapters.headers import SealedHeaders
from inference_gateway.adapters.http_client import ProviderClient
from inference_gateway.adapters.http_provider import HttpModelProvider
from inference_gateway.adapters.lock_session import LockSession
from inference_gateway.adapters.observed_calls import observed
from inference_gateway.entrypoints.lane_message import LaneMessages
from inference_gateway.entrypoints.lanes import Lanes
from inference_gateway.entrypoints.requests import subscribe_group_opened, subscribe_requests
from inference_gateway.handlers.embed_texts import EmbedTextsHandler, by_kind
from inference_gateway.handlers.generate_completion import GenerateCompletionHandler
from inference_gateway.handlers.in_flight import AbortReason, InFlight
from inference_gateway.handlers.lane_command import LaneHandler
from inference_gateway.handlers.list_models import ListModelsHandler
from inference_gateway.handlers.read_call import ReadCallHandler
from inference_gateway.handlers.release_model import ReleaseModelHandler
from llmbench.background import background, end
from llmbench.db.connection import ASYNCPG_AWAY
from llmbench.db.key import preflight, require_fit
from llmbench.db.secrets import SecretBox
from llmbench.http.web import make_app
from llmbench.messaging.broker import Broker, make_broker, nats_lacking, stop_broker
from llmbench.observability.metrics import CALLS_IN_FLIGHT
from llmbench.room import DATABASE_ROOM
from llmbench.service.settings import STOP_GRACE_S, ProviderSettings

_log = logging.getLogger(__name__)

SERVICE = "inference-gateway"
PREFLIGHT = preflight
_CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))
_BEGIN_ANEW_S = 1.0
SCHEMA_TIMEOUT_S = 10.0


class Settings(ProviderSettings):
    model_config = SettingsConfigDict(env_prefix="LLMBENCH_INFERENCE_GATEWAY_")

    master_key: SecretStr = Field(
        min_length=32,
        validation_alias="LLMBENCH_MASTER_KEY",
        description="Opens the providers' secret headers; the same as config-api's.",
    )
    stop_grace_s: float = Field(
        default=STOP_GRACE_S,
        ge=0,
        le=3600,
        description="Seconds that calls in flight are given to end when the service stops: their answers are stored.",
    )


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application; it connects to nothing before its lifespan begins.

    Without settings it can be inspected (its OpenAPI), but not started.
    """
    chosen = settings or Settings.model_construct(master_key=SecretStr(""))
    gateway = Gateway(chosen)
    return make_app(
        title="llmbench inference gateway",
        door=chosen.door(),
        readiness=gateway.lacking,
        lifespan=gateway.lifespan,
    )


class Gateway:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._broker: Broker | None = None
        self._locks: LockSession | None = None
        self._schema_checked = False

    async def lacking(self) -> str | None:
        """Return a message about what prevents the service from working; `None` when it is ready."""
        if self._broker is None:
            return "the service is starting"
        if (lacking := nats_lacking(self._broker)) is not None:
            return lacking
        if self._locks is None:
            return "the service is starting"
        if not self._locks.alive:
            return f"PostgreSQL does not answer: {self._locks.trouble}"
        if not self._schema_checked:
            return "the service is starting"
        return DATABASE_ROOM.lacking()

    async def _require_schema(self) -> None:
        """Check schema version and master key. Raises `WrongSchemaVersion`, `SecretsLocked`, or one of
        `ASYNCPG_AWAY`.
        """
        async with asyncio.timeout(SCHEMA_TIMEOUT_S):
            await require_fit(self._settings, SERVICE)

    @contextlib.asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        # The service waits for an unreachable database, and refuses one with another schema.
        with contextlib.suppress(*ASYNCPG_AWAY):
            await self._require_schema()
        in_flight = InFlight()
        CALLS_IN_FLIGHT.set_function(lambda: len(in_flight))
        locks = LockSession(
            self._settings.database_url,
            on_lost=lambda: in_flight.abort_all(AbortReason.LOCK_LOST),
            stopping=lambda: in_flight.stopping,
            application_name=f"llmbench-{SERVICE}@{socket.gethostname()}:{os.getpid()}"[:63],
        )

        async def reconnected() -> None:
            gates.renew()
            lanes.poke()

        broker = make_broker(self._settings.nats_url, service=SERVICE, on_reconnect=reconnected)
        gates = WatchedGates(broker, on_aborted=in_flight.abort_run)
        http_client = ProviderClient(
            link_local_allowed=self._settings.link_local_providers, own=self._settings.listeners()
        )
        async with http_client, contextlib.AsyncExitStack() as stack:
            provider = HttpModelProvider(http_client)
            headers = SealedHeaders(locks, SecretBox(self._settings.master_key.get_secret_value()))
            memory = CallMemory(locks)
            in_container = _in_container()
            subscribe_requests(
                broker,
                list_models=ListModelsHandler(provider=provider, headers=headers, in_container=in_container),
                read_call=ReadCallHandler(memory),
            )
            subscribe_group_opened(broker, lambda: lanes.poke())
            stack.push_async_callback(stop_broker, broker)
            generate = GenerateCompletionHandler(
                provider=provider, headers=headers, now=_now, in_container=in_container
            )
            embed = EmbedTextsHandler(provider=provider, headers=headers, now=_now, in_container=in_container)
            release = ReleaseModelHandler(provider=provider, headers=headers, now=_now, in_container=in_container)
            messages = LaneMessages(
                LaneHandler(
                    slots=memory,
                    gates=gates,
                    events=DurableEvents(broker, service=SERVICE),
                    in_flight=in_flight,
                    now=_now,
                    prepare=observed(by_kind(generate=generate.prepare, embed=embed.prepare)),
                    release=release.prepare,
                ),
                in_flight,
            )
            lanes = Lanes(broker, messages)
            started = asyncio.Event()

            async def connect() -> None:
                # In a background task, so that without a broker the process still serves HTTP and stops on a signal.
                await broker.start()
                started.set()
                await asyncio.Event().wait()

            async def watch_gates() -> None:
                await started.wait()
                await gates.run()

            async def run_lanes() -> None:
                await started.wait()
                # No call may start before the gates are known.
                await gates.read()
                await locks.connected()
                await self._require_schema()
                self._schema_checked = True
                # Otherwise the first price would import them on the event loop, in the middle of other calls.
                async with background(_import_prices, name="prices"):
                    await lanes.run()

            # These continue while the calls in flight end.
            for run in (locks.run, connect, watch_gates):
                await stack.enter_async_context(_background(run))
            self._broker, self._locks = broker, locks
            try:
                async with _background(run_lanes):
                    yield
            finally:
                in_flight.stopping = True
                if in_flight:
                    grace_s = self._settings.stop_grace_s
                    _log.info("waiting for at most %g s for the calls in flight: %d", grace_s, len(in_flight))
                await lanes.close()
                await messages.finish(self._settings.stop_grace_s)


@contextlib.asynccontextmanager
async def _background(run: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Run it in the background until the block is left; restart it after an unexpected error."""

    async def for_ever() -> None:
        while True:
            try:
                await run()
            except Exception:  # noqa: BLE001  # logged, and the service must go on
                _log.exception("a background task failed; it begins anew")
                await asyncio.sleep(_BEGIN_ANEW_S)

    task = asyncio.ensure_future(for_ever())
    try:
        yield
    finally:
        await end(task)


async def _import_prices() -> None:
    await asyncio.to_thread(importlib.import_module, "genai_prices")


def _in_container() -> bool:
    return any(mark.exists() for mark in _CONTAINER_MARKS)


def _now() -> datetime:
    return datetime.now(UTC)
