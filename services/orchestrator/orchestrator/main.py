"""Wire the orchestrator: settings, database, NATS, endpoints. Only this module imports every adapter."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from fastapi import FastAPI
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import SettingsConfigDict

from llmbench.background import side_by_side
from llmbench.db import tables
from llmbench.db.connection import checking
from llmbench.db.engine import DATABASE_AWAY, driver
from llmbench.db.everybody import everybody_url
from llmbench.db.secrets import SecretBox
from llmbench.db.version import preflight, require_head
from llmbench.http.outages import answer_database_outages
from llmbench.http.service_router import add_routes
from llmbench.http.web import make_app
from llmbench.messaging.broker import jetstream
from llmbench.messaging.outbox import Relay
from llmbench.room import DATABASE_ROOM, Room
from llmbench.service.runtime import ServiceRuntime
from llmbench.service.settings import DatabaseSettings
from orchestrator.baselines.adapters.baseline_store import PostgresBaselineStore
from orchestrator.baselines.adapters.judge_check_store import PostgresJudgeCheckStore
from orchestrator.baselines.adapters.verdict_store import PostgresVerdictStore
from orchestrator.baselines.handlers.check_judge import JudgeChecks
from orchestrator.baselines.handlers.decide_verdicts import Verdicts
from orchestrator.baselines.handlers.save_gate import GateParts
from orchestrator.calibrations.adapters.calibration_store import PostgresCalibrationStore
from orchestrator.calibrations.adapters.label_sources import LabelSources
from orchestrator.calibrations.api import endpoints as calibrations
from orchestrator.calibrations.api.label_file import MAX_UPLOAD_BYTES as MAX_LABEL_BYTES
from orchestrator.calibrations.handlers.create_calibration import CalibrationParts
from orchestrator.comparison.adapters.comparisons import ComparisonQueries
from orchestrator.comparison.api.query import ComparisonServices
from orchestrator.comparison.handlers.rank_targets import RankTargets
from orchestrator.evaluations.adapters.evaluation_factory import PostgresEvaluationFactory
from orchestrator.evaluations.adapters.evaluation_queries import EvaluationQueries
from orchestrator.evaluations.adapters.run_watch import NatsRunWatch
from orchestrator.evaluations.adapters.webhook_sender import HttpWebhookSender
from orchestrator.evaluations.adapters.webhook_store import PostgresWebhookStore
from orchestrator.evaluations.api import endpoints as evaluations
from orchestrator.evaluations.api.endpoints import EvaluationServices
from orchestrator.evaluations.handlers.deliver_webhooks import WebhookDelivery
from orchestrator.evaluations.handlers.new_evaluation import EvaluationDependencies
from orchestrator.experiments.adapters.experiment_store import PostgresExperimentStore
from orchestrator.experiments.adapters.reading import ExperimentQueries
from orchestrator.experiments.adapters.round_store import PostgresRoundStore
from orchestrator.experiments.adapters.unit_store import PostgresUnitStore
from orchestrator.experiments.api.read_request import run_of
from orchestrator.experiments.api.services import ExperimentServices
from orchestrator.experiments.handlers.control import ControlParts
from orchestrator.experiments.handlers.experiments import Experiments
from orchestrator.experiments.handlers.manage import ExperimentParts
from orchestrator.experiments.handlers.plan import Planning
from orchestrator.judges.adapters.check_queries import CheckQueries
from orchestrator.judges.adapters.own_cases import own_cases
from orchestrator.judges.api import endpoints as judge_checks
from orchestrator.judges.api.endpoints import JudgeCheckServices
from orchestrator.kernel.adapters.engines import Engines, opened_engines
from orchestrator.playground.api.endpoints import PlaygroundServices
from orchestrator.playground.handlers.ask import PlaygroundParts
from orchestrator.results.adapters.export_lines import ExportQueries
from orchestrator.results.adapters.item_queries import ItemQueries
from orchestrator.results.adapters.keep_counted import keep_counted
from orchestrator.results.adapters.label_queries import LabelQueries
from orchestrator.results.adapters.run_queries import RunQueries
from orchestrator.results.api import answers_for_people, replay
from orchestrator.results.api.services import ResultServices
from orchestrator.routes import Services, Serving, routers
from orchestrator.runs.adapters.all_runs import PostgresAllRuns
from orchestrator.runs.adapters.catalogue import JudgeCatalogue
from orchestrator.runs.adapters.comments import PostgresCommentStore
from orchestrator.runs.adapters.directory import GatewayDirectory
from orchestrator.runs.adapters.lanes import JetStreamLanes
from orchestrator.runs.adapters.overrulings import OverrulingQueries
from orchestrator.runs.adapters.retention import COMMAND_TIMEOUT_S, PostgresRetention
from orchestrator.runs.adapters.run_factory import PostgresRunFactory
from orchestrator.runs.adapters.run_store import PostgresRunStore
from orchestrator.runs.adapters.stream_care import StreamCare
from orchestrator.runs.api import overrulings
from orchestrator.runs.api.endpoints import RunServices
from orchestrator.runs.api.reports import Reports, ensure_topology
from orchestrator.runs.api.retention import RetentionServices
from orchestrator.runs.api.webhook_choice import WebhookRules
from orchestrator.runs.handlers.commands import CommandParts
from orchestrator.runs.handlers.leadership import Leadership
from orchestrator.runs.handlers.retention import Retention
from orchestrator.runs.ports.retention import MOST_DAYS
from orchestrator.schedules.adapters.all_schedules import PostgresAllSchedules
from orchestrator.schedules.adapters.schedule_store import PostgresScheduleStore
from orchestrator.schedules.adapters.system_clock import SystemClock
from orchestrator.schedules.api.endpoints import ScheduleServices
from orchestrator.schedules.api.read_plan import benchmark_of_plan, run_of_plan
from orchestrator.schedules.handlers.fire import Firings
from orchestrator.schedules.handlers.manage import ScheduleParts
from orchestrator.schedules.handlers.start_run import RunStarter
from orchestrator.schedules.handlers.start_suite import SuiteStarter
from orchestrator.schedules.ports.clock import Clock
from orchestrator.schedules.ports.starting import Starter
from orchestrator.sharing.adapters.report_links import PostgresReportLinks
from orchestrator.sharing.api import shared_report
from orchestrator.sharing.api.services import SharingServices
from orchestrator.suites.adapters.leaderboards import LeaderboardQueries
from orchestrator.suites.adapters.suite_queries import SuiteQueries
from orchestrator.suites.adapters.suite_trends import trend_queries
from orchestrator.suites.api.endpoints import SuiteServices
from orchestrator.usage.adapters.usage_queries import UsageQueries
from orchestrator.usage.api.endpoints import UsageServices

SERVICE = "orchestrator"
PREFLIGHT = preflight


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
    hosted_hosts: str = Field(
        default="",
        description="Hosts of providers, as in their URLs and separated by commas, that count as hosted although their "
        "addresses are private or unknown. Their models may run side by side.",
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
        """Treat an empty variable as unset, because Compose files pass an unset variable as an empty one. `days` is the
        value of the variable."""
        return None if days == "" else days


def create_app(settings: Settings | None = None, clock: Clock | None = None) -> FastAPI:
    """Create the application. It connects to nothing before its lifespan begins.

    Without settings, the application can only generate its OpenAPI document; it cannot be started. `clock` is the
    clock of schedules, by default the machine's.
    """
    settings = settings or Settings.model_construct(master_key=SecretStr(""))
    runtime = ServiceRuntime(SERVICE, settings.nats_url, settings.nats_tls())
    # Contains the services during the lifespan, which is the only time in which requests are served.
    opened: list[Services] = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with opened_engines(settings.database_url, SERVICE, removal_timeout_s=COMMAND_TIMEOUT_S) as engines:
            orchestrator = Orchestrator(settings, runtime, engines, clock or SystemClock())
            opened.append(orchestrator.services)
            async with orchestrator.running():
                yield
            opened.clear()

    app = make_app(
        title="llmbench orchestrator",
        door=settings.door(),
        authentication=replace(settings.authentication(), open_paths=(shared_report.PATH,)),
        readiness=runtime.lacks,
        lifespan=lifespan,
        larger_bodies={evaluations.BATCH_PATH: evaluations.MAX_UPLOAD_BYTES, calibrations.PATH: MAX_LABEL_BYTES},
        larger_json={judge_checks.PATH: judge_checks.MAX_BYTES},
    )
    answer_database_outages(app)
    app.add_middleware(Serving, opened=opened)
    for router in routers():
        add_routes(app, router)
    return app


class Orchestrator:
    """A running orchestrator: the services of its endpoints, and its background tasks."""

    def __init__(self, settings: Settings, runtime: ServiceRuntime, engines: Engines, clock: Clock) -> None:
        self._runtime = runtime
        self._engine = engine = engines.leading
        self._everybody = engines.everybody
        broker = runtime.broker
        box = SecretBox(settings.master_key.get_secret_value())
        all_runs = PostgresAllRuns(engines.everybody)
        lanes = JetStreamLanes(broker)
        self._stream_room = Room("NATS")
        runs = RunQueries(engines.reading, no_room=lambda: DATABASE_ROOM.lacking() or self._stream_room.lacking())
        comparisons_reader = ComparisonQueries(engines.reading_long)
        exports = ExportQueries(engines.reading_long, RankTargets(comparisons_reader))
        self._delivery = WebhookDelivery(
            PostgresWebhookStore(engine, engines.everybody, box),
            EvaluationQueries(engine),
            runs,
            HttpWebhookSender(private_allowed=settings.private_webhooks, own=settings.listeners()),
            first_retry_s=settings.webhook_retry_s,
        )
        hosted = frozenset(host.strip().lower() for host in settings.hosted_hosts.split(",")) - {""}
        run_store = PostgresRunStore(engine, hosted_hosts=hosted)
        self._leadership = Leadership(run_store, all_runs, lanes, stopped=self._run_stopped)
        verdict_store = PostgresVerdictStore(engine, engines.everybody)
        evaluation_factory = PostgresEvaluationFactory(engine, box, hosted=hosted)
        judges = PostgresJudgeCheckStore(engine)
        drift_checks = JudgeChecks(judges, evaluation_factory, self._leadership, hosted=hosted)
        self._verdicts = Verdicts(verdict_store, comparisons_reader, runs, self._leadership, drift_checks)
        old_runs = PostgresRetention(engines.removing, retention_days=settings.retention_days)
        self._old_age = Retention(old_runs, all_runs, lanes, retention_days=settings.retention_days)
        self._reports = Reports(broker, self._leadership)
        self._relay = Relay(everybody_url(settings.database_url), broker, tables.run_outbox, service=SERVICE)
        self._care = StreamCare(broker, self._stream_room, restore=self._restore)

        replay.subscribe(broker, runs)
        answers_for_people.subscribe(broker, LabelQueries(engines.reading_long))
        catalogue = JudgeCatalogue(broker)
        directory = GatewayDirectory(broker)
        run_commands = CommandParts(
            leadership=self._leadership,
            factory=PostgresRunFactory(engine, box),
            directory=directory,
            catalogue=catalogue,
            hosted=hosted,
        )
        evaluation_parts = EvaluationDependencies(evaluation_factory, directory, catalogue, catalogue, hosted)
        store = PostgresScheduleStore(engine, box)
        suite_reader = SuiteQueries(engines.reading_long)
        starters: dict[str, Starter] = {
            "run": RunStarter(run_commands, run_of_plan, clock),
            "suite": SuiteStarter(run_commands, suite_reader, benchmark_of_plan, clock),
        }
        self._firings = Firings(store, PostgresAllSchedules(engine, engines.everybody, box), starters, clock)
        webhooks = WebhookRules(private_allowed=settings.private_webhooks, own=settings.listeners())
        self.services = Services(
            runs=RunServices(run_commands, runs, webhooks, PostgresCommentStore(engine, engines.reading)),
            overrulings=overrulings.OverrulingServices(run_commands, OverrulingQueries(engines.reading)),
            schedules=ScheduleServices(
                ScheduleParts(store=store, firings=self._firings, starters=starters, clock=clock), webhooks
            ),
            retention=RetentionServices(old_runs, self._old_age),
            results=ResultServices(runs, ItemQueries(engines.reading), exports, trend_queries(engines.reading_long)),
            sharing=SharingServices(links=PostgresReportLinks(engine, engines.reading), runs=runs, exports=exports),
            comparison=ComparisonServices(comparisons=comparisons_reader, runs=runs),
            baselines=GateParts(PostgresBaselineStore(engine), comparisons_reader, runs, judges),
            calibrations=CalibrationParts(
                PostgresCalibrationStore(engine, engines.reading), LabelSources(engines.reading_long)
            ),
            evaluations=EvaluationServices(
                dependencies=evaluation_parts,
                reader=EvaluationQueries(engines.reading),
                leadership=self._leadership,
                watch=NatsRunWatch(broker),
                sync_wait_s=settings.sync_wait_s,
                webhooks=webhooks,
            ),
            judge_checks=JudgeCheckServices(
                evaluation_parts, CheckQueries(engines.reading_long), self._leadership, own_cases
            ),
            playground=PlaygroundServices(
                PlaygroundParts(evaluation_factory, directory, catalogue, runs, hosted), self._leadership
            ),
            suites=SuiteServices(suite_reader, runs, run_commands, webhooks, LeaderboardQueries(engines.reading_long)),
            experiments=self._experiment_services(engines, run_commands),
            usage=UsageServices(UsageQueries(engines.reading)),
        )

    def _experiment_services(self, engines: Engines, run_commands: CommandParts) -> ExperimentServices:
        store, reader = PostgresExperimentStore(engines.leading), ExperimentQueries(engines.reading_long)
        rounds = PostgresRoundStore(engines.leading, engines.everybody)
        self._experiments = Experiments(store, rounds, run_commands, run_of)
        return ExperimentServices(
            parts=ExperimentParts(store=store, catalogue=run_commands.catalogue),
            control=ControlParts(
                store=store,
                rounds=rounds,
                reader=reader,
                runs=run_commands,
                experiments=self._experiments,
                planning=Planning(reader, run_commands.catalogue),
            ),
            reader=reader,
            experiments=self._experiments,
            units=PostgresUnitStore(engines.leading),
        )

    def _run_stopped(self) -> None:
        self._experiments.wake()
        self._verdicts.wake()
        self._delivery.wake()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._runtime.running(
            database=self._database,
            connect=self._connect,
            restore=self._restore,
            work=self._work,
            drain=self._reports.stop,
            trouble=self._stream_room.lacking,
        ):
            yield

    async def _database(self) -> None:
        async with checking(DATABASE_AWAY), driver(self._engine) as connection:
            await require_head(connection)

    async def _connect(self) -> None:
        await ensure_topology(jetstream(self._runtime.broker))
        await self._reports.start()

    async def _restore(self) -> None:
        """Create streams and consumers that the broker has lost, and reconcile all runs, which sends lost commands
        again."""
        await ensure_topology(jetstream(self._runtime.broker))
        await self._leadership.reconcile()

    async def _work(self) -> None:
        await side_by_side(
            relay=self._relay.run,
            reconcile=self._leadership.reconcile_for_ever,
            count=lambda: keep_counted(self._engine, self._everybody),
            webhooks=self._delivery.run,
            verdicts=self._verdicts.run,
            streams=self._care.run,
            retention=self._old_age.run,
            schedules=self._firings.run,
            experiments=self._experiments.run,
        )
