"""`/api/runs`: create and start, look, change, pause, resume, cancel, try again, delete."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response

from llmbench.contracts.check import CASE_CHECKS
from llmbench.errors import FieldError, Problem
from orchestrator.domain.limits import Limits
from orchestrator.domain.new_run import EvaluatorChoice, Idempotency, Judge, NewEvaluator, NewRun, NewTarget, Panel
from orchestrator.domain.revision import RUBRIC
from orchestrator.domain.self_judging import Contestant, Warning
from orchestrator.entrypoints import cursor as cursors
from orchestrator.entrypoints.filters import ChosenRuns, Key, idempotency
from orchestrator.entrypoints.shared_answers import SharedAnswers
from orchestrator.handlers import orders, try_again
from orchestrator.handlers.choose_evaluators import EvaluatorCatalogue, check_panels, resolve, used_judges
from orchestrator.handlers.create_run import ModelDirectory, RunFactory, create_run, second_run
from orchestrator.handlers.lead import Order
from orchestrator.handlers.leadership import Leadership
from orchestrator.handlers.refusal import invalid
from orchestrator.ports.comparison import ComparisonReader
from orchestrator.ports.inputs import (
    AddEvaluators,
    ChangeRun,
    CreateRun,
    EvaluatorInput,
    JudgeChoice,
    PanelChoice,
    ResumeRun,
    RetryFailed,
    RetryJudging,
    TargetChoice,
)
from orchestrator.ports.queries import ExportReader, ItemReader, RunReader
from orchestrator.ports.schemas import RunDetail, RunPage, RunSummary
from orchestrator.ports.store import ActiveRunExists, KeyTaken

Limit = Annotated[int, Query(ge=1, le=500)]


@dataclass(frozen=True)
class Services:
    """What the endpoints need; made when the service starts."""

    leadership: Leadership
    factory: RunFactory
    directory: ModelDirectory
    catalogue: EvaluatorCatalogue
    runs: RunReader
    items: ItemReader
    exports: ExportReader
    comparisons: ComparisonReader


def router(services: Callable[[], Services]) -> APIRouter:
    api = APIRouter(prefix="/api/runs", tags=["runs"])
    shared = SharedAnswers()

    @api.post("", status_code=201, operation_id="createRun")
    async def create(body: CreateRun, response: Response, key: Key = None) -> RunSummary:
        """Create a run and start it."""
        new = replace(_new_run(body), idempotency=idempotency(key, "create", body))
        at = services()
        run_id = await create_run(at.factory, at.directory, at.catalogue, new, now=datetime.now(UTC))
        await services().leadership.wake(run_id)
        response.headers["Location"] = f"/api/runs/{run_id}"
        return await _summary(run_id)

    @api.get("", operation_id="listRuns", response_model=RunPage)
    async def list_runs(request: Request, chosen: ChosenRuns, limit: Limit = 50, cursor: str | None = None) -> Response:
        """Newest first."""
        after = cursors.run_cursor(cursor)

        async def page() -> RunPage:
            found = await services().runs.runs(chosen, after=after, limit=limit + 1)
            last = found[limit - 1] if len(found) > limit else None
            place = cursors.encode(last.created_at.isoformat(), last.id) if last else None
            return RunPage(items=found[:limit], next_cursor=place)

        return await shared(request, page)

    @api.get("/{run_id}", operation_id="getRun", response_model=RunDetail)
    async def get(
        request: Request,
        run_id: UUID,
        include: Annotated[
            list[Literal["tasks"]] | None, Query(description="`tasks`: the figures of every task as well.")
        ] = None,
    ) -> Response:
        """The run with its figures: of all of it, per target, per category, per judge."""

        async def detail() -> RunDetail:
            found = await services().runs.detail(run_id, tasks="tasks" in (include or []))
            if found is None:
                raise no_run(run_id)
            return found

        return await shared(request, detail)

    @api.patch("/{run_id}", operation_id="changeRun")
    async def change(run_id: UUID, body: ChangeRun) -> RunSummary:
        """Name, description, tags, baseline and what its figures are clustered by may change at any time."""
        changes = body.model_dump(exclude_unset=True)
        if body.baseline_run_id is not None and not await services().factory.run_exists(body.baseline_run_id):
            raise invalid([FieldError("baseline_run_id", f"there is no run {body.baseline_run_id}")])
        if not await services().factory.change(run_id, changes):
            raise no_run(run_id)
        return await _summary(run_id)

    @api.post("/{run_id}/pause", status_code=202, operation_id="pauseRun")
    async def pause(run_id: UUID) -> RunSummary:
        """No further call starts; PAUSED when those in flight have reported."""
        return await _order(run_id, orders.pause)

    @api.post("/{run_id}/resume", status_code=202, operation_id="resumeRun")
    async def resume(run_id: UUID, body: ResumeRun | None = None) -> RunSummary:
        """Goes on with the next item. One that paused at its cost limit needs a higher one."""
        limit = body.max_cost_usd if body else None
        return await _order(run_id, partial(orders.resume, max_cost_usd=limit))

    @api.post("/{run_id}/cancel", status_code=202, operation_id="cancelRun")
    async def cancel(run_id: UUID) -> RunSummary:
        """Aborts the calls in flight; what was answered stays."""
        return await _order(run_id, orders.cancel)

    @api.post("/{run_id}/retry-failed", status_code=202, operation_id="retryFailed")
    async def retry_failed(run_id: UUID, body: RetryFailed | None = None, key: Key = None) -> RunSummary:
        """A finished run goes on with what failed, answers and judgings: all of it, or the items named."""
        item_ids = body.item_ids if body else None
        return await _try_again(
            run_id,
            idempotency(key, f"retry-failed {run_id}", body),
            lambda keyed: partial(try_again.retry_failed, item_ids=item_ids, idempotency=keyed),
        )

    @api.post("/{run_id}/retry-judging", status_code=202, operation_id="retryJudging")
    async def retry_judging(run_id: UUID, body: RetryJudging | None = None, key: Key = None) -> RunSummary:
        """A finished run goes on with judging: what failed, by the same judge or another, or every
        answer by another judge. Scores of different judges are kept apart."""
        chosen = body or RetryJudging()
        keyed = idempotency(key, f"retry-judging {run_id}", body)
        if chosen.judge is None:
            return await _try_again(
                run_id,
                keyed,
                lambda keyed: partial(
                    try_again.retry_judging, item_ids=chosen.item_ids, idempotency=keyed, slot=chosen.evaluator
                ),
            )
        summary, present = await _summary(run_id), await services().factory.evaluators(run_id)
        choice = try_again.other_judge(present, _judge(chosen.judge, concurrency=1), chosen.evaluator)
        (evaluator,) = await resolve(services().catalogue, [choice])
        warned = await _check_judges(summary, [choice], [evaluator], chosen)
        return await _try_again(
            run_id,
            keyed,
            lambda keyed: partial(
                try_again.ask_another_judge,
                item_ids=chosen.item_ids,
                evaluator=evaluator,
                warned=warned,
                idempotency=keyed,
                whole=chosen.scope == "all",
            ),
        )

    @api.post("/{run_id}/evaluators", status_code=202, operation_id="addEvaluators")
    async def add_evaluators(run_id: UUID, body: AddEvaluators, key: Key = None) -> RunSummary:
        """A finished run's answers are scored by further evaluators. No target is called again."""
        keyed = idempotency(key, f"evaluators {run_id}", body)
        summary, present = await _summary(run_id), await services().factory.evaluators(run_id)
        choices = _choices(body.evaluators, body.judge, body.panel, concurrency=1)
        evaluators = await resolve(services().catalogue, choices, present=present)
        warned = await _check_judges(summary, choices, evaluators, body) + check_panels(evaluators)
        return await _try_again(
            run_id,
            keyed,
            lambda keyed: partial(try_again.add_evaluators, evaluators=evaluators, warned=warned, idempotency=keyed),
        )

    @api.delete("/{run_id}", status_code=204, operation_id="deleteRun")
    async def delete(run_id: UUID) -> None:
        """The run and everything of it: items, scores, calls, events, messages. Not while it is active."""
        if not await services().leadership.delete(run_id):
            raise no_run(run_id)

    async def _try_again(
        run_id: UUID, keyed: Idempotency | None, order: Callable[[Idempotency | None], Order]
    ) -> RunSummary:
        if keyed is not None and (done := await services().factory.run_of_key(keyed)) is not None:
            return await _summary(done)
        try:
            return await _order(run_id, order(keyed))
        except KeyTaken:
            return await _summary(run_id)

    async def _check_judges(
        run: RunSummary,
        choices: Sequence[EvaluatorChoice],
        evaluators: Sequence[NewEvaluator],
        body: RetryJudging | AddEvaluators,
    ) -> list[Warning]:
        return await try_again.check_more_judges(
            services().factory,
            services().directory,
            [Contestant(target.label, target.provider_id, target.model) for target in run.targets],
            used_judges(choices, evaluators),
            allow_self_judging=body.allow_self_judging,
            check_providers=body.check_providers,
        )

    async def _order(run_id: UUID, order: Order) -> RunSummary:
        try:
            found = await services().leadership.order(run_id, order)
        except ActiveRunExists:
            raise await second_run(services().factory) from None
        if not found:
            raise no_run(run_id)
        return await _summary(run_id)

    async def _summary(run_id: UUID) -> RunSummary:
        summary = await services().runs.run(run_id)
        if summary is None:
            raise no_run(run_id)
        return summary

    return api


def no_run(run_id: UUID) -> Problem:
    return Problem(404, "No such run", f"There is no run {run_id}.")


def _new_run(body: CreateRun) -> NewRun:
    labels = [target.label or target.model for target in body.targets]
    return NewRun(
        name=body.name or f"{', '.join(labels[:3])}{' …' if len(labels) > 3 else ''}"[:255],
        description=body.description,
        tags=list(dict.fromkeys(body.tags)),
        baseline_run_id=body.baseline_run_id,
        max_cost_usd=body.max_cost_usd,
        judge=_judge(body.judge, concurrency=body.concurrency) if body.judge else None,
        evaluators=_choices(body.evaluators, body.judge, body.panel, concurrency=body.concurrency),
        targets=[_target(body, target, label[:120]) for target, label in zip(body.targets, labels, strict=True)],
        collection_ids=body.collection_ids,
        dataset_version_ids=body.dataset_version_ids,
        concurrency=body.concurrency,
        timeout_s=body.timeout_s,
        max_attempts=body.max_attempts,
        max_backoff_s=body.max_backoff_s,
        max_conversation_history=body.max_conversation_history,
        cluster_by=body.cluster_by,
        show_choices=body.show_choices,
        check_providers=body.check_providers,
        allow_self_judging=body.allow_self_judging,
        usual_evaluators=body.evaluators is None,
    )


def _judge(choice: JudgeChoice, *, concurrency: int) -> Judge:
    return Judge(choice.provider_id, choice.model, choice.params, choice.concurrency or concurrency)


def _panel(choice: PanelChoice, *, concurrency: int) -> Panel:
    judges = tuple(_judge(judge, concurrency=concurrency) for judge in choice.judges)
    return Panel(judges, quorum=choice.quorum or len(judges))


_USUAL = (EvaluatorInput(kind=CASE_CHECKS), EvaluatorInput(kind=RUBRIC.kind))


def _choices(
    chosen: Sequence[EvaluatorInput] | None, judge: JudgeChoice | None, panel: PanelChoice | None, *, concurrency: int
) -> list[EvaluatorChoice]:
    """What an evaluator leaves out is the run's. Without any, the cases say which of the usual ones they need."""
    found = []
    for index, one in enumerate(_USUAL if chosen is None else chosen):
        place = f"evaluators.{index}"
        own = one.judge is not None or one.panel is not None
        # With nobody to ask at all, the field to fill in is the evaluator's own where there is one.
        inside = own or (chosen is not None and judge is None and panel is None)
        asked, voting = (one.judge, one.panel) if own else (judge, panel)
        what = "judge" if voting is None else "panel"
        found.append(
            EvaluatorChoice(
                kind=one.kind,
                place=place,
                judge=_judge(asked, concurrency=concurrency) if asked else None,
                panel=_panel(voting, concurrency=concurrency) if voting else None,
                judge_place=f"{place}.{what}" if inside else what,
                name=one.name,
                params=one.params,
                weight=one.weight,
                required=one.required,
                pass_threshold=one.pass_threshold,
                judge_shared=not own,
                limits=Limits(one.only, one.unless),
            )
        )
    return found


def _target(run: CreateRun, choice: TargetChoice, label: str) -> NewTarget:
    """What a target leaves out is the run's."""
    own = {name: getattr(choice.params, name) for name in choice.params.model_fields_set}
    options = run.params.options | choice.params.options
    return NewTarget(
        provider_id=choice.provider_id,
        model=choice.model,
        label=label,
        params=run.params.model_copy(update=own | {"options": options}),
        epochs=choice.epochs or run.epochs,
        concurrency=choice.concurrency or run.concurrency,
        timeout_s=choice.timeout_s or (run.timeout_s if "timeout_s" in run.model_fields_set else None),
        max_attempts=choice.max_attempts or (run.max_attempts if "max_attempts" in run.model_fields_set else None),
        use_cache=run.use_cache if choice.use_cache is None else choice.use_cache,
    )
