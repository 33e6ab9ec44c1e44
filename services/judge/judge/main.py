"""Wire the judge: settings, NATS, evaluators. This is the only module that knows every part."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

from fastapi import FastAPI
from pydantic import Field
from pydantic_settings import SettingsConfigDict

from judge.adapters.nats_calls import NatsCalls
from judge.adapters.nats_gates import NatsGates
from judge.adapters.upkeep import DURABLE, Upkeep
from judge.entrypoints.commands import CommandLane
from judge.entrypoints.requests import subscribe_requests
from judge.handlers.judge_answer import judge_answer
from judge.python_code.permission import permit
from llmbench.contracts.answer_scored import AnswerScored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.http.web import make_app
from llmbench.service.runtime import ServiceRuntime
from llmbench.service.settings import ServiceSettings, load

SERVICE = "judge"


class Settings(ServiceSettings):
    model_config = SettingsConfigDict(env_prefix="LLMBENCH_JUDGE_")

    port: int = Field(default=8404, ge=0, le=65_535, description="Port the service listens on.")
    max_pending: int = Field(default=64, ge=1, le=4096, description="Answers judged at once, by all judges together.")
    patience_s: float = Field(
        default=30, gt=0, le=3600, description="Silence after which a model call is asked for again (it is paid once)."
    )
    run_code: Literal["off", "on"] = Field(
        default="off",
        description="Whether `python_tests` may run code that models write, in confined processes (Linux).",
    )


def create_app(settings: Settings | None = None) -> FastAPI:
    """Create the application, which connects to nothing before its lifespan begins.

    Without `settings`, the settings are read from the environment.
    """
    settings = settings or load(Settings)
    permit(allowed=settings.run_code == "on")
    runtime = ServiceRuntime(SERVICE, settings.nats_url, settings.nats_tls())
    subscribe_requests(runtime.broker)
    calls, gates = NatsCalls(runtime.broker), NatsGates(runtime.broker)
    upkeep = Upkeep(runtime.broker, calls, gates, max_pending=settings.max_pending)

    async def judge(task: JudgeAnswer) -> AnswerScored:
        return await judge_answer(task, calls=calls, gates=gates, patience_s=settings.patience_s)

    lane = CommandLane(runtime.broker, judge, durable=DURABLE)

    async def connect() -> None:
        await calls.start()
        await upkeep.establish()
        await lane.start()

    async def drain() -> None:
        await lane.stop()
        await gates.stop()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with runtime.running(
            connect=connect, restore=upkeep.reconnected, work=upkeep.run, drain=drain, trouble=upkeep.lacks
        ):
            yield

    return make_app(
        title="llmbench judge",
        door=settings.door(),
        authentication=settings.authentication(),
        readiness=runtime.lacks,
        lifespan=lifespan,
    )
