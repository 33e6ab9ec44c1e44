"""Faults of processes: one process, two or all processes are killed or frozen."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator

import asyncpg

from tests.chaos.faults import NATS, POSTGRES, Fault, Params, down, fault, faults, loses_who, processes
from tests.chaos.stage import Stage
from tests.servers import Service


@contextlib.asynccontextmanager
async def away(service: Service, how: str) -> AsyncIterator[None]:
    """Freeze a process if `how` is "freeze", else kill it. When the `async with` block is left, continue or restart
    it."""
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


@fault(
    "kill",
    weight=10,
    draws=lambda draw, limits: {"who": draw.choice(processes(limits)), "down_s": down(draw)},
    loses=loses_who,
)
async def kill(stage: Stage, params: Params) -> bool:
    """Kill a process with SIGKILL, and restart it after `down_s` seconds."""
    async with away(stage.process(params["who"]), "kill"):
        await asyncio.sleep(params["down_s"])
    return True


@fault(
    "freeze",
    weight=7,
    draws=lambda draw, limits: {
        "who": draw.choice(processes(limits)),
        "for_s": round(draw.uniform(0.2, limits.longest_stop_s), 2),
    },
)
async def freeze(stage: Stage, params: Params) -> bool:
    """Freeze a process with SIGSTOP, and continue it with SIGCONT after `for_s` seconds."""
    async with away(stage.process(params["who"]), "freeze"):
        await asyncio.sleep(params["for_s"])
    return True


@fault("pause the database for long", weight=1, draws=lambda *_: {"for_s": 12.0}, loses=lambda _: 1)
async def pause_database(stage: Stage, params: Params) -> bool:
    """Freeze PostgreSQL for longer than any statement timeout, so that its clients close their connections."""
    return await freeze(stage, {"who": POSTGRES, **params})


@fault(
    "kill a backend",
    weight=2,
    draws=lambda draw, _: {"of": draw.choice(("inference-gateway", "orchestrator", "config-api"))},
    loses=lambda _: 1,
)
async def kill_backend(stage: Stage, params: Params) -> bool:
    """Kill the PostgreSQL backend of a service's connection. PostgreSQL then ends all other backends and recovers.

    The fault does not count if the service has no connection.
    """
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
                "down_s": down(draw),
                "for_s": round(draw.uniform(0.2, limits.longest_stop_s), 2),
            }
            for who in draw.sample(processes(limits), k=2)
        ]
    },
    loses=lambda params: sum(loses_who(part) for part in params["both"] if part["fault"] == "kill"),
)
async def two_at_once(stage: Stage, params: Params) -> bool:
    async with asyncio.TaskGroup() as both:
        for part in params["both"]:
            both.create_task(_act(faults()[part["fault"]], stage, part))
    return True


async def _act(which: Fault, stage: Stage, params: Params) -> None:
    await which.act(stage, params)


@fault("restart all", weight=1, draws=lambda draw, _: {"how": draw.choice(("stop", "kill"))}, loses=lambda _: 2)
async def restart_all(stage: Stage, params: Params) -> bool:
    services = stage.services
    servers = [stage.process(who) for who in (NATS, POSTGRES)]
    for service in (*services, *servers):
        await (service.kill() if params["how"] == "kill" else service.stop())
    # Start the servers before the services, as `llmbench up` does.
    for server in reversed(servers):
        await server.start()
    await asyncio.gather(*(service.start() for service in services))
    return True
