"""Wires the judge: the only module that knows every part. Connects when the lifespan begins."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from pydantic import Field
from pydantic_settings import SettingsConfigDict

from judge.adapters.nats_calls import NatsCalls
from judge.adapters.nats_gates import NatsGates
from judge.adapters.upkeep import DURABLE, FILTER, Upkeep
from judge.entrypoints.commands import CommandLane
from judge.handlers.judge_answer import judge_answer
from llmbench.contracts.answer_scored import AnswerScored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.messaging.broker import make_broker, stop_broker
from llmbench.settings import ServiceSettings, load
from llmbench.web import make_app


class Settings(ServiceSettings):
    model_config = SettingsConfigDict(env_prefix="LLMBENCH_JUDGE_")

    port: int = Field(default=8404, ge=0, le=65_535, description="Port the service listens on.")
    max_pending: int = Field(default=64, ge=1, le=4096, description="Answers judged at once, by all judges together.")
    patience_s: float = Field(
        default=30, gt=0, le=3600, description="Silence after which a model call is asked for again (it is paid once)."
    )


def create_app(settings: Settings | None = None) -> FastAPI:
    settings = settings or load(Settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async def reconnected() -> None:
            await upkeep.reconnected()

        broker = make_broker(settings.nats_url, service="judge", on_reconnect=reconnected)
        calls, gates = NatsCalls(broker), NatsGates(broker)
        upkeep = Upkeep(broker, calls, gates, max_pending=settings.max_pending)

        async def judge(task: JudgeAnswer) -> AnswerScored:
            return await judge_answer(task, calls=calls, gates=gates, patience_s=settings.patience_s)

        lane = CommandLane(broker, judge, subject=FILTER, durable=DURABLE, workers=settings.max_pending)
        await broker.start()
        await upkeep.establish()
        await calls.start()
        await lane.start()
        keeping = asyncio.create_task(upkeep.run())
        states.append(upkeep)
        try:
            yield
        finally:
            states.clear()
            keeping.cancel()
            await lane.stop()
            await gates.stop()
            await stop_broker(broker)

    states: list[Upkeep] = []

    async def readiness() -> str | None:
        return states[0].lacking if states else "starting"

    return make_app(title="llmbench judge", origins=settings.origins(), readiness=readiness, lifespan=lifespan)
