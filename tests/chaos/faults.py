"""What is broken: one entry per kind of fault, found by its name. Each ends what it began.

`@fault` takes a function that breaks something on the running platform, and says whether it did; `draws` says with
which parameters.
"""

import asyncio
import contextlib
import os
import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import asyncpg

from llmbench_cli.embedded.process import ProcessSpec
from llmbench_cli.embedded.services import SERVICES
from tests.chaos.plan import Drawable, Limits
from tests.chaos.stage import Stage
from tests.servers import Service

Params = Mapping[str, Any]
Act = Callable[[Stage, Params], Awaitable[bool]]
POSTGRES, NATS, GATEWAY = "postgres", "nats", "inference-gateway"
PROCESSES = (*SERVICES, NATS, POSTGRES)
# An answer that was given and not yet committed when these end is asked for again.
LOSING = frozenset({GATEWAY, POSTGRES})


@dataclass(frozen=True)
class Fault(Drawable):
    """`act` says whether it broke anything. `loses`: how many times a call under way may have to be made again."""

    name: str
    weight: int
    params: Callable[[Random, Limits], dict[str, Any]]
    act: Act
    loses: Callable[[Params], int]

    def draw(self, draw: Random, limits: Limits) -> dict[str, Any]:
        return self.params(draw, limits)


FAULTS: dict[str, Fault] = {}


def fault(
    name: str,
    *,
    weight: int,
    draws: Callable[[Random, Limits], dict[str, Any]],
    loses: Callable[[Params], int] = lambda _: 0,
) -> Callable[[Act], Act]:
    def register(act: Act) -> Act:
        FAULTS[name] = Fault(name, weight, draws, act, loses)
        return act

    return register


def _loses_who(params: Params) -> int:
    return int(params["who"] in LOSING)


def _loses_killed(params: Params) -> int:
    """Of what may be killed or stopped: who only stands still loses nothing."""
    return _loses_who(params) if params["how"] == "kill" else 0


@contextlib.asynccontextmanager
async def _away(service: Service, how: str) -> AsyncIterator[None]:
    """Killed, or stopped in its tracks, until the block is left."""
    if how == "freeze":
        service.signal(signal.SIGSTOP)
    else:
        await service.kill()
    try:
        yield
    finally:
        if how == "freeze":
            service.signal(signal.SIGCONT)
        else:
            await service.start()


def _down(draw: Random) -> float:
    return round(draw.choice((0, draw.uniform(0, 1), draw.uniform(1, 7))), 2)


@fault(
    "kill",
    weight=10,
    draws=lambda draw, _: {"who": draw.choice(PROCESSES), "down_s": _down(draw)},
    loses=_loses_who,
)
async def kill(stage: Stage, params: Params) -> bool:
    """kill -9, and started again after a while."""
    async with _away(stage.process(params["who"]), "kill"):
        await asyncio.sleep(params["down_s"])
    return True


@fault(
    "freeze",
    weight=7,
    draws=lambda draw, limits: {
        "who": draw.choice(PROCESSES),
        "for_s": round(draw.uniform(0.2, limits.longest_stop_s), 2),
    },
)
async def freeze(stage: Stage, params: Params) -> bool:
    """SIGSTOP, then SIGCONT."""
    async with _away(stage.process(params["who"]), "freeze"):
        await asyncio.sleep(params["for_s"])
    return True


@fault("pause the database for long", weight=1, draws=lambda *_: {"for_s": 12.0}, loses=lambda _: 1)
async def pause_database(stage: Stage, params: Params) -> bool:
    """Longer than any statement may take: whoever waits for it gives up its connection."""
    return await freeze(stage, {"who": POSTGRES, **params})


@fault(
    "lose the broker's store",
    weight=3,
    draws=lambda draw, limits: {
        "down_s": _down(draw),
        "freeze_s": draw.choice((0, 0, round(draw.uniform(0.2, limits.longest_stop_s), 2))),
    },
)
async def lose_store(stage: Stage, params: Params) -> bool:
    """It comes back with nothing, and sometimes stands still while everybody wants to put things in place again."""
    service = stage.process(NATS)
    await service.kill()
    shutil.rmtree(stage.nats_store)
    await asyncio.sleep(params["down_s"])
    await service.start()
    if params["freeze_s"]:
        # Everybody has connected by then, and has asked for something.
        await asyncio.sleep(0.3)
        await freeze(stage, {"who": NATS, "for_s": params["freeze_s"]})
    return True


@fault("purge the streams", weight=2, draws=lambda *_: {})
async def purge(stage: Stage, _: Params) -> bool:
    await stage.stack.purge_streams()
    return True


@fault("full disk", weight=2, draws=lambda draw, _: {"for_s": round(draw.uniform(1, 8), 2)})
async def full_disk(stage: Stage, params: Params) -> bool:
    """The broker takes nothing any more: what it may store is less than what it has."""
    service = stage.process(NATS)
    normal = service.spec
    await service.kill()
    service.spec = _with_a_full_disk(normal, stage.stack.logs / "nats-full.conf")
    try:
        await service.start()
        await asyncio.sleep(params["for_s"])
        await service.kill()
    finally:
        service.spec = normal
    await service.start()
    return True


def _with_a_full_disk(normal: ProcessSpec, config: Path) -> ProcessSpec:
    command = list(normal.command)
    at = command.index("--config") + 1
    text = Path(command[at]).read_text()
    assert "max_file_store: 8GB" in text
    config.write_text(text.replace("max_file_store: 8GB", "max_file_store: 10KB"))
    command[at] = str(config)
    return replace(normal, command=tuple(command))


@fault(
    "kill a backend",
    weight=2,
    draws=lambda draw, _: {"of": draw.choice(("inference-gateway", "orchestrator", "config-api"))},
    loses=lambda _: 1,
)
async def kill_backend(stage: Stage, params: Params) -> bool:
    """One of PostgreSQL's own processes: all others are ended by the first, and it recovers. Nothing is broken while
    the service has no connection."""
    connection = await asyncpg.connect(stage.stack.database_url)
    try:
        pid = await connection.fetchval(
            "SELECT pid FROM pg_stat_activity WHERE application_name = $1 OR application_name LIKE $2 LIMIT 1",
            params["of"],
            f"llmbench-{params['of']}@%",
        )
    finally:
        await connection.close()
    if pid is None:
        return False
    os.kill(pid, signal.SIGKILL)
    await stage.process(POSTGRES).spec.ready()
    return True


@fault(
    "two at once",
    weight=4,
    draws=lambda draw, limits: {
        "both": [
            {
                "fault": draw.choice(("kill", "kill", "freeze")),
                "who": who,
                "down_s": _down(draw),
                "for_s": round(draw.uniform(0.2, limits.longest_stop_s), 2),
            }
            for who in draw.sample(PROCESSES, k=2)
        ]
    },
    loses=lambda params: sum(_loses_who(one) for one in params["both"] if one["fault"] == "kill"),
)
async def two_at_once(stage: Stage, params: Params) -> bool:
    async with asyncio.TaskGroup() as both:
        for one in params["both"]:
            both.create_task(_act(FAULTS[one["fault"]], stage, one))
    return True


async def _act(which: Fault, stage: Stage, params: Params) -> None:
    await which.act(stage, params)


@fault("restart all", weight=1, draws=lambda draw, _: {"how": draw.choice(("stop", "kill"))}, loses=lambda _: 2)
async def restart_all(stage: Stage, params: Params) -> bool:
    everything = [stage.process(who) for who in PROCESSES]
    for service in everything:
        await (service.kill() if params["how"] == "kill" else service.stop())
    # The servers first, as `llmbench up` does it.
    for service in reversed(everything[-2:]):
        await service.start()
    await asyncio.gather(*(service.start() for service in everything[:-2]))
    return True


@fault(
    "pause and resume",
    weight=2,
    draws=lambda draw, _: {"for_s": round(draw.uniform(0, 2), 2), "kill": draw.choice((None, *SERVICES))},
    loses=lambda params: int(params["kill"] in LOSING),
)
async def pause_and_resume(stage: Stage, params: Params) -> bool:
    """A person pauses the run, and something dies meanwhile."""
    if not await stage.order("pause"):
        return False
    if params["kill"]:
        await kill(stage, {"who": params["kill"], "down_s": 0})
    await stage.until_status("PAUSED", "FINISHED")
    await asyncio.sleep(params["for_s"])
    await stage.order("resume")
    return True


@fault(
    "between two steps of judging",
    weight=4,
    draws=lambda draw, limits: {
        "calls": draw.randint(1, max(1, limits.judge_calls - 1)),
        "who": draw.choice(("judge", "judge", GATEWAY, "orchestrator", NATS)),
        "how": draw.choice(("kill", "freeze")),
        "for_s": round(draw.uniform(0.2, min(3.0, limits.longest_stop_s)), 2),
    },
    loses=_loses_killed,
)
async def between_steps(stage: Stage, params: Params) -> bool:
    """A call of the judge is held at the provider while somebody dies or stands still."""
    if not stage.plan.judges:
        return False
    model = stage.plan.judges[-1].name
    await stage.stack.control(model=model, hold=params["calls"])
    try:
        if not await stage.until_held(model):
            return False
        async with _away(stage.process(params["who"]), params["how"]):
            await stage.stack.control(model=model, hold=None)
            await asyncio.sleep(params["for_s"])
    finally:
        await stage.stack.control(model=model, hold=None)
    return True
