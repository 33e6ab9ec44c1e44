"""One plan on a running platform: the run, what breaks meanwhile, the evidence."""

import asyncio
import contextlib
import time
import traceback
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.chaos.auditor import ENDS_WITHIN_S, audit, took_after_last_fault
from tests.chaos.browser import View, kind_of, watching
from tests.chaos.check_calls import paid_again
from tests.chaos.evidence import Broken, Evidence
from tests.chaos.expected import stubborn_question, turn_id, turn_question, unjudged_question
from tests.chaos.faults import FAULTS
from tests.chaos.gather import gather
from tests.chaos.plan import MAX_ATTEMPTS, MOST_TASKS, TURNS, Model, Plan
from tests.chaos.stage import Stage
from tests.platform import Platform, platform
from tests.servers import OUTLIVING_KILLS

_SEEN_WITHIN_S = 30.0


@dataclass(frozen=True)
class Report:
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
        said = "ok" if not self.violations else "VIOLATIONS\n  " + "\n  ".join(self.violations)
        recovered = "-" if self.recovered_s is None else f"{self.recovered_s:.1f} s"
        return (
            f"seed {self.seed}: {self.items} items, {self.calls} calls ({self.paid_again} again), "
            f"{self.reconnections} reconnections, {self.took_s:.0f} s, ended {recovered} after the last fault; "
            f"{len(self.broken)} of {self.planned} faults ({', '.join(self.broken) or 'nothing broken'}): {said}"
        )


@contextlib.asynccontextmanager
async def stage_for_plans() -> AsyncIterator[Platform]:
    """A platform that outlives kills of its database, with tasks and conversations to draw on."""
    async with platform(tasks=MOST_TASKS, database_settings=OUTLIVING_KILLS) as stack:
        yield stack


async def run_plan(
    stack: Platform, plan: Plan, *, ends_within_s: float = ENDS_WITHIN_S, last_waits: bool = False
) -> Report:
    """Raises nothing: what goes wrong in the harness is a violation too.

    `last_waits`: the model that is asked last gives no answer before everything was broken, so that no run is over
    before; the others' calls have to be enough for that.
    """
    began = time.monotonic()
    broken: list[Broken] = []
    try:
        patience_s = max(120.0, 2 * ends_within_s)
        evidence = await _play(stack, plan, broken, give_up_after_s=patience_s, last_waits=last_waits)
        violations = audit(evidence, plan, ends_within_s=ends_within_s) + evidence.notes
    except Exception as error:  # noqa: BLE001  # told with the seed, so that it can be played again
        return Report(
            plan.seed,
            [in_harness(error)],
            took_s=time.monotonic() - began,
            planned=len(plan.breaks),
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
        planned=len(plan.breaks),
        broken=_names(broken),
    )


def in_harness(error: BaseException) -> str:
    """The violation that an error of our own is."""
    return f"harness: {''.join(traceback.format_exception(error)[-3:])}"


async def _play(
    stack: Platform, plan: Plan, broken: list[Broken], *, give_up_after_s: float, last_waits: bool
) -> Evidence:
    await stack.provider_http.delete("/ledger")
    for model in plan.models().values():
        await _teach(stack, plan, model)
    last = list(plan.models())[-1]
    if last_waits:
        await stack.control(model=last, hold=0)
    run_id = await _start(stack, plan)
    stage = Stage(stack, plan, run_id)
    notes: list[str] = []
    async with watching(stack.url, run_id, Random(plan.seed)) as view:  # reproducible
        try:
            await _break(stage, broken)
        except (Exception, ExceptionGroup) as error:  # noqa: BLE001  # the run is audited all the same
            notes.append(in_harness(error))
        finally:
            await stack.control(model=last, hold=None)
        await _until_over(stage, give_up_after_s)
        await _until_seen(stack, run_id, view)
        evidence = await gather(stack, run_id, view=view, broken=broken)
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
        which, began = FAULTS[one.fault], time.time()
        # Of one that failed it is not known how far it got.
        done = True
        try:
            done = await which.act(stage, one.params)
        finally:
            if done:
                broken.append(Broken(one.fault, dict(one.params), began, time.time(), which.loses(one.params)))


async def _until_over(stage: Stage, give_up_after_s: float) -> None:
    """Waits for as long as calls are answered, and then for a while."""
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


async def _teach(stack: Platform, plan: Plan, model: Model) -> None:
    says = [{"when": [stubborn_question(plan, task)], "as": how} for task, how in (model.stubborn or {}).items()]
    if plan.unjudged is not None and model in plan.judges:
        when = ([unjudged_question(plan, plan.unjudged)], ["That reply was not usable"])
        says += [{"when": each, "as": f"{'-'.join(model.name.split('-')[:2])}-unparsed"} for each in when]
    await stack.control(model=model.name, next=list(model.next), says=says, hold=None)


async def _start(stack: Platform, plan: Plan) -> str:
    body = {
        "name": f"seed {plan.seed}",
        "targets": [_asked(stack, model) | {"label": model.name} for model in plan.targets],
        "evaluators": _evaluators(stack, plan),
        "timeout_s": plan.timeout_s,
        "max_attempts": MAX_ATTEMPTS,
        "check_providers": False,
        **({"judge": _asked(stack, plan.judges[0])} if len(plan.judges) == 1 else {}),
        **(await _cases(stack, plan)),
    }
    run_id: str = (await stack.post("/api/runs", body))["id"]
    return run_id


def _asked(stack: Platform, model: Model) -> dict[str, Any]:
    return {"provider_id": stack.provider_id, "model": model.name, "concurrency": model.concurrency}


def _evaluators(stack: Platform, plan: Plan) -> list[dict[str, Any]]:
    contains = {"kind": "contains", "params": {"text": "a"}, "weight": 0.5}
    exact = {"kind": "exact_match", "weight": 0}
    match plan.evaluators:
        case "rubric and program":
            return [{"kind": "rubric"}, contains]
        case "pairwise":
            return [{"kind": "pairwise", "params": {"opponent": "It depends."}}]
        case "g_eval":
            return [{"kind": "g_eval", "params": {"mode": "samples", "samples": 3}}]
        case "panel":
            judges = [_asked(stack, model) for model in plan.judges]
            return [{"kind": "rubric", "panel": {"judges": judges}}]
        case "programs":
            return [contains, exact]
        case _:
            return [{"kind": "rubric"}]


async def _cases(stack: Platform, plan: Plan) -> dict[str, Any]:
    if plan.conversations:
        return {"dataset_version_ids": [await _conversations(stack, plan)]}
    name = f"Seed {plan.seed} at {time.time()}"
    chosen = stack.task_ids[: plan.tasks]
    return {"collection_ids": [(await stack.post("/api/collections", {"name": name, "task_ids": chosen}))["id"]]}


async def _conversations(stack: Platform, plan: Plan) -> str:
    lines = ["id,conversation_id,turn,prompt,expected_output"]
    lines += [
        f'{turn_id(talk, turn)},talk-{talk},{turn},"{turn_question(talk, turn)}",No.'
        for talk in range(plan.tasks)
        for turn in range(1, TURNS + 1)
    ]
    name = f"Seed {plan.seed} at {time.time()}"
    dataset_id = (await stack.post("/v1/datasets", {"name": name, "type": "EVALUATION"}))["dataset_id"]
    files = {"file": ("talks.csv", "\n".join(lines).encode())}
    uploaded = await stack.http.post(f"/v1/datasets/{dataset_id}/versions", files=files)
    assert uploaded.status_code == 201, uploaded.text
    version: str = (await stack.post(f"/v1/datasets/{dataset_id}/versions/1/publish"))["version_id"]
    return version


def _names(broken: list[Broken]) -> list[str]:
    return [" ".join([one.fault, *(str(value) for value in one.params.values())]) for one in broken]
