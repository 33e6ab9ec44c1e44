"""Wires the orchestrator: settings, database, NATS, endpoints. Knows every adapter.

It connects in the background: while a server is away the process answers, says on `/health/ready` what it
lacks, and ends when it is told to.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from fastapi import FastAPI
from nats.errors import Error as NatsError
from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.background import background
from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables
from llmbench.db.engine import DATABASE_AWAY, driver, open_engine
from llmbench.db.outages import answer_database_outages
from llmbench.db.version import preflight, require_head
from llmbench.errors import WrongSchemaVersion
from llmbench.messaging.broker import jetstream, make_broker, nats_lacking, stop_broker
from llmbench.messaging.outbox import Relay
from llmbench.secrets import SecretBox
from llmbench.settings import DatabaseSettings
from llmbench.web import make_app
from orchestrator.adapters.catalogue import JudgeCatalogue
from orchestrator.adapters.comparisons import ComparisonQueries
from orchestrator.adapters.directory import GatewayDirectory
from orchestrator.adapters.evaluation_factory import PostgresEvaluationFactory
from orchestrator.adapters.evaluation_queries import EvaluationQueries
from orchestrator.adapters.export_lines import ExportQueries
from orchestrator.adapters.item_queries import ItemQueries
from orchestrator.adapters.keep_counted import keep_counted
from orchestrator.adapters.lanes import JetStreamLanes
from orchestrator.adapters.run_factory import PostgresRunFactory
from orchestrator.adapters.run_queries import RunQueries
from orchestrator.adapters.run_store import PostgresRunStore
from orchestrator.adapters.run_watch import NatsRunWatch
from orchestrator.adapters.webhook_sender import HttpWebhookSender
from orchestrator.adapters.webhook_store import PostgresWebhookStore
from orchestrator.entrypoints import comparisons, evaluations, replay, reports, results
from orchestrator.entrypoints.evaluations import EvaluationServices
from orchestrator.entrypoints.runs import Services, router
from orchestrator.handlers.deliver_webhooks import WebhookDelivery
from orchestrator.handlers.leadership import Leadership
from orchestrator.handlers.new_evaluation import Asking

SERVICE = "orchestrator"
PREFLIGHT = preflight
START_PATIENCE_S = 2.0
_RETRY_S = 1.0
_DATABASE_TIMEOUT_S = 3.0
_log = logging.getLogger(__name__)


class Settings(DatabaseSettings):
    model_config = SettingsConfigDict(env_prefix="LLMBENCH_ORCHESTRATOR_", extra="ignore")

    master_key: SecretStr = Field(
        min_length=32,
        validation_alias="LLMBENCH_MASTER_KEY",
        description="Seals the secrets of webhooks; the same as config-api's.",
    )
    sync_wait_s: float = Field(
        default=30.0, ge=0, le=600, description="Seconds that a synchronous evaluation waits for its scores."
    )
    private_webhooks: bool = Field(
        default=False, description="Whether webhooks may go to private addresses: this machine, this network."
    )
    webhook_retry_s: float = Field(
        default=5.0,
        gt=0,
        le=3600,
        description="Seconds before a webhook is tried a second time; each of six further waits is four times as long.",
    )


class Orchestrator:
    """The running service: everything that is opened at start and closed at the end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._services: Services | None = None
        self._evaluations: EvaluationServices | None = None
        self._engine: AsyncEngine | None = None
        self._working: asyncio.Task[None] | None = None
        self._lacking: str | None = "The service is starting."
        self._broker = make_broker(settings.nats_url, service=SERVICE, on_reconnect=self._restore)

    def services(self) -> Services:
        assert self._services is not None, "requests are served only while the service runs"
        return self._services

    def evaluations(self) -> EvaluationServices:
        assert self._evaluations is not None, "requests are served only while the service runs"
        return self._evaluations

    async def lacks(self) -> str | None:
        """What keeps the service from its work; `None` when nothing does."""
        if self._working is None or self._working.done():
            return "The service does not work; its log says why."
        if lacking := await self._database_lacks() or nats_lacking(self._broker) or self._lacking:
            return lacking
        return None if await self._broker.ping(timeout=1.0) else "NATS does not answer"

    @asynccontextmanager
    async def running(self, _: FastAPI) -> AsyncIterator[None]:
        # Readers have connections of their own: however many ask, and however long an export takes, a run is led.
        url = self._settings.database_url
        async with (
            open_engine(url, application_name=SERVICE, pool_size=5) as engine,
            open_engine(url, application_name=f"{SERVICE} reading", pool_size=4) as reading,
            open_engine(url, application_name=f"{SERVICE} reading long", pool_size=4) as lasting,
        ):
            self._engine = engine
            runs, led = RunQueries(reading), RunQueries(engine)
            box = SecretBox(self._settings.master_key.get_secret_value())
            delivery = self._delivery(engine, box)
            leadership = Leadership(
                PostgresRunStore(engine), JetStreamLanes(self._broker), lambda: _gates(led), stopped=delivery.wake
            )
            self._services = Services(
                leadership=leadership,
                factory=PostgresRunFactory(engine),
                directory=GatewayDirectory(self._broker),
                catalogue=JudgeCatalogue(self._broker),
                runs=runs,
                items=ItemQueries(reading),
                exports=ExportQueries(lasting),
                comparisons=ComparisonQueries(lasting),
            )
            self._evaluations = self._evaluation_services(engine, reading, box, leadership)
            taking = reports.Reports(self._broker, leadership)
            replay.subscribe(self._broker, runs)
            at_work = asyncio.Event()
            try:
                working = background(lambda: self._work(leadership, taking, delivery, engine, at_work), name="work")
                async with working as self._working:
                    ready = asyncio.create_task(at_work.wait())
                    await asyncio.wait({self._working, ready}, timeout=START_PATIENCE_S, return_when="FIRST_COMPLETED")
                    ready.cancel()
                    yield
            finally:
                await taking.stop()
                await stop_broker(self._broker)

    def _delivery(self, engine: AsyncEngine, box: SecretBox) -> WebhookDelivery:
        return WebhookDelivery(
            PostgresWebhookStore(engine, box),
            EvaluationQueries(engine),
            HttpWebhookSender(private_allowed=self._settings.private_webhooks),
            first_retry_s=self._settings.webhook_retry_s,
        )

    def _evaluation_services(
        self, engine: AsyncEngine, reading: AsyncEngine, box: SecretBox, leadership: Leadership
    ) -> EvaluationServices:
        catalogue = JudgeCatalogue(self._broker)
        return EvaluationServices(
            asking=Asking(
                factory=PostgresEvaluationFactory(engine, box),
                directory=GatewayDirectory(self._broker),
                catalogue=catalogue,
                metrics=catalogue,
            ),
            reader=EvaluationQueries(reading),
            leadership=leadership,
            watch=NatsRunWatch(self._broker),
            sync_wait_s=self._settings.sync_wait_s,
            private_webhooks=self._settings.private_webhooks,
        )

    async def _work(
        self,
        leadership: Leadership,
        taking: reports.Reports,
        delivery: WebhookDelivery,
        engine: AsyncEngine,
        at_work: asyncio.Event,
    ) -> None:
        """Never returns. What is away is waited for."""
        try:
            await self._connect(taking)
            self._lacking = None
            at_work.set()
            relay = Relay(self._settings.database_url, self._broker, tables.run_outbox, service=SERVICE)
            async with (
                background(relay.run, name="relay") as relaying,
                background(leadership.reconcile_for_ever, name="reconcile") as reconciling,
                background(lambda: keep_counted(engine), name="count") as counting,
                background(delivery.run, name="webhooks") as telling,
            ):
                working = {relaying, reconciling, counting, telling}
                done, _ = await asyncio.wait(working, return_when="FIRST_COMPLETED")
                for task in done:
                    task.result()
        except Exception:
            _log.exception("the service has stopped working")
            raise

    async def _connect(self, taking: reports.Reports) -> None:
        while lacking := await self._database_lacks():
            _log.warning("%s; trying again", lacking)
            await asyncio.sleep(_RETRY_S)
        await self._broker.connect()
        while True:
            try:
                await reports.ensure_topology(jetstream(self._broker))
                await self._broker.start()
                await taking.start()
            except (NatsError, TimeoutError, OSError) as error:
                self._lacking = f"NATS does not have what it needs yet: {error!r}"
                _log.warning("%s; trying again", self._lacking)
                await asyncio.sleep(_RETRY_S)
            else:
                return

    async def _database_lacks(self) -> str | None:
        assert self._engine is not None
        try:
            async with asyncio.timeout(_DATABASE_TIMEOUT_S), driver(self._engine) as connection:
                await require_head(connection)
        except WrongSchemaVersion as wrong:
            return str(wrong)
        except DATABASE_AWAY as error:
            # The reason only: SQLAlchemy adds pages.
            return f"PostgreSQL does not answer: {(str(error) or repr(error)).splitlines()[0]}"
        return None

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


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application; connects to nothing before its lifespan begins.

    Without settings it can be looked at (its OpenAPI), but not started.
    """
    settings = settings or Settings.model_construct(master_key=SecretStr(""))
    service = Orchestrator(settings)
    app = make_app(
        title="llmbench orchestrator",
        origins=settings.origins(),
        readiness=service.lacks,
        lifespan=service.running,
        larger_bodies={evaluations.BATCH_PATH: evaluations.MAX_UPLOAD_BYTES},
    )
    answer_database_outages(app)
    app.include_router(router(service.services))
    app.include_router(results.router(service.services))
    app.include_router(comparisons.router(service.services))
    app.include_router(evaluations.router(service.evaluations))
    return app
