"""Wire the gateway: settings, locks, NATS, providers. This is the only module that knows every adapter."""

import asyncio
import importlib
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from fastapi import FastAPI
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import SettingsConfigDict

from inference_gateway.adapters.call_memory import CallMemory
from inference_gateway.adapters.events import DurableEvents, LossyLiveAnswers
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
from llmbench.background import background
from llmbench.db.connection import checking
from llmbench.db.key import preflight, require_fit
from llmbench.db.secrets import SecretBox
from llmbench.errors import DatabaseUnavailable
from llmbench.http.web import make_app
from llmbench.ids import DEFAULT_ORG_ID
from llmbench.observability.metrics import CALLS_IN_FLIGHT
from llmbench.organisation import bound_organisation
from llmbench.service.runtime import ServiceRuntime, Step
from llmbench.service.settings import STOP_GRACE_S, ProviderSettings

_log = logging.getLogger(__name__)

SERVICE = "inference-gateway"
PREFLIGHT = preflight
_CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))
_BEGIN_ANEW_S = 1.0

_ALL = "all"


def _ids(text: str) -> list[UUID]:
    """Return the organisation ids in a text, in which commas separate them. For the text `all`, which means every
    organisation, return an empty list. Raises `ValueError` for other texts."""
    if text.strip() == _ALL:
        return []
    try:
        return [UUID(part) for each in text.split(",") if (part := each.strip())]
    except ValueError:
        raise ValueError("must be `all`, or ids of organisations (`llmbench organisations list`)") from None


class Settings(ProviderSettings):
    model_config = SettingsConfigDict(env_prefix="LLMBENCH_INFERENCE_GATEWAY_")

    master_key: SecretStr = Field(
        min_length=32,
        validation_alias="LLMBENCH_MASTER_KEY",
        description="Opens the providers' secret headers; the same as config-api's.",
    )
    private_providers: str = Field(
        default="",
        validation_alias="LLMBENCH_PRIVATE_PROVIDERS",
        description="Where people sign in: the organisations whose providers may be in private networks or on this "
        "machine, as ids separated by commas, or `all`. The operator's organisation always may.",
    )
    stop_grace_s: float = Field(
        default=STOP_GRACE_S,
        ge=0,
        le=3600,
        description="Seconds that calls in flight are given to end when the service stops: their answers are stored.",
    )

    @field_validator("private_providers")
    @classmethod
    def _private_providers(cls, text: str) -> str:
        _ids(text)
        return text

    def private_allowed(self) -> bool:
        """Return whether the organisation of the command or request in progress may call private addresses. Without
        sign-in, every organisation may. Otherwise only the operator's and those in `private_providers` may."""
        if self.auth == "off" or self.private_providers.strip() == _ALL:
            return True
        return bound_organisation() in {DEFAULT_ORG_ID, *_ids(self.private_providers)}

    def may_know_ports(self) -> bool:
        """Return whether a connection test may show the organisation that requests it which ports of a host are open.
        Where people sign in, only the operator's organisation may see this."""
        return self.auth == "off" or bound_organisation() == DEFAULT_ORG_ID


def create_app(settings: Settings | None = None) -> FastAPI:
    """Create the application. It connects to nothing before its lifespan begins.

    Without `settings` it has an OpenAPI document, but it cannot be started.
    """
    settings = settings or Settings.model_construct(master_key=SecretStr(""))
    runtime = ServiceRuntime(SERVICE, settings.nats_url, settings.nats_tls())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        client = ProviderClient(
            link_local_allowed=settings.link_local_providers,
            private_allowed=settings.private_allowed,
            own=settings.listeners(),
        )
        async with client, Gateway(settings, runtime, client).running():
            yield

    return make_app(
        title="llmbench inference gateway",
        door=settings.door(),
        authentication=settings.authentication(),
        readiness=runtime.lacks,
        lifespan=lifespan,
    )


class Gateway:
    """Connects the parts of the service (locks, gates, lanes, requests) according to the settings, and runs them."""

    def __init__(self, settings: Settings, runtime: ServiceRuntime, client: ProviderClient) -> None:
        self._settings = settings
        self._runtime = runtime
        self._in_flight = in_flight = InFlight()
        CALLS_IN_FLIGHT.set_function(lambda: len(in_flight))
        self._locks = locks = LockSession(
            settings.database_url,
            on_lost=lambda: in_flight.abort_all(AbortReason.LOCK_LOST),
            stopping=lambda: in_flight.stopping,
            application_name=f"llmbench-{SERVICE}@{socket.gethostname()}:{os.getpid()}"[:63],
        )
        provider = HttpModelProvider(client)
        headers = SealedHeaders(locks, SecretBox(settings.master_key.get_secret_value()))
        in_container = any(mark.exists() for mark in _CONTAINER_MARKS)
        generate = GenerateCompletionHandler(
            provider=provider,
            headers=headers,
            now=_now,
            in_container=in_container,
            live=LossyLiveAnswers(runtime.broker, service=SERVICE),
        )
        embed = EmbedTextsHandler(provider=provider, headers=headers, now=_now, in_container=in_container)
        release = ReleaseModelHandler(provider=provider, headers=headers, now=_now, in_container=in_container)
        memory = CallMemory(locks)
        self._gates = WatchedGates(runtime.broker, on_aborted=in_flight.abort_run)
        handle = LaneHandler(
            slots=memory,
            gates=self._gates,
            events=DurableEvents(runtime.broker, service=SERVICE),
            in_flight=in_flight,
            now=_now,
            prepare=observed(by_kind(generate=generate.prepare, embed=embed.prepare)),
            release=release.prepare,
        )
        self._messages = LaneMessages(handle, in_flight)
        self._lanes = Lanes(runtime.broker, self._messages)
        subscribe_requests(
            runtime.broker,
            list_models=ListModelsHandler(
                provider=provider,
                headers=headers,
                in_container=in_container,
                may_know_ports=settings.may_know_ports,
            ),
            read_call=ReadCallHandler(memory),
        )
        subscribe_group_opened(runtime.broker, self._lanes.poke)
        self._fits = False
        self._subscribed = asyncio.Event()
        # The lock session and the watch on the gates: both are needed until the calls in flight have ended.
        self._until_drained = AsyncExitStack()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        for run in (self._locks.run, self._watch_gates):
            await self._until_drained.enter_async_context(background(restarting(run), name=run.__name__))
        async with self._runtime.running(
            database=self._database,
            connect=self._connect,
            restore=self._restore,
            work=restarting(self._run_lanes),
            drain=self._drain,
        ):
            yield

    async def _database(self) -> None:
        """Check the schema version of the database, and that the master key decrypts its secrets. Once this check has
        succeeded, check only that the lock session is alive.

        Raises `DatabaseUnavailable` while the lock session is not alive.
        """
        if not self._fits:
            async with checking():
                await require_fit(self._settings, SERVICE)
            self._fits = True
        elif not self._locks.alive:
            raise DatabaseUnavailable(self._locks.trouble)

    async def _connect(self) -> None:
        self._subscribed.set()
        # No call may start before the runs' gates are known.
        await self._gates.read()
        await self._locks.connected()

    async def _watch_gates(self) -> None:
        await self._subscribed.wait()
        await self._gates.run()

    async def _restore(self) -> None:
        self._gates.renew()
        self._lanes.poke()

    async def _run_lanes(self) -> None:
        # Import the list prices in the background: the first priced call would do it on the event loop.
        async with background(_import_prices, name="prices"):
            await self._lanes.run()

    async def _drain(self) -> None:
        """Let calls in flight end within the grace period. Commands whose calls do not end in time go to another
        replica."""
        grace_s = self._settings.stop_grace_s
        self._in_flight.stopping = True
        if self._in_flight:
            _log.info("waiting for at most %g s for the calls in flight: %d", grace_s, len(self._in_flight))
        await self._lanes.close()
        await self._messages.finish(grace_s)
        await self._until_drained.aclose()


def restarting(run: Step) -> Step:
    """Return a function that repeats `run` for ever. An unexpected error is logged and delays the next repetition."""

    async def run_again() -> None:
        while True:
            try:
                await run()
            except Exception:  # noqa: BLE001  # logged, and the service must go on
                _log.exception("a background task failed; it begins anew")
                await asyncio.sleep(_BEGIN_ANEW_S)

    return run_again


async def _import_prices() -> None:
    await asyncio.to_thread(importlib.import_module, "genai_prices")


def _now() -> datetime:
    return datetime.now(UTC)
