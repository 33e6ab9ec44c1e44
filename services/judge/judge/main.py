"""The wiring of the judge: the only module that knows every part. It connects when the lifespan begins."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from pydantic import Field
from pydantic_settings import SettingsConfigDict

from judge.adapters.nats_calls import NatsCalls
from judge.adapters.nats_gates import NatsGates
from judge.adapters.upkeep import DURABLE, Upkeep
from judge.entrypoints.commands import CommandLane
from judge.entrypoints.requests import subscribe_requests
from judge.handlers.judge_answer import judge_answer
from llmbench.background import end
from llmbench.contracts.answer_scored import AnswerScored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.http.web import make_app
from llmbench.messaging.broker import make_broker, stop_broker
from llmbench.service.settings import ServiceSettings, load

_log = logging.getLogger(__name__)

SERVICE = "judge"
START_PATIENCE_S = 2.0


class Settings(ServiceSettings):
    model_config = SettingsConfigDict(env_prefix="LLMBENCH_JUDGE_")

    port: int = Field(default=8404, ge=0, le=65_535, description="Port the service listens on.")
    max_pending: int = Field(default=64, ge=1, le=4096, description="Answers judged at once, by all judges together.")
    patience_s: float = Field(
        default=30, gt=0, le=3600, description="Silence after which a model call is asked for again (it is paid once)."
    )


def create_app(settings: Settings | None = None) -> FastAPI:
    settings = settings or load(Settings)
    running: list[Upkeep] = []
    working: list[asyncio.Task[None]] = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async def reconnected() -> None:
            upkeep.reconnected()

        broker = make_broker(settings.nats_url, service=SERVICE, on_reconnect=reconnected)
        subscribe_requests(broker)
        calls, gates = NatsCalls(broker), NatsGates(broker)
        upkeep = Upkeep(broker, calls, gates, max_pending=settings.max_pending)

        async def judge(task: JudgeAnswer) -> AnswerScored:
            return await judge_answer(task, calls=calls, gates=gates, patience_s=settings.patience_s)

        lane = CommandLane(broker, judge, durable=DURABLE)

        async def work() -> None:
            try:
                await broker.start()
                await calls.start()
                await upkeep.establish_patiently()
                await lane.start()
                at_work.set()
                await upkeep.run()
            except Exception:
                _log.exception("the judge has stopped working")
                raise

        at_work = asyncio.Event()
        running.append(upkeep)
        work_task = asyncio.create_task(work())
        working.append(work_task)
        try:
            # In the background: the process serves HTTP while it waits for an unreachable broker.
            ready = asyncio.create_task(at_work.wait())
            await asyncio.wait({work_task, ready}, timeout=START_PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
            ready.cancel()
            if work_task.done():
                work_task.result()
            yield
        finally:
            running.clear()
            await end(work_task)
            working.clear()
            if at_work.is_set():
                await lane.stop()
                await gates.stop()
            await stop_broker(broker)

    async def readiness() -> str | None:
        if working and working[0].done():
            return "the judge has stopped working; its log says why"
        return running[0].lacks() if running else "starting"

    return make_app(title="llmbench judge", door=settings.door(), readiness=readiness, lifespan=lifespan)
