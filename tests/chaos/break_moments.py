"""Faults at moments that chance would seldom hit: during a user's pause, or between two calls for one score."""

import asyncio

from tests.chaos.break_processes import away, kill
from tests.chaos.faults import GATEWAY, LOSING, NATS, Params, fault, loses_killed, services
from tests.chaos.plan import Limits, service_of
from tests.chaos.stage import Stage


@fault(
    "pause and resume",
    weight=2,
    draws=lambda draw, limits: {
        "for_s": round(draw.uniform(0, 2), 2),
        "kill": draw.choice((None, *services(limits))),
    },
    loses=lambda params: int(params["kill"] is not None and service_of(params["kill"]) in LOSING),
)
async def pause_and_resume(stage: Stage, params: Params) -> bool:
    """Pause the run as a user does, kill a process while it is paused, and resume it."""
    if not await stage.order("pause"):
        return False
    if params["kill"]:
        await kill(stage, {"who": params["kill"], "down_s": 0})
    await _resume(stage, after_s=params["for_s"])
    return True


async def _resume(stage: Stage, *, after_s: float) -> None:
    """Wait until the run is paused, and resume it after `after_s` seconds."""
    await stage.until_status("PAUSED", "FINISHED")
    await asyncio.sleep(after_s)
    await stage.order("resume")


def _judging(limits: Limits) -> tuple[str, ...]:
    replicas = (who for who in limits.replicas if service_of(who) in ("judge", GATEWAY))
    return ("judge", "judge", GATEWAY, "orchestrator", NATS, *replicas)


@fault(
    "between two steps of judging",
    weight=5,
    draws=lambda draw, limits: {
        "calls": draw.randint(1, max(1, limits.judge_calls - 1)),
        "who": draw.choice(_judging(limits)),
        "how": draw.choice(("kill", "freeze", "pause")),
        "for_s": round(draw.uniform(0.2, min(3.0, limits.longest_stop_s)), 2),
    },
    loses=loses_killed,
    at_judging=True,
)
async def between_steps(stage: Stage, params: Params) -> bool:
    """Let the provider delay a judge's call. Meanwhile kill a process, freeze a process, or pause the run.

    Return False if the run ended before the call was delayed, so that nothing was broken.
    """
    model = stage.plan.judges[-1].name
    await stage.stack.control(model=model, hold=params["calls"])
    try:
        if not await stage.until_held(model):
            return False
        if params["how"] == "pause":
            if not await stage.order("pause"):
                return False
            await stage.stack.control(model=model, hold=None)
            await _resume(stage, after_s=params["for_s"])
            return True
        async with away(stage.process(params["who"]), params["how"]):
            await stage.stack.control(model=model, hold=None)
            await asyncio.sleep(params["for_s"])
    finally:
        await stage.stack.control(model=model, hold=None)
    return True
