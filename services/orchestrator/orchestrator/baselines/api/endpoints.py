"""The endpoints of baselines and their gates."""

from collections.abc import Callable
from typing import Annotated
from uuid import UUID

from fastapi import Query, Response

from llmbench.access import Resource, Verb
from llmbench.errors import FieldError, Problem
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter, needs
from orchestrator.baselines.api.answers import SavedGateChecked
from orchestrator.baselines.api.bodies import ChangeGate, CreateBaseline, CreateGate, PromoteRun
from orchestrator.baselines.handlers.plan_judge_check import plan_judge_checks
from orchestrator.baselines.handlers.promote_run import WantedPromotion, create_baseline, promote
from orchestrator.baselines.handlers.save_gate import (
    GateParts,
    add_gate,
    change_gate,
    check_saved,
    no_baseline,
    no_gate,
)
from orchestrator.baselines.ports.schemas import BaselineOut, BaselinePage, PromotionPage, SavedGate
from orchestrator.kernel.api.cursor import encode, id_cursor
from orchestrator.kernel.api.query import CursorText, Limit, clean_text
from orchestrator.kernel.domain.subject import Subject, SubjectKind

_PATH = "/api/baselines"
_TAKEN = answers(409, "The label is taken, or the run is not finished.")
_HAS_ONE = answers(409, "The baseline has a gate on this metric, or its run is active.")


def router(services: Callable[[], GateParts]) -> ServiceRouter:
    api = ServiceRouter(tags=["baselines"], resource=Resource.RUNS)

    @api.get(_PATH, operation_id="listBaselines")
    async def list_baselines(
        subject_kind: SubjectKind | None = None,
        subject_id: Annotated[UUID | None, Query(description="Together with `subject_kind`.")] = None,
        label: Annotated[str | None, Query(max_length=60)] = None,
        limit: Limit = 100,
        cursor: CursorText = None,
    ) -> BaselinePage:
        """List baselines with their gates, in the order of their creation."""
        found = await services().store.baselines(
            _subject(subject_kind, subject_id), clean_text(label), after=id_cursor(cursor), limit=limit + 1
        )
        return BaselinePage(items=found[:limit], next_cursor=encode(found[limit - 1].id) if found[limit:] else None)

    @api.post(_PATH, status_code=201, operation_id="createBaseline", responses=_TAKEN)
    async def create(body: CreateBaseline, response: Response) -> BaselineOut:
        """Make a finished run the baseline of a subject under a label. The run also becomes the anchor: a second
        reference run, which stays when another run becomes the baseline."""
        id_ = await create_baseline(services(), body.subject.chosen(), body.label, body.run_id, body.note)
        response.headers["Location"] = f"{_PATH}/{id_}"
        return await _baseline(id_)

    @api.get(_PATH + "/{id}", operation_id="getBaseline")
    async def get(id: UUID) -> BaselineOut:
        return await _baseline(id)

    @api.post(_PATH + "/{id}/promote", operation_id="promoteToBaseline", responses=_TAKEN)
    async def promote_run(id: UUID, body: PromoteRun) -> BaselineOut:
        """Make another finished run the baseline, the anchor, or both. If the baseline changes, the probability that a
        gate gives an unchanged model the verdict *fine* is computed again for each gate."""
        await promote(services(), await _baseline(id), WantedPromotion(body.run_id, body.role, body.note))
        return await _baseline(id)

    @api.get(_PATH + "/{id}/history", operation_id="getBaselineHistory")
    async def history(id: UUID, limit: Limit = 100, cursor: CursorText = None) -> PromotionPage:
        """List the runs that became the baseline or the anchor, the newest first."""
        await _baseline(id)
        found = await services().store.history(id, before=id_cursor(cursor), limit=limit + 1)
        return PromotionPage(items=found[:limit], next_cursor=encode(found[limit - 1].id) if found[limit:] else None)

    @api.delete(_PATH + "/{id}", status_code=204, operation_id="deleteBaseline")
    async def delete(id: UUID) -> None:
        """Delete a baseline with its gates and history. Its runs and the verdicts on runs stay."""
        if not await services().store.delete(id):
            raise no_baseline(id)

    @api.post(_PATH + "/{id}/gates", status_code=201, operation_id="createGate", responses=_HAS_ONE)
    async def create_gate(id: UUID, body: CreateGate, response: Response) -> SavedGate:
        """Add a gate. The gate is refused (422) if it would give an unchanged model the verdict *fine* in fewer than 80
        of 100 comparisons. The detail says how many cases, or which margin, the gate needs."""
        gate_id = await add_gate(services(), await _baseline(id), body.wanted())
        response.headers["Location"] = f"/api/gates/{gate_id}"
        return await _gate(gate_id)

    @api.get("/api/gates/{id}", operation_id="getGate")
    async def get_gate(id: UUID) -> SavedGate:
        return await _gate(id)

    @api.patch("/api/gates/{id}", operation_id="changeGate", responses=_HAS_ONE)
    async def change(id: UUID, body: ChangeGate) -> SavedGate:
        """Change a gate. The change is refused (422) if the gate would then give an unchanged model the verdict *fine*
        in fewer than 80 of 100 comparisons."""
        gate = await _gate(id)
        await change_gate(services(), await _baseline(gate.baseline_id), gate, body.wanted(gate))
        return await _gate(id)

    @api.delete("/api/gates/{id}", status_code=204, operation_id="deleteGate")
    async def delete_gate(id: UUID) -> None:
        if not await services().store.delete_gate(id):
            raise no_gate(id)

    @api.post(
        "/api/gates/{id}/check", operation_id="checkSavedGate", responses=_HAS_ONE, openapi_extra=needs(Verb.READ)
    )
    async def check(id: UUID) -> SavedGateChecked:
        """Measure how reliable a saved gate is, by comparing the baseline with itself many times. Return how often
        there was a false alarm, and how often the verdict was *fine*. Also say which stored answers a later run judges
        again, to see whether the judge has changed."""
        gate = await _gate(id)
        baseline = await _baseline(gate.baseline_id)
        planned = await check_saved(services(), baseline, gate)
        return SavedGateChecked(
            run_id=baseline.run.id,
            run_name=baseline.run.name,
            metric=gate.metric,
            title=gate.title,
            relative=gate.relative,
            margin=gate.margin,
            holds=all(target.holds for target in planned.checks),
            targets=list(planned.checks),
            judge_checks=await plan_judge_checks(services(), baseline, gate),
        )

    async def _baseline(id_: UUID) -> BaselineOut:
        found = await services().store.baseline(id_)
        if found is None:
            raise no_baseline(id_)
        return found

    async def _gate(id_: UUID) -> SavedGate:
        found = await services().store.gate(id_)
        if found is None:
            raise no_gate(id_)
        return found

    return api


def _subject(kind: SubjectKind | None, id_: UUID | None) -> Subject | None:
    if kind is None and id_ is None:
        return None
    if kind is None or id_ is None:
        lacking = "subject_kind" if kind is None else "subject_id"
        message = f"{lacking}: send subject_kind and subject_id together, or neither"
        raise Problem(422, "Invalid request", message, errors=[FieldError(lacking, "is missing")])
    return Subject(kind, id_)
