"""The steps that are the same for a single evaluation and a batch: choose the judges, check the request, build the run.

An evaluation is a run whose answers the client supplies, so its items start in WAITING_FOR_JUDGE (docs/decisions/0014).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from llmbench.contracts.case import Case
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_words import RunType
from llmbench.errors import FieldError
from orchestrator.evaluations.domain.evaluation import Answerer
from orchestrator.evaluations.domain.requested import Described, Requested
from orchestrator.evaluations.handlers.choose_metrics import asks_judge, choose_judge, evaluator_choices
from orchestrator.evaluations.ports.evaluations import MetricCatalogue, Outputs
from orchestrator.evaluations.ports.factory import EvaluationFactory
from orchestrator.kernel.domain.new_run import EvaluatorChoice, Idempotency, Judge, NewEvaluator, NewRun
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.domain.self_judging import Contestant, Warning
from orchestrator.runs.handlers.check_references import check_references
from orchestrator.runs.handlers.choose_evaluators import (
    check_judges,
    check_panels,
    resolve,
    used_judges,
)
from orchestrator.runs.ports.catalogue import EvaluatorCatalogue
from orchestrator.runs.ports.directory import ModelDirectory

_MAX_ATTEMPTS = 3
_MOST_TURNS = 10
_MAX_BACKOFF_S = 1800.0
_ONE_BACKOFF_S = 60.0
GIVEN = "given outputs"


@dataclass(frozen=True)
class EvaluationDependencies:
    """The dependencies of the handlers that create evaluations. A provider at one of the hosts `hosted` does not count
    as local, even if its address is private."""

    factory: EvaluationFactory
    directory: ModelDirectory
    catalogue: EvaluatorCatalogue
    metrics: MetricCatalogue
    hosted: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Created:
    """A created evaluation, or the earlier evaluation with the same idempotency key. `secret` is the webhook's secret
    if the platform generated it for this request, else null."""

    run_id: UUID
    secret: str | None = None


@dataclass(frozen=True)
class Checked:
    choices: Sequence[EvaluatorChoice]
    evaluators: Sequence[NewEvaluator]
    judges: Mapping[str, Judge]
    providers: Mapping[UUID, ProviderSnapshot]


async def earlier_evaluation(dependencies: EvaluationDependencies, idempotency: Idempotency | None) -> Created | None:
    run_id = None if idempotency is None else await dependencies.factory.run_of_key(idempotency)
    return None if run_id is None else Created(run_id)


async def simultaneous_evaluation(dependencies: EvaluationDependencies, idempotency: Idempotency | None) -> Created:
    earlier = await earlier_evaluation(dependencies, idempotency)
    assert earlier is not None, "the run that has the key exists"
    return earlier


async def check_request(dependencies: EvaluationDependencies, requested: Requested) -> Checked:
    if not requested.metrics and not requested.evaluators:
        requested = replace(requested, metrics=await dependencies.factory.default_evaluators())
    known = await dependencies.metrics.list()
    providers = await dependencies.factory.every_provider()
    # Report unknown metrics first: choosing a judge calls providers.
    evaluator_choices(requested, known, None)
    judge = None
    if asks_judge(requested, known):
        judge = await choose_judge(dependencies.directory, providers, requested, hosted=dependencies.hosted)
    choices = evaluator_choices(requested, known, judge)
    evaluators = await resolve(dependencies.catalogue, choices)
    if not any(evaluator.weight for evaluator in evaluators):
        raise invalid([FieldError("evaluators", "at least one needs a weight above 0")], "evaluation")
    judges = used_judges(choices, evaluators)
    unknown = [
        FieldError(f"{field}.provider_id", f"there is no provider {judge.provider_id}")
        for field, judge in judges.items()
        if judge.provider_id not in providers
    ]
    if unknown:
        raise invalid(unknown, "evaluation")
    used = {judge.provider_id for judge in judges.values()}
    return Checked(choices, evaluators, judges, {id_: providers[id_] for id_ in used})


def run_of(
    requested: Requested,
    checked: Checked,
    type_: RunType,
    *,
    name: str,
    idempotency: Idempotency | None,
    version_id: UUID | None = None,
) -> NewRun:
    judges = list(checked.judges.values())
    return NewRun(
        name=name[:255],
        description=None,
        tags=[],
        baseline_run_id=None,
        max_cost_usd=requested.max_cost_usd,
        judge=judges[0] if judges and all(judge == judges[0] for judge in judges) else None,
        evaluators=[],
        targets=[],
        collection_ids=[],
        dataset_version_ids=[version_id] if version_id else [],
        concurrency=max((judge.concurrency for judge in judges), default=1),
        timeout_s=requested.timeout_s,
        max_attempts=_MAX_ATTEMPTS,
        max_backoff_s=_ONE_BACKOFF_S if type_ == RunType.SINGLE else _MAX_BACKOFF_S,
        max_conversation_history=_MOST_TURNS,
        show_choices=True,
        check_providers=False,
        allow_self_judging=True,
        idempotency=idempotency,
        type=type_,
        evaluation={"metadata": dict(requested.described.metadata)},
    )


def label(described: Described) -> str:
    if described.model_name is None:
        return GIVEN
    return f"{described.model_name} {described.model_version}" if described.model_version else described.model_name


def answerer(described: Described) -> Answerer:
    return Answerer(label(described)[:120], described.model_name or GIVEN, described.model_provider or "given")


async def warnings(
    dependencies: EvaluationDependencies, described: Described, checked: Checked, run: NewRun, outputs: Outputs
) -> list[Warning]:
    """Return warnings about judges and panels, and about references that an evaluator cannot read. Raises a `Problem`:
    422 if an evaluator can read no reference at all, 503 if the judge service does not answer."""

    async def first_cases(limit: int) -> Sequence[Case]:
        if outputs.version_id is None:
            return [answer.case for answer in outputs.given[:limit]]
        cases = await dependencies.factory.first_cases(run, limit)
        scored = None if outputs.from_file is None else {output.case_name for output in outputs.from_file}
        return [case for case in cases if scored is None or case.task_id in scored]

    unread = await check_references(
        first_cases, dependencies.catalogue, checked.choices, checked.evaluators, what="evaluation"
    )
    return [*_of_judges(described, checked), *unread]


def _of_judges(described: Described, checked: Checked) -> list[Warning]:
    """Return warnings about panels whose models belong to one family, and about judges of the same family as the model
    that gave the answers. If that model is unknown, only panels are checked.

    A judge is never refused: equal names do not prove that the judge is the model that gave the answers.
    """
    of_panels = check_panels(checked.evaluators)
    if described.model_name is None:
        return of_panels
    contestant = Contestant(label(described), None, described.model_name)
    return [*of_panels, *check_judges(checked.judges, [contestant], allow_self_judging=True)]
