"""The wiring of the gateway: the only module that knows every part. It connects when the lifespan begins."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from nats.aio.msg import Msg
from pydantic import Field
from pydantic_settings import SettingsConfigDict

from gateway_ws.adapters.nats_run_events import NatsRunEvents
from gateway_ws.domain.backlog import Limits
from gateway_ws.entrypoints.websocket import Wire, router
from gateway_ws.handlers.hub import Hub
from llmbench.background import end
from llmbench.http.web import make_app
from llmbench.messaging.broker import client, make_broker, nats_lacking, stop_broker
from llmbench.messaging.observer import message_type
from llmbench.observability.metrics import MESSAGE_SECONDS
from llmbench.service.settings import ServiceSettings, load

SERVICE = "gateway-ws"
RUN_EVENTS = "evt.run.>"
START_PATIENCE_S = 2.0


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
    settings = settings or load(Settings)

    async def reconnected() -> None:
        hub.reconnected()

    started = asyncio.Event()
    # Neither connects before the lifespan begins.
    broker = make_broker(settings.nats_url, service=SERVICE, on_reconnect=reconnected)
    hub = Hub(NatsRunEvents(broker, timeout_s=settings.replay_timeout_s), batch_s=settings.batch_ms / 1000)

    async def heard(message: Msg) -> None:
        with MESSAGE_SECONDS.labels(message_type(message.headers)).time():
            hub.receive(message.subject, message.data)

    async def connect() -> None:
        await broker.start()
        await client(broker).subscribe(RUN_EVENTS, cb=heard)
        started.set()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        connecting = asyncio.create_task(connect())
        try:
            # In the background: the process serves HTTP while it waits for an unreachable broker.
            await asyncio.wait({connecting}, timeout=START_PATIENCE_S)
            if connecting.done():
                connecting.result()
            yield
        finally:
            await end(connecting)
            hub.stop()
            started.clear()
            await stop_broker(broker)

    async def readiness() -> str | None:
        return nats_lacking(broker) or (None if started.is_set() else "starting")

    app = make_app(title="llmbench gateway-ws", door=settings.door(), readiness=readiness, lifespan=lifespan)
    limits = Limits(
        frames=settings.backlog_frames, size_bytes=settings.backlog_bytes, conflate_from=settings.conflate_from
    )
    wire = Wire(
        heartbeat_ms=settings.heartbeat_ms,
        batch_s=settings.batch_ms / 1000,
        limits=limits,
        max_clients=settings.max_clients,
    )
    app.include_router(router(hub, wire, started.is_set))
    return app
