"""POST /v1/evaluations/batch: queue the scoring of many outputs, or of a sample of them."""

import secrets
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from llmbench.contracts.dataset_words import VersionStatus
from llmbench.contracts.run_words import RunType
from llmbench.errors import FieldError
from orchestrator.evaluations.domain.evaluation import Sampling
from orchestrator.evaluations.domain.requested import MAX_SEED, RequestedBatch
from orchestrator.evaluations.handlers.new_evaluation import (
    Created,
    EvaluationDependencies,
    answerer,
    check_request,
    earlier_evaluation,
    label,
    run_of,
    simultaneous_evaluation,
    warnings,
)
from orchestrator.evaluations.ports.evaluations import NewEvaluation, Outputs
from orchestrator.evaluations.ports.factory import EvaluationFactory
from orchestrator.kernel.domain.new_run import Idempotency, NewWebhook
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.kernel.domain.webhooks import secret_of
from orchestrator.runs.domain.self_judging import Warning
from orchestrator.runs.ports.factory import DatasetVersionFound
from orchestrator.runs.ports.store import KeyTaken

_SECRET_BYTES = 32


async def evaluate_batch(
    dependencies: EvaluationDependencies,
    requested: RequestedBatch,
    outputs: Outputs,
    idempotency: Idempotency | None,
    *,
    file_name: str | None,
    now: datetime,
) -> Created:
    """Create the batch as a queued run. A request with the idempotency key of an earlier one returns the earlier batch.

    `file_name` is the name of the file of outputs; null if there is no file. Raises a `Problem`: 422 that names the
    invalid fields or rows, 409 if a provider was deleted meanwhile. The status is 503 if a service that checks the
    request does not answer.
    """
    earlier = await earlier_evaluation(dependencies, idempotency)
    if earlier is not None:
        return earlier
    version = await _version(dependencies.factory, requested.dataset_version_id)
    checked = await check_request(dependencies, requested)
    sample = requested.sampling
    seed = secrets.randbelow(MAX_SEED) if sample.seed is None else sample.seed
    sampling = Sampling(rate=sample.rate, strategy=sample.strategy, stratify_by=sample.stratify_by, seed=seed)
    source = f"{version.name} v{version.version_number}" if version else file_name or "a file"
    name = requested.name or f"{label(requested.described)} on {source}"[:255]
    run = run_of(
        requested, checked, RunType.BATCH, name=name, idempotency=idempotency, version_id=requested.dataset_version_id
    )
    warned = await warnings(dependencies, requested.described, checked, run, outputs)
    secret = requested.webhook_secret
    generated = None if secret or not requested.webhook_url else secret_of(secrets.token_bytes(_SECRET_BYTES))
    new = NewEvaluation(
        run=replace(
            run,
            queued=True,
            webhook=NewWebhook(requested.webhook_url, secret or generated or "") if requested.webhook_url else None,
        ),
        evaluators=checked.evaluators,
        providers=frozenset(checked.providers),
        warnings=[*warned, *(Warning("columns", warning) for warning in outputs.warnings)],
        answerer=answerer(requested.described),
        outputs=outputs,
        sampling=sampling if sampling.rate < 1 else None,
    )
    try:
        return Created(await dependencies.factory.evaluate(new, now), secret=generated)
    except KeyTaken:
        return await simultaneous_evaluation(dependencies, idempotency)


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
