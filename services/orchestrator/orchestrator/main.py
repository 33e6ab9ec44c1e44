"""Wire the orchestrator: settings, database, NATS, endpoints. This is the only module that knows every adapter.

It connects in the background. While a server is unreachable, the process answers requests, names the missing server on
`/health/ready`, and still stops on request.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from fastapi import FastAPI
from nats.errors import Error as NatsError
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import SettingsConfigDict
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.background import background
from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables
from llmbench.db.engine import DATABASE_AWAY, driver, open_engine
from llmbench.db.secrets import SecretBox
from llmbench.db.version import preflight, require_head
from llmbench.errors import WrongSchemaVersion
from llmbench.http.outages import answer_database_outages
from llmbench.http.web import make_app
from llmbench.messaging.broker import jetstream, make_broker, nats_lacking, stop_broker
from llmbench.messaging.outbox import Relay
from llmbench.room import DATABASE_ROOM, Room
from llmbench.service.settings import DatabaseSettings
from orchestrator.comparison.adapters.comparisons import ComparisonQueries
from orchestrator.comparison.api import endpoints as comparisons
from orchestrator.comparison.api.endpoints import ComparisonServices
from orchestrator.evaluations.adapters.evaluation_factory import PostgresEvaluationFactory
from orchestrator.evaluations.adapters.evaluation_queries import EvaluationQueries
from orchestrator.evaluations.adapters.run_watch import NatsRunWatch
from orchestrator.evaluations.adapters.webhook_sender import HttpWebhookSender
from orchestrator.evaluations.adapters.webhook_store import PostgresWebhookStore
from orchestrator.evaluations.api import endpoints as evaluations
from orchestrator.evaluations.api.endpoints import EvaluationServices
from orchestrator.evaluations.handlers.deliver_webhooks import WebhookDelivery
from orchestrator.evaluations.handlers.new_evaluation import Asking
from orchestrator.results.adapters.export_lines import ExportQueries
from orchestrator.results.adapters.item_queries import ItemQueries
from orchestrator.results.adapters.keep_counted import keep_counted
from orchestrator.results.adapters.run_queries import RunQueries
from orchestrator.results.api import endpoints as results
from orchestrator.results.api import export_formats, replay
from orchestrator.results.api import runs as reading
from orchestrator.results.api.services import ResultServices
from orchestrator.runs.adapters.catalogue import JudgeCatalogue
from orchestrator.runs.adapters.directory import GatewayDirectory
from orchestrator.runs.adapters.lanes import JetStreamLanes
from orchestrator.runs.adapters.retention import COMMAND_TIMEOUT_S, PostgresRetention
from orchestrator.runs.adapters.run_factory import PostgresRunFactory
from orchestrator.runs.adapters.run_store import PostgresRunStore
from orchestrator.runs.adapters.stream_care import StreamCare
from orchestrator.runs.api import endpoints as commands
from orchestrator.runs.api import reports, retention
from orchestrator.runs.api.endpoints import RunServices
from orchestrator.runs.api.retention import RetentionServices
from orchestrator.runs.handlers.commands import CommandParts
from orchestrator.runs.handlers.leadership import Leadership
from orchestrator.runs.handlers.retention import Retention
from orchestrator.runs.ports.retention import MOST_DAYS

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
        description="Encrypts the secrets of webhooks; the same as config-api's.",
    )
    sync_wait_s: float = Field(
        default=30.0, ge=0, le=600, description="Seconds that a synchronous evaluation waits for its scores."
    )
    private_webhooks: bool = Field(
        default=False, description="Allow webhooks to private addresses: this machine, this network."
    )
    retention_days: float | None = Field(
        default=None,
        gt=0,
        le=MOST_DAYS,
        allow_inf_nan=False,
        validation_alias="LLMBENCH_RETENTION_DAYS",
        description="Days after which finished runs are removed, with their calls and events. Unset, none is "
        "removed. Baselines, and runs that have one, are kept.",
    )
    webhook_retry_s: float = Field(
        default=5.0,
        gt=0,
        le=3600,
        description="Seconds before a webhook's first retry; each of six further waits is four times as long.",
    )

    @field_validator("retention_days", mode="before")
    @classmethod
    def _nothing_is_none(cls, days: object) -> object:
        """Treat an empty variable as unset, because Compose files pass it so."""
        return None if days == "" else days


@dataclass(frozen=True)
class Services:
    """The dependencies of each feature's endpoints, created when the service starts."""

    runs: RunServices
    retention: RetentionServices
    results: ResultServices
    comparison: ComparisonServices
    evaluations: EvaluationServices


class Orchestrator:
    """The running service: everything that is opened at start and closed at the end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._services: Services | None = None
        self._engine: AsyncEngine | None = None
        self._working: asyncio.Task[None] | None = None
        self._lacking: str | None = "The service is starting."
        self._broker = make_broker(settings.nats_url, service=SERVICE, on_reconnect=self._restore)
        self._stream_room = Room("NATS")

    def services(self) -> Services:
        assert self._services is not None, "requests are served only while the service runs"
        return self._services

    async def lacks(self) -> str | None:
        """Return what prevents the service from working, or `None`."""
        if self._working is None or self._working.done():
            return "The service does not work; its log says why."
        if lacking := await self._database_lacks() or nats_lacking(self._broker) or self._lacking:
            return lacking
        if not await self._broker.ping(timeout=1.0):
            return "NATS does not answer"
        return self._no_room()

    def _no_room(self) -> str | None:
        return DATABASE_ROOM.lacking() or self._stream_room.lacking()

    @asynccontextmanager
    async def running(self, _: FastAPI) -> AsyncIterator[None]:
        # Readers use connections of their own, so that many requests or a long export never block the leading of a run.
        url = self._settings.database_url
        async with (
            open_engine(url, application_name=SERVICE, pool_size=5) as engine,
            open_engine(url, application_name=f"{SERVICE} reading", pool_size=4) as reading,
            open_engine(url, application_name=f"{SERVICE} reading long", pool_size=4) as lasting,
            open_engine(
                url, application_name=f"{SERVICE} removing", pool_size=2, command_timeout_s=COMMAND_TIMEOUT_S
            ) as removing,
        ):
            self._engine = engine
            runs, led = RunQueries(reading, no_room=self._no_room), RunQueries(engine)
            box = SecretBox(self._settings.master_key.get_secret_value())
            delivery = self._delivery(engine, box)
            lanes = JetStreamLanes(self._broker)
            leadership = Leadership(PostgresRunStore(engine), lanes, lambda: _gates(led), stopped=delivery.wake)
            days = self._settings.retention_days
            old_runs = PostgresRetention(removing, retention_days=days)
            old_age = Retention(old_runs, lanes, retention_days=days)
            self._services = Services(
                runs=RunServices(
                    CommandParts(
                        leadership=leadership,
                        factory=PostgresRunFactory(engine),
                        directory=GatewayDirectory(self._broker),
                        catalogue=JudgeCatalogue(self._broker),
                    ),
                    runs,
                ),
                retention=RetentionServices(old_runs, old_age),
                results=ResultServices(runs=runs, items=ItemQueries(reading), exports=ExportQueries(lasting)),
                comparison=ComparisonServices(comparisons=ComparisonQueries(lasting), runs=runs),
                evaluations=self._evaluation_services(engine, reading, box, leadership),
            )
            taking = reports.Reports(self._broker, leadership)
            replay.subscribe(self._broker, runs)
            at_work = asyncio.Event()
            try:
                working = background(
                    lambda: self._work(leadership, taking, delivery, old_age, engine, at_work), name="work"
                )
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
            HttpWebhookSender(private_allowed=self._settings.private_webhooks, own=self._settings.listeners()),
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
            own=self._settings.listeners(),
        )

    async def _work(
        self,
        leadership: Leadership,
        taking: reports.Reports,
        delivery: WebhookDelivery,
        old_age: Retention,
        engine: AsyncEngine,
        at_work: asyncio.Event,
    ) -> None:
        """Connect, waiting for servers that are unreachable, and run the background tasks. Never returns."""
        try:
            await self._connect(taking)
            self._lacking = None
            at_work.set()
            care = StreamCare(self._broker, self._stream_room, restore=self._restore)
            relay = Relay(self._settings.database_url, self._broker, tables.run_outbox, service=SERVICE)
            async with (
                background(relay.run, name="relay") as relaying,
                background(leadership.reconcile_for_ever, name="reconcile") as reconciling,
                background(lambda: keep_counted(engine), name="count") as counting,
                background(delivery.run, name="webhooks") as telling,
                background(care.run, name="streams") as caring,
                background(old_age.run, name="retention") as removing,
            ):
                working = {relaying, reconciling, counting, telling, caring, removing}
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
                self._lacking = f"NATS is not ready yet: {error!r}"
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
            # Give the reason only: SQLAlchemy appends pages of detail.
            return f"PostgreSQL does not answer: {(str(error) or repr(error)).splitlines()[0]}"
        return None

    async def _restore(self) -> None:
        """Restore streams and consumers after a reconnection: the broker may have lost its store."""
        await reports.ensure_topology(jetstream(self._broker))
        if self._services is not None:
            await self._services.runs.commands.leadership.reconcile()


async def _gates(runs: RunQueries) -> dict[UUID, RunGate]:
    return {
        run_id: RunGate.CLOSED if status in (RunStatus.PAUSING, RunStatus.PAUSED) else RunGate.OPEN
        for run_id, status in (await runs.unfinished()).items()
    }


def create_app(settings: Settings | None = None) -> FastAPI:
    """Create the application; it connects to nothing before its lifespan begins.

    Without settings its OpenAPI can be read, but it cannot be started.
    """
    settings = settings or Settings.model_construct(master_key=SecretStr(""))
    service = Orchestrator(settings)
    app = make_app(
        title="llmbench orchestrator",
        door=settings.door(),
        readiness=service.lacks,
        lifespan=service.running,
        larger_bodies={evaluations.BATCH_PATH: evaluations.MAX_UPLOAD_BYTES},
    )
    answer_database_outages(app)
    app.include_router(commands.router(lambda: service.services().runs))
    app.include_router(reading.router(lambda: service.services().results))
    app.include_router(results.router(lambda: service.services().results))
    app.include_router(export_formats.router())
    app.include_router(comparisons.router(lambda: service.services().comparison))
    app.include_router(evaluations.router(lambda: service.services().evaluations))
    app.include_router(retention.router(lambda: service.services().retention))
    return app
