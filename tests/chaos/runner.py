"""Carry out a plan on a platform: start the run, cause the faults, gather the evidence and audit it."""

import asyncio
import contextlib
import time
import traceback
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random

from tests.chaos.auditor import ENDS_WITHIN_S, audit, took_after_last_fault
from tests.chaos.browser import View, kind_of, watching
from tests.chaos.check_calls import paid_again
from tests.chaos.evidence import Broken, Evidence
from tests.chaos.faults import faults
from tests.chaos.gather import gather
from tests.chaos.neighbour import WAITS_S, gather_neighbours, neighbour, second_organisation
from tests.chaos.plan import MOST_TASKS, Plan
from tests.chaos.stage import Stage, running_twice
from tests.chaos.start import request_of, set_behaviour, start
from tests.chaos.waiting import read_queue, start_behind_others
from tests.platform import Platform, platform
from tests.servers import OUTLIVING_KILLS

_SEEN_WITHIN_S = 120.0


@dataclass(frozen=True)
class Report:
    """The result of running a plan. `paid_again` counts paid calls that were repeated, and `planned` counts the planned
    faults. `broken` has the names of the faults that were carried out."""

    seed: int
    violations: list[str]
    calls: int = 0
    paid_again: int = 0
    items: int = 0
    reconnections: int = 0
    recovered_s: float | None = None
    took_s: float = 0.0
    planned: int = 0
    broken: list[str] = field(default_factory=list)

    def line(self) -> str:
        outcome = "ok" if not self.violations else "VIOLATIONS\n  " + "\n  ".join(self.violations)
        recovered = "-" if self.recovered_s is None else f"{self.recovered_s:.1f} s"
        return (
            f"seed {self.seed}: {self.items} items, {self.calls} calls ({self.paid_again} again), "
            f"{self.reconnections} reconnections, {self.took_s:.0f} s, ended {recovered} after the last fault; "
            f"{len(self.broken)} of {self.planned} faults ({', '.join(self.broken) or 'nothing broken'}): {outcome}"
        )


@contextlib.asynccontextmanager
async def stage_for_plans() -> AsyncIterator[Platform]:
    """Yield a platform with tasks. Its PostgreSQL is configured to keep acknowledged data when it is killed."""
    async with platform(tasks=MOST_TASKS, database_settings=OUTLIVING_KILLS) as stack:
        yield stack


async def run_plan(
    stack: Platform, plan: Plan, *, ends_within_s: float = ENDS_WITHIN_S, last_waits: bool = False
) -> Report:
    """Carry out a plan and return its report. An error of the test harness is reported as a violation, and not raised.

    With `last_waits` the provider holds all calls of the last model until all faults have happened, so that the run
    cannot end earlier. The other models must make enough calls for the faults to begin.
    """
    began = time.monotonic()
    broken: list[Broken] = []
    try:
        patience_s = max(120.0, 2 * ends_within_s)
        evidence = await _play(stack, plan, broken, give_up_after_s=patience_s, last_waits=last_waits)
        within_s = ends_within_s + (WAITS_S if plan.neighbour else 0)
        violations = audit(evidence, plan, ends_within_s=within_s) + evidence.notes
    except Exception as error:  # noqa: BLE001  # reported with the seed, so that the plan can be repeated
        return Report(
            plan.seed,
            [in_harness(error)],
            took_s=time.monotonic() - began,
            planned=plan.planned,
            broken=_names(broken),
        )
    return Report(
        seed=plan.seed,
        violations=violations,
        calls=len(evidence.ledger),
        paid_again=paid_again(evidence),
        items=len(evidence.items),
        reconnections=evidence.view.connections - 1,
        recovered_s=took_after_last_fault(evidence),
        took_s=time.monotonic() - began,
        planned=plan.planned,
        broken=_names(broken),
    )


def in_harness(error: BaseException) -> str:
    """Return the violation that reports an error of the test harness."""
    return f"harness: {''.join(traceback.format_exception(error)[-3:])}"


async def _play(
    stack: Platform, plan: Plan, broken: list[Broken], *, give_up_after_s: float, last_waits: bool
) -> Evidence:
    request = await request_of(stack, plan)
    await stack.provider_http.delete("/ledger")
    for model in plan.models().values():
        await set_behaviour(stack, plan, model)
    last = list(plan.models())[-1]
    if last_waits:
        await stack.control(model=last, hold=0)
    notes: list[str] = []
    async with AsyncExitStack() as opened:
        replicas = await opened.enter_async_context(running_twice(stack, plan.replicas))
        second = await opened.enter_async_context(second_organisation(stack)) if plan.neighbour else None
        stage = Stage(stack, plan, "", replicas)
        queue = None
        if plan.waiting is None:
            stage.run_id = await start(stack, request)
        else:
            queue = await start_behind_others(stage, request, plan.waiting, broken)
        run_id = stage.run_id
        other = await opened.enter_async_context(neighbour(stage, *second)) if second else None
        view = await opened.enter_async_context(watching(stack.url, run_id, Random(plan.seed)))  # reproducible
        try:
            await _break(stage, broken)
        except (Exception, ExceptionGroup) as error:  # noqa: BLE001  # the run is audited nevertheless
            notes.append(in_harness(error))
        finally:
            await stack.control(model=last, hold=None)
        await _until_over(stage, give_up_after_s)
        if other is not None:
            await _until_over(other.stage, give_up_after_s)
        await _until_seen(stack, run_id, view)
        neighbours = None if other is None else await gather_neighbours(stage, other)
        ledger = await stage.ledger()
        if queue is not None:
            await read_queue(stack, queue)
        evidence = await gather(
            stack, run_id, ledger=ledger, view=view, broken=broken, neighbours=neighbours, queue=queue
        )
    evidence.notes.extend(notes)
    return evidence


async def _break(stage: Stage, broken: list[Broken]) -> None:
    for one in stage.plan.breaks:
        while await stage.answered() < one.after:
            if await stage.is_over():
                return
            await asyncio.sleep(0.05)
        if await stage.is_over():
            return
        which, began = faults()[one.fault], time.time()
        # A fault that raises an error may have broken something, so it counts.
        done = True
        try:
            done = await which.act(stage, one.params)
        finally:
            if done:
                loses = which.loses(one.params)
                broken.append(Broken(one.fault, dict(one.params), began, time.time(), loses, which.forgets))


async def _until_over(stage: Stage, give_up_after_s: float) -> None:
    """Wait until the run is over. Give up when the provider has received no new call for `give_up_after_s` seconds."""
    last, moved_at = -1, time.monotonic()
    while time.monotonic() - moved_at < give_up_after_s:
        if await stage.is_over():
            return
        calls = len(await stage.stack.ledger())
        if calls != last:
            last, moved_at = calls, time.monotonic()
        await asyncio.sleep(0.2)


async def _until_seen(stack: Platform, run_id: str, view: View) -> None:
    last = {kind_of(event["type"]): event["run_seq"] for event in await stack.events(run_id)}
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_SEEN_WITHIN_S):
            while any(view.next_seq(kind) <= seq for kind, seq in last.items()):
                await asyncio.sleep(0.1)


def _names(broken: list[Broken]) -> list[str]:
    return [" ".join([one.fault, *(str(value) for value in one.params.values())]) for one in broken]
