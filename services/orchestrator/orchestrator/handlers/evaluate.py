"""POST /v1/evaluations and …/batch: check everything, then create a run of answers that were given.

It is a run like any other but for its targets: nobody is called for its answers, so its items begin where
others are when they have been answered.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from llmbench.contracts.dataset_words import VersionStatus
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_words import RunType
from llmbench.errors import FieldError, Problem
from orchestrator.domain.evaluation import Answerer, Sampling
from orchestrator.domain.new_run import Idempotency, Judge, NewEvaluator, NewRun
from orchestrator.domain.placement import Active, Place, is_local, place
from orchestrator.domain.schedule import Model
from orchestrator.domain.self_judging import Contestant
from orchestrator.domain.webhooks import secret_of
from orchestrator.handlers.choose_evaluators import EvaluatorCatalogue, check_judges, resolve, used_judges
from orchestrator.handlers.choose_metrics import Asked, asks_judge, choose_judge, wanted
from orchestrator.handlers.create_run import DatasetVersionFound, ModelDirectory
from orchestrator.handlers.refusal import invalid
from orchestrator.ports.evaluation_inputs import MAX_SEED, CreateBatch, CreateEvaluation, Metadata
from orchestrator.ports.evaluations import MetricCatalogue, NewEvaluation, NewWebhook, Outputs
from orchestrator.ports.store import ActiveRunExists, KeyTaken

_MAX_ATTEMPTS = 3
_MAX_BACKOFF_S = 1800.0
_ONE_BACKOFF_S = 60.0
_SECRET_BYTES = 32
GIVEN = "given outputs"


class EvaluationFactory(Protocol):
    """What creating an evaluation needs of the database."""

    async def every_provider(self) -> Mapping[UUID, ProviderSnapshot]: ...

    async def dataset_versions(self, ids: Sequence[UUID]) -> dict[UUID, DatasetVersionFound]: ...

    async def active(self) -> Active | None:
        """The run in the one place of an active run, with its models."""
        ...

    async def evaluate(self, new: NewEvaluation, now: datetime) -> UUID:
        """One transaction. Raises `ActiveRunExists`, `KeyTaken`, or a 422 `Problem` naming the outputs at fault."""
        ...

    async def run_of_key(self, idempotency: Idempotency) -> UUID | None: ...


@dataclass(frozen=True)
class Asking:
    """Whom creating an evaluation asks."""

    factory: EvaluationFactory
    directory: ModelDirectory
    catalogue: EvaluatorCatalogue
    metrics: MetricCatalogue


@dataclass(frozen=True)
class Created:
    """`secret` is there when it was made here."""

    run_id: UUID
    secret: str | None = None


@dataclass(frozen=True)
class _Checked:
    evaluators: Sequence[NewEvaluator]
    judges: Mapping[str, Judge]
    providers: Mapping[UUID, ProviderSnapshot]


async def evaluate(
    at: Asking, body: CreateEvaluation, outputs: Outputs, idempotency: Idempotency | None, *, now: datetime
) -> Created:
    """Starts at once, alone or beside the active run; one that does not want to wait for its scores is queued where
    that cannot be. Raises `Problem`: 422 naming each field at fault, 409 naming the active run."""
    done = await _done_already(at, idempotency)
    if done is not None:
        return done
    checked = await _check(at, body)
    active = await at.factory.active()
    where = place(_local_judges(checked), active)
    if where == Place.TAKEN and body.config.sync:
        raise _another_model(active)
    kept = _kept(checked, active) if where == Place.BESIDE else {}
    run = _run(body, checked, RunType.SINGLE, name=f"Evaluation of {_label(body.metadata)}", idempotency=idempotency)
    new = NewEvaluation(
        # Whoever does not wait for the scores waits for the place behind those who came before.
        run=replace(run, beside=where == Place.BESIDE, queued=where != Place.BESIDE and not body.config.sync),
        evaluators=[_at_pace(one, kept) for one in checked.evaluators],
        providers=frozenset(checked.providers),
        warnings=_warnings(body.metadata, checked),
        answerer=_answerer(body.metadata),
        outputs=outputs,
        kept=frozenset(kept),
    )
    try:
        return Created(await at.factory.evaluate(new, now))
    except ActiveRunExists:
        # Another run became active since we looked.
        raise _another_model(await at.factory.active()) from None
    except KeyTaken:
        return await _made_meanwhile(at, idempotency)


async def evaluate_batch(
    at: Asking,
    body: CreateBatch,
    outputs: Outputs,
    idempotency: Idempotency | None,
    *,
    file_name: str | None,
    now: datetime,
) -> Created:
    """Always queued: first in, first out. Raises a 422 `Problem` naming each field or row at fault."""
    done = await _done_already(at, idempotency)
    if done is not None:
        return done
    version = await _version(at.factory, body.dataset_version_id)
    checked = await _check(at, body)
    config = body.config
    sampling = Sampling(
        rate=config.sample_rate,
        strategy=config.sample_strategy,
        stratify_by=config.stratify_by,
        seed=secrets.randbelow(MAX_SEED) if config.seed is None else config.seed,
    )
    source = f"{version.name} v{version.version_number}" if version else file_name or "a file"
    name = body.name or f"{_label(body.metadata)} on {source}"[:255]
    run = _run(body, checked, RunType.BATCH, name=name, idempotency=idempotency)
    secret = body.webhook_secret.get_secret_value() if body.webhook_secret else None
    made = None if secret or not body.webhook_url else secret_of(secrets.token_bytes(_SECRET_BYTES))
    new = NewEvaluation(
        run=replace(run, queued=True),
        evaluators=checked.evaluators,
        providers=frozenset(checked.providers),
        warnings=_warnings(body.metadata, checked),
        answerer=_answerer(body.metadata),
        outputs=outputs,
        sampling=sampling if sampling.rate < 1 else None,
        webhook=NewWebhook(body.webhook_url, secret or made or "") if body.webhook_url else None,
    )
    try:
        return Created(await at.factory.evaluate(new, now), secret=made)
    except KeyTaken:
        return await _made_meanwhile(at, idempotency)


async def _done_already(at: Asking, idempotency: Idempotency | None) -> Created | None:
    run_id = None if idempotency is None else await at.factory.run_of_key(idempotency)
    return None if run_id is None else Created(run_id)


async def _made_meanwhile(at: Asking, idempotency: Idempotency | None) -> Created:
    done = await _done_already(at, idempotency)
    assert done is not None, "the key was taken by a run that is there"
    return done


async def _check(at: Asking, body: Asked) -> _Checked:
    known = await at.metrics.list()
    providers = await at.factory.every_provider()
    # What there is not is told before any provider is asked for a judge.
    wanted(body, known, None)
    judge = await choose_judge(at.directory, providers, body.config) if asks_judge(body, known) else None
    choices = wanted(body, known, judge)
    evaluators = await resolve(at.catalogue, choices)
    if not any(one.weight for one in evaluators):
        raise invalid([FieldError("evaluators", "at least one needs a weight above 0")], "evaluation")
    judges = used_judges(choices, evaluators)
    unknown = [
        FieldError(f"{field}.provider_id", f"there is no provider {one.provider_id}")
        for field, one in judges.items()
        if one.provider_id not in providers
    ]
    if unknown:
        raise invalid(unknown, "evaluation")
    return _Checked(evaluators, judges, {id_: providers[id_] for id_ in {one.provider_id for one in judges.values()}})


async def _version(factory: EvaluationFactory, id_: UUID | None) -> DatasetVersionFound | None:
    if id_ is None:
        return None
    version = (await factory.dataset_versions([id_])).get(id_)
    if version is None:
        message = f"there is no version {id_}; see GET /v1/datasets"
    elif version.status != VersionStatus.PUBLISHED:
        message = f"version {version.version_number} of '{version.name}' is {version.status}, not PUBLISHED"
    else:
        return version
    raise invalid([FieldError("dataset_version_id", message)], "evaluation")


def _run(
    body: Asked,
    checked: _Checked,
    type_: RunType,
    *,
    name: str,
    idempotency: Idempotency | None,
) -> NewRun:
    judges = list(checked.judges.values())
    version = body.dataset_version_id if isinstance(body, CreateBatch) else None
    return NewRun(
        name=name[:255],
        description=None,
        tags=[],
        baseline_run_id=None,
        max_cost_usd=None,
        judge=judges[0] if judges and all(one == judges[0] for one in judges) else None,
        evaluators=[],
        targets=[],
        collection_ids=[],
        dataset_version_ids=[version] if version else [],
        concurrency=max((one.concurrency for one in judges), default=1),
        timeout_s=body.config.timeout_s,
        max_attempts=_MAX_ATTEMPTS,
        max_backoff_s=_ONE_BACKOFF_S if type_ == RunType.SINGLE else _MAX_BACKOFF_S,
        check_providers=False,
        allow_self_judging=True,
        idempotency=idempotency,
        type=type_,
        evaluation={"metadata": body.metadata.model_dump(exclude_none=True)},
    )


def _label(metadata: Metadata) -> str:
    if metadata.model_name is None:
        return GIVEN
    return f"{metadata.model_name} {metadata.model_version}" if metadata.model_version else metadata.model_name


def _answerer(metadata: Metadata) -> Answerer:
    return Answerer(_label(metadata)[:120], metadata.model_name or GIVEN, metadata.model_provider or "given")


def _warnings(metadata: Metadata, checked: _Checked) -> list[Any]:
    """A judge of the answers' own family favours them; that it is the very model cannot be known."""
    if metadata.model_name is None:
        return []
    contestant = Contestant(_label(metadata), None, metadata.model_name)
    return check_judges(checked.judges, [contestant], allow_self_judging=True)


def _models(checked: _Checked) -> set[Model]:
    return {(one.provider_id, one.model) for one in checked.judges.values()}


def _local_judges(checked: _Checked) -> set[Model]:
    return {model for model in _models(checked) if is_local(checked.providers[model[0]])}


def _kept(checked: _Checked, active: Active | None) -> dict[Model, int]:
    """Those of its models that the active run has, with that run's pace: the two share a queue."""
    models = _models(checked)
    return {one.model: one.concurrency for one in (active.held if active else ()) if one.model in models}


def _at_pace(evaluator: NewEvaluator, kept: Mapping[Model, int]) -> NewEvaluator:
    judge = evaluator.judge
    if judge is None:
        return evaluator
    pace = kept.get((judge.provider_id, judge.model), judge.concurrency)
    return replace(evaluator, judge=replace(judge, concurrency=pace))


def _another_model(active: Active | None) -> Problem:
    holder = (
        f"'{active.name}' is active, and holds another local model"
        if active
        else "Another run became active at the same moment"
    )
    return Problem(
        409,
        "Another local model is loaded",
        f"{holder}. Wait for its end, or send config.sync false: the evaluation is queued then.",
    )
