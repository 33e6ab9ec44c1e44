"""Wires the orchestrator: settings, database, NATS, endpoints. Knows every adapter."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from uuid import UUID

from fastapi import FastAPI
from pydantic_settings import SettingsConfigDict

from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables
from llmbench.db.engine import open_engine
from llmbench.db.migrate import require_head
from llmbench.messaging.broker import jetstream, make_broker, stop_broker
from llmbench.messaging.outbox import Relay
from llmbench.settings import DatabaseSettings
from llmbench.web import make_app
from orchestrator.adapters.directory import GatewayDirectory
from orchestrator.adapters.item_queries import ItemQueries
from orchestrator.adapters.lanes import JetStreamLanes
from orchestrator.adapters.run_factory import PostgresRunFactory
from orchestrator.adapters.run_queries import RunQueries
from orchestrator.adapters.run_store import PostgresRunStore
from orchestrator.entrypoints import replay, reports, results
from orchestrator.entrypoints.runs import Services, router
from orchestrator.handlers.leadership import Leadership

SERVICE = "orchestrator"


class Settings(DatabaseSettings):
    model_config = SettingsConfigDict(env_prefix="LLMBENCH_ORCHESTRATOR_", extra="ignore")


class Orchestrator:
    """The running service: everything that is opened at start and closed at the end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._services: Services | None = None
        self._broker = make_broker(settings.nats_url, service=SERVICE, on_reconnect=self._restore)

    def services(self) -> Services:
        assert self._services is not None, "requests are served only while the service runs"
        return self._services

    async def lacks(self) -> str | None:
        """What keeps the service from its work; `None` when nothing does."""
        if self._services is None:
            return "starting"
        if not await self._broker.ping(timeout=1.0):
            return "NATS does not answer"
        return None

    @asynccontextmanager
    async def running(self, _: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            url = self._settings.database_url
            engine = await stack.enter_async_context(open_engine(url, application_name=SERVICE, pool_size=10))
            await require_head(engine)
            runs = RunQueries(engine)
            leadership = Leadership(PostgresRunStore(engine), JetStreamLanes(self._broker), lambda: _gates(runs))
            await self._broker.connect()
            stack.push_async_callback(stop_broker, self._broker)
            js = jetstream(self._broker)
            await reports.ensure_topology(js)
            self._services = Services(
                leadership=leadership,
                factory=PostgresRunFactory(engine),
                directory=GatewayDirectory(self._broker),
                runs=runs,
                items=ItemQueries(engine),
            )
            reports.subscribe(self._broker, leadership)
            replay.subscribe(self._broker, runs)
            await self._broker.start()
            relay = Relay(url, js, tables.run_outbox, service=SERVICE)
            for task in (
                asyncio.create_task(relay.run(), name="relay"),
                asyncio.create_task(leadership.reconcile_for_ever(), name="reconcile"),
            ):
                stack.push_async_callback(_end, task)
            yield

    async def _restore(self) -> None:
        """After a reconnection: the broker may have lost its store."""
        await reports.ensure_topology(jetstream(self._broker))
        if self._services is not None:
            await self._services.leadership.reconcile()


async def _gates(runs: RunQueries) -> dict[UUID, RunGate]:
    return {
        run_id: RunGate.CLOSED if status in (RunStatus.PAUSING, RunStatus.PAUSED) else RunGate.OPEN
        for run_id, status in (await runs.unfinished()).items()
    }


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application; connects to nothing before its lifespan begins."""
    settings = settings or Settings()
    service = Orchestrator(settings)
    app = make_app(
        title="llmbench orchestrator",
        origins=settings.origins(),
        readiness=service.lacks,
        lifespan=service.running,
    )
    app.include_router(router(service.services))
    app.include_router(results.router(service.services))
    return app
