"""POST /api/runs: check the request, then create the run in one transaction, started or queued."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from uuid import UUID

from llmbench.contracts.dataset_words import VersionStatus
from llmbench.contracts.http_json import HTTP_JSON
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.reserved_options import reserved
from llmbench.errors import FieldError, Problem
from orchestrator.kernel.domain.limits import WITHOUT_CHECKS
from orchestrator.kernel.domain.new_run import CallLimits, Judge, NewEvaluator, NewRun, NewTarget
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.kernel.domain.subject import SubjectKind
from orchestrator.runs.domain.schedule import GroupPlan, TargetSpec, plan
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
from orchestrator.runs.ports.factory import RunFactory
from orchestrator.runs.ports.store import ActiveRunExists, KeyTaken


@dataclass(frozen=True)
class CheckedRun:
    """A request that has passed every check, with the data that the checks have read."""

    new: NewRun
    evaluators: Sequence[NewEvaluator]
    groups: Sequence[GroupPlan]
    providers: dict[UUID, ProviderSnapshot]
    warnings: Sequence[Warning]


async def create_run(
    factory: RunFactory, directory: ModelDirectory, catalogue: EvaluatorCatalogue, new: NewRun, *, now: datetime
) -> tuple[UUID, bool]:
    """Check the request and create the run: queued if `new.queued` is set, otherwise started. Return its id and `True`.
    If an earlier request with the same idempotency key created a run, return the id of that run and `False`.

    Raises a `Problem` with one of three statuses. 422: fields are invalid, or the key belongs to a different request.
    409: another run is active and `new.queued` is not set, or cases or providers were deleted meanwhile. 503: the judge
    service or the gateway does not answer.
    """
    earlier_id = await _run_of_key(factory, new)
    if earlier_id is not None:
        return earlier_id, False
    try:
        run = await check_run(factory, directory, catalogue, new)
        return await factory.create(run.new, run.evaluators, run.groups, run.providers, run.warnings, now), True
    except (ActiveRunExists, KeyTaken):
        return await _same_run_or_refuse(factory, new), False


async def check_run(
    factory: RunFactory, directory: ModelDirectory, catalogue: EvaluatorCatalogue, new: NewRun
) -> CheckedRun:
    """Check the request without creating anything.

    Raises a `Problem`: 422 that names invalid fields, 503 if the judge service or the gateway does not answer. Raises
    `ActiveRunExists` if another run is active and the request has neither `queued` nor `concurrent` set.
    """
    _check_labels(new.targets)
    unused_judge: list[Warning] = []
    if new.usual_evaluators and (kinds := await factory.default_evaluators()):
        new = _with_default_evaluators(new, kinds)
    elif new.usual_evaluators:
        new, unused_judge = _with_usual_evaluators(new, *await factory.count_checks(new))
    evaluators = await resolve(catalogue, new.evaluators)
    if new.evaluators and not any(evaluator.weight for evaluator in evaluators):
        message = "at least one needs a weight above 0, else no answer has an overall score"
        raise invalid([FieldError("evaluators", message)])
    judges = used_judges(new.evaluators, evaluators)
    if new.judge not in judges.values():
        new = replace(new, judge=None)
    targets = [Contestant(target.label, target.provider_id, target.model) for target in new.targets]
    warned = check_judges(judges, targets, allow_self_judging=new.allow_self_judging) + check_panels(evaluators)
    warned += unused_judge
    if new.baseline_run_id is not None and not await factory.run_exists(new.baseline_run_id):
        raise invalid([FieldError("baseline_run_id", f"there is no run {new.baseline_run_id}")])
    if new.suite is None and new.subject is not None and new.subject.kind is SubjectKind.SUITE:
        message = "a run of a suite is started by `POST /v1/benchmarks/runs`, and carries its suite by itself"
        raise invalid([FieldError("subject.kind", message)])
    if new.subject is not None and await factory.subject_name(new.subject) is None:
        raise invalid([FieldError("subject.id", f"there is no {new.subject.kind} {new.subject.id}")])
    providers = await _check_providers(factory, new, judges)
    usual = CallLimits(new.timeout_s, new.max_attempts)
    _check_options(new.targets, providers)
    new = replace(new, targets=[target.patient(providers[target.provider_id].type, usual) for target in new.targets])
    await _check_cases(factory, new)
    if not new.queued and not new.concurrent and await factory.active_run() is not None:
        raise ActiveRunExists
    warned += await check_references(partial(factory.first_cases, new), catalogue, new.evaluators, evaluators)
    if new.check_providers:
        chosen = [(field, judge.provider_id, judge.model) for field, judge in judges.items()] + [
            (f"targets.{index}", target.provider_id, target.model) for index, target in enumerate(new.targets)
        ]
        await check_models(directory, chosen, providers)
    groups = plan(
        [
            TargetSpec(
                provider_id=target.provider_id, model=target.model, label=target.label, options=target.params.options
            )
            for target in new.targets
        ],
        judges=[(judge.provider_id, judge.model) for evaluator in evaluators for judge in evaluator.judges()],
    )
    return CheckedRun(new, evaluators, groups, providers, warned)


def _with_default_evaluators(new: NewRun, kinds: Sequence[str]) -> NewRun:
    """Return the run with the organisation's default evaluators, whose kinds are `kinds`. They all use the run's
    judge."""
    _, rubric = new.evaluators
    chosen = [replace(rubric, kind=kind, place=f"evaluators.{index}") for index, kind in enumerate(kinds)]
    return replace(new, evaluators=chosen)


def _with_usual_evaluators(new: NewRun, checked: int, unchecked: int) -> tuple[NewRun, list[Warning]]:
    """Return the run with the default evaluators: `case_checks` for cases with checks, the rubric for the others.

    `checked` and `unchecked` are the numbers of cases with and without checks. Also return a warning if the request
    names a judge, but no case needs one.
    """
    by_checks, rubric = new.evaluators
    if not checked:
        return replace(new, evaluators=[rubric]), []
    if unchecked:
        return replace(new, evaluators=[by_checks, replace(rubric, limits=WITHOUT_CHECKS)]), []
    names_judge = rubric.judge is not None or rubric.panel is not None
    message = (
        "Every case has checks, which call no model, so the judge is not used. To use it as well, name the "
        "evaluators case_checks and rubric."
    )
    return replace(new, evaluators=[by_checks]), [Warning("judge_not_asked", message)] if names_judge else []


async def _same_run_or_refuse(factory: RunFactory, new: NewRun) -> UUID:
    """Return the run that a simultaneous request with the same key has created. Raises a 409 `Problem` if there is
    none."""
    same_id = await _run_of_key(factory, new)
    if same_id is None:
        raise await active_run_problem(factory, may_wait=True)
    return same_id


async def _run_of_key(factory: RunFactory, new: NewRun) -> UUID | None:
    return None if new.idempotency is None else await factory.run_of_key(new.idempotency)


def _check_labels(targets: Sequence[NewTarget]) -> None:
    seen: dict[str, int] = {}
    errors = []
    for index, target in enumerate(targets):
        if target.label in seen:
            message = f"'{target.label}' is also the label of target {seen[target.label]}: give each target its own"
            errors.append(FieldError(f"targets.{index}.label", message))
        seen.setdefault(target.label, index)
    if errors:
        raise invalid(errors)


async def _check_providers(
    factory: RunFactory, new: NewRun, judges: Mapping[str, Judge]
) -> dict[UUID, ProviderSnapshot]:
    named = {f"{field}.provider_id": judge.provider_id for field, judge in judges.items()} | {
        f"targets.{index}.provider_id": target.provider_id for index, target in enumerate(new.targets)
    }
    providers = await factory.providers(set(named.values()))
    errors = [
        FieldError(field, f"there is no provider {id_}; GET /api/providers lists those there are")
        for field, id_ in named.items()
        if id_ not in providers
    ]
    if errors:
        raise invalid(errors)
    return providers


def _check_options(targets: Sequence[NewTarget], providers: Mapping[UUID, ProviderSnapshot]) -> None:
    """Raise a 422 `Problem` that names each option of a target that only the gateway may set.

    Targets of HTTP_JSON providers may have any option: their options are fields of the request to the user's service.
    """
    errors = [
        FieldError(f"targets.{index}.params.options.{name}", f"{message} (an option of the target or of the run)")
        for index, target in enumerate(targets)
        if providers[target.provider_id].type != HTTP_JSON
        for name, message in reserved(target.params.options)
    ]
    if errors:
        raise invalid(errors)


async def _check_cases(factory: RunFactory, new: NewRun) -> None:
    if new.case is not None:
        return
    if not new.collection_ids and not new.dataset_version_ids:
        message = "name at least one collection, or one version in dataset_version_ids"
        raise invalid([FieldError("collection_ids", message)])
    errors = await _check_collections(factory, new.collection_ids)
    errors += await _check_versions(factory, new.dataset_version_ids)
    if errors:
        raise invalid(errors)


async def _check_versions(factory: RunFactory, ids: Sequence[UUID]) -> list[FieldError]:
    dataset_versions = await factory.dataset_versions(ids)
    errors = []
    for index, id_ in enumerate(ids):
        field = f"dataset_version_ids.{index}"
        version = dataset_versions.get(id_)
        if version is None:
            errors.append(FieldError(field, f"there is no version {id_}; see GET /v1/datasets"))
        elif version.status != VersionStatus.PUBLISHED:
            message = (
                f"version {version.version_number} of '{version.name}' is {version.status}: only PUBLISHED ones run"
            )
            errors.append(FieldError(field, message))
        elif id_ in ids[:index]:
            errors.append(FieldError(field, "this version is named twice"))
    return errors


async def _check_collections(factory: RunFactory, ids: Sequence[UUID]) -> list[FieldError]:
    collections = await factory.collections(ids)
    errors = []
    for index, id_ in enumerate(ids):
        field = f"collection_ids.{index}"
        if id_ not in collections:
            errors.append(FieldError(field, f"there is no collection {id_}; see GET /api/collections"))
        elif collections[id_].task_count == 0:
            errors.append(
                FieldError(field, f"the collection '{collections[id_].name}' is empty: assign tasks to it first")
            )
        elif id_ in ids[:index]:
            errors.append(FieldError(field, "this collection is named twice"))
    return errors


async def active_run_problem(factory: RunFactory, *, may_wait: bool) -> Problem:
    """Return the 409 `Problem` that refuses to start a run while another run is active. It names that run, unless the
    run has ended meanwhile. `may_wait` says whether the refused request accepts `queue`."""
    active = await factory.active_run()
    if active is None:
        return Problem(409, "A run is active", "Another run was active at the same moment. Try again.")
    id_, name = active
    return Problem(
        409,
        "A run is active",
        f"Only one run is active at a time, and '{name}' ({id_}) is. "
        + (
            "Pause or cancel it, wait for its end, or send `queue: true`, so that the run waits for its turn."
            if may_wait
            else "Pause or cancel it, or wait for its end."
        ),
        extra={"active_run_id": str(id_)},
    )


async def check_models(
    directory: ModelDirectory,
    chosen: Sequence[tuple[str, UUID, str]],
    providers: dict[UUID, ProviderSnapshot],
    *,
    switch: str = "check_providers",
) -> None:
    """Check before the run begins that each provider answers and has the model. Raises a `Problem`: 422 that names each
    unreachable provider, wrong key and unknown model, or 503 if the gateway does not answer.

    Each entry of `chosen` has the name of a request field, the id of the provider named there, and the model. A
    provider that cannot list its models passes. `switch` is the request field that disables the check for providers
    whose list is incomplete; error messages name it.
    """
    unchecked = f"Send `{switch}: false` to start without asking for the models"
    listed = dict(
        zip(
            providers,
            await asyncio.gather(*(directory.list_models(provider) for provider in providers.values())),
            strict=True,
        )
    )
    errors = []
    for where, provider_id, model in chosen:
        answer, name = listed[provider_id], providers[provider_id].name
        if answer.problem is not None:
            errors.append(FieldError(f"{where}.provider_id", f"{name}: {answer.problem.rstrip('.')}. {unchecked}"))
        elif answer.supported and not offers(answer.models, model):
            offered = ", ".join(answer.models[:10]) or "none"
            more = f" and {len(answer.models) - 10} more" if len(answer.models) > 10 else ""
            message = f"{name} has no model '{model}'; it has {offered}{more}. {unchecked}"
            errors.append(FieldError(f"{where}.model", message))
    if errors:
        raise invalid(errors)


def offers(models: Sequence[str], model: str) -> bool:
    """Return whether a provider that lists `models` has `model`, whose tag `:latest` may be omitted."""
    # Ollama lists `llama3:latest` for a model that users call `llama3`.
    return model in models or f"{model}:latest" in models
