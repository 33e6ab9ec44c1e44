"""The endpoints of `/api/runs` that create, change, control and delete runs. The endpoints that read runs are in
`orchestrator.results`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from uuid import UUID

from fastapi import Response

from llmbench.access import Resource
from llmbench.contracts.case import Case
from llmbench.contracts.check import CASE_CHECKS
from llmbench.contracts.run_words import RunType
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter
from orchestrator.kernel.domain.limits import Limits
from orchestrator.kernel.domain.new_run import (
    EvaluatorChoice,
    Judge,
    NewRun,
    NewTarget,
    Panel,
)
from orchestrator.kernel.domain.queue import moved, prioritised
from orchestrator.kernel.domain.refusal import no_run
from orchestrator.kernel.domain.revision import RUBRIC
from orchestrator.kernel.domain.sample import Sample, seed_of
from orchestrator.results.ports.queries import RunReader
from orchestrator.results.ports.schemas import RunSummary
from orchestrator.runs.api.bodies import (
    AddEvaluators,
    ChangeRun,
    CreateRun,
    EvaluatorInput,
    JudgeChoice,
    PanelChoice,
    PromoteRevision,
    ResumeRun,
    RetryFailed,
    RetryJudging,
    TargetChoice,
)
from orchestrator.runs.api.idempotency import Key, idempotency
from orchestrator.runs.api.plan_bodies import MoveRun
from orchestrator.runs.api.webhook_choice import WebhookRules, webhook_of
from orchestrator.runs.domain.self_judging import Contestant
from orchestrator.runs.handlers import commands, orders, score_again, try_again
from orchestrator.runs.handlers.commands import CommandParts
from orchestrator.runs.handlers.create_run import create_run
from orchestrator.runs.handlers.lead import Order
from orchestrator.runs.handlers.promote import promote
from orchestrator.runs.handlers.record_verdict import decide_again
from orchestrator.runs.handlers.score_again import JudgeChecks, JudgingRetry
from orchestrator.runs.ports.comments import CommentStore

_ACTIVE = answers(409, "Another run is active, and `queue` was not sent; `active_run_id` names it.")
_STATE = answers(409, "The run's state does not allow it, or another run is active.")


@dataclass(frozen=True)
class RunServices:
    """The dependencies of the endpoints, created when the service starts."""

    commands: CommandParts
    runs: RunReader
    webhooks: WebhookRules
    comments: CommentStore


class RunCreated(RunSummary):
    """The created run. Only this response contains `webhook_secret`, and only if the platform generated it."""

    webhook_secret: str | None = None


def router(services: Callable[[], RunServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/runs", tags=["runs"], resource=Resource.RUNS)

    @api.post("", status_code=201, operation_id="createRun", responses=_ACTIVE)
    async def create(body: CreateRun, response: Response, key: Key = None) -> RunCreated:
        """Create a run and start it. With `queue`, it is QUEUED while another run is active."""
        services().webhooks.check(body.webhook_url, body.webhook_secret, what="run")
        webhook, generated = webhook_of(body.webhook_url, body.webhook_secret)
        new = replace(new_run(body), idempotency=idempotency(key, "create", body), webhook=webhook)
        at = services().commands
        run_id, is_new = await create_run(at.factory, at.directory, at.catalogue, new, now=datetime.now(UTC))
        if new.queued:
            await at.leadership.admit()
        else:
            await at.leadership.wake(run_id)
        response.headers["Location"] = f"/api/runs/{run_id}"
        return RunCreated(**dict(await _summary(run_id)), webhook_secret=generated if is_new else None)

    @api.patch("/{run_id}", operation_id="changeRun")
    async def change(run_id: UUID, body: ChangeRun) -> RunSummary:
        """Change a run's name, description, tags, baseline or `cluster_by`, in any state of the run."""
        await commands.change(services().commands, run_id, body.model_dump(exclude_unset=True))
        return await _summary(run_id)

    @api.post("/{run_id}/move", operation_id="moveRun", responses=_STATE)
    async def move(run_id: UUID, body: MoveRun) -> RunSummary:
        """Move a queued run to another position in the queue. The request is idempotent."""
        place = (
            partial(moved, run_id=run_id, position=body.position)
            if body.position is not None
            else partial(prioritised, run_id=run_id, priority=body.priority or 0)
        )
        if not await services().commands.leadership.reorder(run_id, place):
            raise no_run(run_id)
        return await _summary(run_id)

    @api.post("/{run_id}/pause", status_code=202, operation_id="pauseRun", responses=_STATE)
    async def pause(run_id: UUID) -> RunSummary:
        """Pause the run: no further call starts. The run becomes PAUSED when the calls in flight have ended."""
        return await _give(run_id, orders.pause)

    @api.post("/{run_id}/resume", status_code=202, operation_id="resumeRun", responses=_STATE)
    async def resume(run_id: UUID, body: ResumeRun | None = None) -> RunSummary:
        """Resume a paused run with its remaining work. A run that reached its cost limit needs a higher limit."""
        limit = body.max_cost_usd if body else None
        return await _give(run_id, partial(orders.resume, max_cost_usd=limit))

    @api.post("/{run_id}/cancel", status_code=202, operation_id="cancelRun", responses=_STATE)
    async def cancel(run_id: UUID) -> RunSummary:
        """Cancel the run and abort its calls in flight; existing answers are kept."""
        return await _give(run_id, orders.cancel)

    @api.post("/{run_id}/retry-failed", status_code=202, operation_id="retryFailed", responses=_STATE)
    async def retry_failed(run_id: UUID, body: RetryFailed | None = None, key: Key = None) -> RunSummary:
        """Retry what failed in a finished run: answers and judgings. `item_ids` selects the items; by default, all
        items are included."""
        keyed = idempotency(key, f"retry-failed {run_id}", body)
        order = partial(try_again.retry_failed, item_ids=body.item_ids if body else None, idempotency=keyed)
        return await _summary(await commands.give_once(services().commands, run_id, order, keyed))

    @api.post("/{run_id}/retry-judging", status_code=202, operation_id="retryJudging", responses=_STATE)
    async def retry_judging(run_id: UUID, body: RetryJudging | None = None, key: Key = None) -> RunSummary:
        """Judge answers of a finished run again. By default, only failed judgings are repeated, by the same judge. With
        `judge`, another judge scores the answers whose judging failed, or all answers (`scope`).

        Each judge's scores are stored separately.
        """
        chosen = body or RetryJudging()
        retry = JudgingRetry(
            item_ids=chosen.item_ids,
            slot=chosen.evaluator,
            judge=_judge(chosen.judge, concurrency=1) if chosen.judge else None,
            whole=chosen.scope == "all",
            idempotency=idempotency(key, f"retry-judging {run_id}", body),
        )
        targets = await _contestants(run_id) if retry.judge else []
        checks = JudgeChecks(chosen.allow_self_judging, chosen.check_providers)
        return await _summary(await score_again.retry_judging(services().commands, run_id, retry, targets, checks))

    @api.post("/{run_id}/evaluators", status_code=202, operation_id="addEvaluators", responses=_STATE)
    async def add_evaluators(run_id: UUID, body: AddEvaluators, key: Key = None) -> RunSummary:
        """Score a finished run's answers with further evaluators. No target is called again."""
        keyed = idempotency(key, f"evaluators {run_id}", body)
        targets = await _contestants(run_id)
        choices = _choices(body.evaluators, body.judge, body.panel, concurrency=1)
        checks = JudgeChecks(body.allow_self_judging, body.check_providers)
        at = services().commands
        return await _summary(await score_again.add_evaluators(at, run_id, choices, targets, checks, keyed))

    @api.post("/{run_id}/promote", status_code=202, operation_id="promoteRevision", responses=_STATE)
    async def promote_revision(run_id: UUID, body: PromoteRevision) -> RunSummary:
        """Make an evaluator revision the primary one of a run that is over. The run's statistics and item scores then
        use it.

        To undo this, promote the previous revision.
        """
        return await _give(run_id, partial(promote, revision_id=body.revision_id))

    @api.post("/{run_id}/decide-gates", status_code=202, operation_id="decideGates", responses=_STATE)
    async def decide_gates(run_id: UUID) -> RunSummary:
        """Compare a finished run with its baselines again, for instance after one of the gates was changed. The
        baselines are the present ones of the run's subject (its preset or suite)."""
        return await _give(run_id, decide_again)

    @api.delete("/{run_id}", status_code=204, operation_id="deleteRun", responses=_STATE)
    async def delete(run_id: UUID) -> None:
        """Delete a run with its items, scores, calls, events and messages. Its judge checks, the runs that test its
        judge, are deleted, too.

        The request is refused (409) while the run or one of its judge checks is active. It is also refused while the
        run is the baseline or the anchor of a preset or suite.
        """
        if not await services().commands.leadership.delete(run_id):
            raise no_run(run_id)

    async def _give(run_id: UUID, order: Order) -> RunSummary:
        await commands.give(services().commands, run_id, order)
        return await _summary(run_id)

    async def _contestants(run_id: UUID) -> list[Contestant]:
        targets = (await _summary(run_id)).targets
        return [Contestant(target.label, target.provider_id, target.model) for target in targets]

    async def _summary(run_id: UUID) -> RunSummary:
        summary = await services().runs.run(run_id)
        if summary is None:
            raise no_run(run_id)
        return summary

    return api


def new_run(body: CreateRun, *, case: Case | None = None, type_: RunType = RunType.BENCHMARK) -> NewRun:
    """Return the request with its defaults filled in. If the run has a single `case`, it gets no evaluators unless the
    request names some."""
    labels = [target.label or target.model for target in body.targets]
    return NewRun(
        name=body.name or f"{', '.join(labels[:3])}{' …' if len(labels) > 3 else ''}"[:255],
        description=body.description,
        tags=list(dict.fromkeys(body.tags)),
        baseline_run_id=body.baseline_run_id,
        max_cost_usd=body.max_cost_usd,
        judge=_judge(body.judge, concurrency=body.concurrency) if body.judge else None,
        evaluators=[]
        if case is not None and body.evaluators is None
        else _choices(body.evaluators, body.judge, body.panel, concurrency=body.concurrency),
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
        parallel_groups=body.parallel_groups,
        check_providers=body.check_providers,
        allow_self_judging=body.allow_self_judging,
        usual_evaluators=body.evaluators is None and case is None,
        type=type_,
        case=case,
        queued=body.queue,
        priority=body.priority or 0,
        sample=_sample(body),
        subject=body.subject.chosen() if body.subject else None,
        baseline_label=body.baseline_label,
    )


def _sample(body: CreateRun) -> Sample | None:
    if body.sample is None:
        return None
    seed = body.sample.seed
    named = seed_of(body.name or "") if seed is None else seed
    tags = tuple(dict.fromkeys(body.sample.tags))
    return Sample(body.sample.size, body.sample.strategy, named, derived=seed is None, tags=tags)


def _judge(choice: JudgeChoice, *, concurrency: int) -> Judge:
    return Judge(choice.provider_id, choice.model, choice.params, choice.concurrency or concurrency)


def _panel(choice: PanelChoice, *, concurrency: int) -> Panel:
    judges = tuple(_judge(judge, concurrency=concurrency) for judge in choice.judges)
    return Panel(judges, quorum=choice.quorum or len(judges))


_USUAL = (EvaluatorInput(kind=CASE_CHECKS), EvaluatorInput(kind=RUBRIC.kind))


def _choices(
    chosen: Sequence[EvaluatorInput] | None, judge: JudgeChoice | None, panel: PanelChoice | None, *, concurrency: int
) -> list[EvaluatorChoice]:
    """Return the chosen evaluators. An evaluator that has neither a judge nor a panel gets those of the run.

    If `chosen` is null, return the default evaluators `case_checks` and `rubric`. The run's cases decide later which of
    them are used.
    """
    choices = []
    for index, choice in enumerate(_USUAL if chosen is None else chosen):
        place = f"evaluators.{index}"
        own = choice.judge is not None or choice.panel is not None
        # Report errors at the evaluator if it names its own judge, or if the request names no judge for all evaluators.
        inside = own or (chosen is not None and judge is None and panel is None)
        used_judge, used_panel = (choice.judge, choice.panel) if own else (judge, panel)
        field = "judge" if used_panel is None else "panel"
        choices.append(
            EvaluatorChoice(
                kind=choice.kind,
                place=place,
                judge=_judge(used_judge, concurrency=concurrency) if used_judge else None,
                panel=_panel(used_panel, concurrency=concurrency) if used_panel else None,
                judge_place=f"{place}.{field}" if inside else field,
                name=choice.name,
                params=choice.params,
                weight=choice.weight,
                required=choice.required,
                pass_threshold=choice.pass_threshold,
                judge_shared=not own,
                limits=Limits(choice.only, choice.unless),
            )
        )
    return choices


def _target(run: CreateRun, choice: TargetChoice, label: str) -> NewTarget:
    """Return the target. For its missing fields, the run's values apply."""
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
        prompt_version_id=choice.prompt_version_id,
    )
