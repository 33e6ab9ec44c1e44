"""POST /v1/benchmarks/runs: create a run of a published suite. A single run covers all tasks, so each model is loaded
once."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from llmbench.contracts.check import CASE_CHECKS, WITH_CHECKS
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.suite import SuiteTask
from orchestrator.kernel.domain.limits import of_suite_task
from orchestrator.kernel.domain.local_provider import is_local
from orchestrator.kernel.domain.new_run import EvaluatorChoice, Judge, NewRun, NewTarget
from orchestrator.kernel.domain.revision import RUBRIC
from orchestrator.kernel.domain.sample import Sample, seed_of
from orchestrator.kernel.domain.subject import Subject, SubjectKind
from orchestrator.kernel.domain.suite import NewSuite, NewSuiteTask
from orchestrator.runs.handlers.commands import CommandParts
from orchestrator.runs.handlers.create_run import create_run
from orchestrator.suites.domain.requested import RequestedBenchmark, RequestedModel
from orchestrator.suites.handlers.plan_benchmark import Checked

_TIMEOUT_S = 300.0
_MAX_ATTEMPTS = 3
_MAX_BACKOFF_S = 1800.0
_MOST_TURNS = 10
JUDGE = "judge"


async def start_benchmark(
    at: CommandParts, requested: RequestedBenchmark, checked: Checked, *, now: datetime
) -> tuple[UUID, bool]:
    """Create a queued run. Return its id, and whether the run is new. It is not new if an earlier request with the same
    idempotency key created it.

    Raises a `Problem`:

    - 409: cases or providers were deleted meanwhile.
    - 422: fields are invalid, or the key belongs to a different request.
    - 503: the judge service or the gateway does not answer.
    """
    new = await new_benchmark(at, requested, checked)
    return await create_run(at.factory, at.directory, at.catalogue, new, now=now)


async def new_benchmark(at: CommandParts, requested: RequestedBenchmark, checked: Checked) -> NewRun:
    """Return the run that the request for the suite creates."""
    new = _new_run(requested, checked, at.hosted)
    choices: list[EvaluatorChoice] = []
    for task in checked.tasks:
        choices += [*_of_task(task, new.judge)] if task.evaluators else await _usual(at, new, task)
    return replace(new, evaluators=choices)


def _new_run(requested: RequestedBenchmark, checked: Checked, hosted: frozenset[str]) -> NewRun:
    suite = checked.suite
    labels = ", ".join(model.shown() for model in requested.models[:3])
    name = requested.name or f"{suite.name} v{suite.version_number}: {labels}"
    judge = None
    if requested.judge is not None and checked.judge_provider is not None:
        judge = _judge(requested, requested.judge, checked.judge_provider, hosted)
    return NewRun(
        name=name[:255],
        description=requested.description,
        tags=list(dict.fromkeys(requested.tags)),
        baseline_run_id=None,
        max_cost_usd=requested.max_cost_usd,
        judge=judge,
        evaluators=[],
        targets=[
            _target(requested, model, provider, hosted)
            for model, provider in zip(requested.models, checked.providers, strict=True)
        ],
        collection_ids=[task.collection_id for task in checked.tasks if task.collection_id],
        dataset_version_ids=[task.dataset_version_id for task in checked.tasks if task.dataset_version_id],
        concurrency=requested.parallelism,
        parallel_groups=requested.parallel_groups,
        timeout_s=requested.timeout_s or _TIMEOUT_S,
        max_attempts=requested.max_attempts or _MAX_ATTEMPTS,
        max_backoff_s=_MAX_BACKOFF_S,
        max_conversation_history=_MOST_TURNS,
        show_choices=True,
        check_providers=requested.check_providers,
        allow_self_judging=requested.allow_self_judging,
        idempotency=requested.idempotency,
        webhook=requested.webhook,
        queued=True,
        priority=requested.priority,
        subject=Subject(SubjectKind.SUITE, suite.family_id),
        baseline_label=requested.baseline_label,
        suite=NewSuite(
            suite_id=suite.id,
            name=suite.name,
            version_number=suite.version_number,
            aggregation=suite.definition.aggregation,
            task_count=len(suite.definition.tasks),
            left_out=list(checked.left_out),
            tasks=[_task(suite.name, task, checked.level_of[task.name]) for task in checked.tasks],
        ),
    )


def _task(suite: str, task: SuiteTask, level: int) -> NewSuiteTask:
    return NewSuiteTask(
        name=task.name,
        category=task.category,
        level=level,
        version_id=task.dataset_version_id,
        collection_id=task.collection_id,
        source_name=task.source_name,
        source_version=task.source_version,
        sample=_sample(suite, task),
        params=task.params,
        epochs=task.epochs,
        weight=task.weight,
        after=task.after,
        gate=task.gate,
        estimated_seconds=task.estimated_seconds,
    )


def _sample(suite: str, task: SuiteTask) -> Sample | None:
    """Return the task's sample; `None` if the task takes all cases. Without a seed, the seed is derived from the names
    of suite and task, so all runs of all versions take the same cases."""
    if task.sample is None:
        return None
    seed = task.sample.seed
    named = seed_of(f"{suite}/{task.name}") if seed is None else seed
    return Sample(task.sample.size, task.sample.strategy, named, derived=seed is None)


def _target(
    requested: RequestedBenchmark, model: RequestedModel, provider: ProviderSnapshot, hosted: frozenset[str]
) -> NewTarget:
    return NewTarget(
        provider_id=provider.provider_id,
        model=model.name,
        label=model.shown(),
        params=model.params,
        # The tasks have epochs; the target answers each of their items once.
        epochs=1,
        concurrency=_concurrency(requested, model, provider, hosted),
        timeout_s=requested.timeout_s,
        max_attempts=requested.max_attempts,
        use_cache=requested.use_cache,
    )


def _judge(
    requested: RequestedBenchmark, model: RequestedModel, provider: ProviderSnapshot, hosted: frozenset[str]
) -> Judge:
    return Judge(
        provider.provider_id, model.name, model.params, concurrency=_concurrency(requested, model, provider, hosted)
    )


def _concurrency(
    requested: RequestedBenchmark, model: RequestedModel, provider: ProviderSnapshot, hosted: frozenset[str]
) -> int:
    return model.concurrency or (1 if is_local(provider, hosted=hosted) else requested.parallelism)


def _of_task(task: SuiteTask, judge: Judge | None) -> list[EvaluatorChoice]:
    numbered: dict[str, int] = {}
    choices = []
    for place, evaluator in enumerate(task.evaluators):
        number = numbered[evaluator.kind] = numbered.get(evaluator.kind, 0) + 1
        usual = evaluator.kind if number == 1 else f"{evaluator.kind}-{number}"
        choices.append(
            EvaluatorChoice(
                kind=evaluator.kind,
                place=f"tasks.{task.name}.evaluators.{place}",
                judge=judge,
                judge_place=JUDGE,
                judge_shared=True,
                name=f"{task.name}/{evaluator.name or usual}",
                params=dict(evaluator.params),
                weight=evaluator.weight,
                required=evaluator.required,
                pass_threshold=evaluator.pass_threshold,
                limits=of_suite_task(task.name),
            )
        )
    return choices


async def _usual(at: CommandParts, new: NewRun, task: SuiteTask) -> list[EvaluatorChoice]:
    """Return the default evaluators for a task that names none: `case_checks` for cases with checks, the rubric for
    others."""
    of_task = replace(
        new,
        collection_ids=[task.collection_id] if task.collection_id else [],
        dataset_version_ids=[task.dataset_version_id] if task.dataset_version_id else [],
    )
    checked, unchecked = await at.factory.count_checks(of_task)
    choices = []
    if checked:
        choices.append(_usual_choice(task, CASE_CHECKS, new.judge, unless_checked=False))
    if unchecked or not checked:
        choices.append(_usual_choice(task, RUBRIC.kind, new.judge, unless_checked=bool(checked)))
    return choices


def _usual_choice(task: SuiteTask, kind: str, judge: Judge | None, *, unless_checked: bool) -> EvaluatorChoice:
    return EvaluatorChoice(
        kind=kind,
        place=f"tasks.{task.name}.evaluators",
        judge=judge,
        judge_place=JUDGE,
        judge_shared=True,
        name=f"{task.name}/{kind}",
        limits=of_suite_task(task.name, unless=WITH_CHECKS if unless_checked else None),
    )
