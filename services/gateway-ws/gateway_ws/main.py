"""Wire the gateway: settings, NATS, WebSocket. This is the only module that knows every part."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from nats.aio.msg import Msg
from pydantic import Field
from pydantic_settings import SettingsConfigDict

from gateway_ws.adapters.nats_run_events import NatsRunEvents
from gateway_ws.domain.backlog import Limits
from gateway_ws.entrypoints.websocket import WebSocketSettings, router
from gateway_ws.handlers.clients import Clients
from gateway_ws.handlers.hub import Hub
from llmbench.contracts.answer_streamed import AnswerStreamed
from llmbench.contracts.identity_revoked import IdentityRevoked
from llmbench.http.web import make_app
from llmbench.messaging.broker import client
from llmbench.messaging.observer import message_type
from llmbench.messaging.owner import organisation_of
from llmbench.observability.metrics import MESSAGE_SECONDS
from llmbench.service.runtime import ServiceRuntime
from llmbench.service.settings import ServiceSettings, load

SERVICE = "gateway-ws"
RUN_EVENTS = "evt.run.>"
EXPERIMENT_EVENTS = "evt.experiment.>"
ANSWERS = AnswerStreamed.SUBJECT.format(run_id="*")


class Settings(ServiceSettings):
    model_config = SettingsConfigDict(env_prefix="LLMBENCH_GATEWAY_WS_")

    port: int = Field(default=8405, ge=0, le=65_535, description="Port the service listens on.")
    heartbeat_ms: int = Field(default=10_000, ge=0, le=600_000, description="STOMP heart-beat, both ways; 0: none.")
    batch_ms: int = Field(default=100, ge=0, le=1000, description="Events are gathered this long into one message.")
    max_clients: int = Field(default=2000, ge=1, description="WebSockets open at once.")
    backlog_frames: int = Field(default=5000, ge=10, description="Frames waiting for a client that is then too slow.")
    backlog_bytes: int = Field(default=8 * 1024**2, ge=65_536, description="The same in bytes.")
    conflate_from: int = Field(default=100, ge=1, description="Waiting frames from which on progress is conflated.")
    replay_timeout_s: float = Field(default=5, gt=0, le=60, description="Time the orchestrator has for a page.")


def create_app(settings: Settings | None = None) -> FastAPI:
    """Create the application, which connects to nothing before its lifespan begins.

    Without `settings`, they are read from the environment.
    """
    settings = settings or load(Settings)
    runtime = ServiceRuntime(SERVICE, settings.nats_url, settings.nats_tls())
    hub = Hub(NatsRunEvents(runtime.broker, timeout_s=settings.replay_timeout_s), batch_s=settings.batch_ms / 1000)

    clients = Clients()

    async def receive(message: Msg) -> None:
        with MESSAGE_SECONDS.labels(message_type(message.headers)).time():
            hub.receive(message.subject, message.data, org_id=organisation_of(message.headers))

    async def receive_of_experiment(message: Msg) -> None:
        with MESSAGE_SECONDS.labels(message_type(message.headers)).time():
            hub.receive_of_experiment(message.subject, message.data, org_id=organisation_of(message.headers))

    async def receive_answer(message: Msg) -> None:
        hub.receive_answer(message.subject, message.data, org_id=organisation_of(message.headers))

    async def revoked(message: Msg) -> None:
        clients.revoked(IdentityRevoked.model_validate_json(message.data).credentials)

    async def connect() -> None:
        await client(runtime.broker).subscribe(RUN_EVENTS, cb=receive)
        await client(runtime.broker).subscribe(EXPERIMENT_EVENTS, cb=receive_of_experiment)
        await client(runtime.broker).subscribe(ANSWERS, cb=receive_answer)
        if settings.auth != "off":
            await client(runtime.broker).subscribe(IdentityRevoked.SUBJECT, cb=revoked)

    async def restore() -> None:
        await hub.reconnected()
        clients.recheck()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with runtime.running(connect=connect, restore=restore, drain=hub.stop):
            yield

    app = make_app(
        title="llmbench gateway-ws",
        door=settings.door(),
        authentication=settings.authentication(),
        readiness=runtime.lacks,
        lifespan=lifespan,
    )
    limits = Limits(
        frames=settings.backlog_frames, size_bytes=settings.backlog_bytes, conflate_from=settings.conflate_from
    )
    wire = WebSocketSettings(
        heartbeat_ms=settings.heartbeat_ms,
        batch_s=settings.batch_ms / 1000,
        limits=limits,
        max_clients=settings.max_clients,
    )
    app.include_router(router(hub, wire, clients, lambda: runtime.at_work))
    return app
