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
from orchestrator.evaluations.domain.webhooks import secret_of
from orchestrator.evaluations.handlers.new_evaluation import (
    Asking,
    Created,
    answerer,
    checked_of,
    done_already,
    label,
    made_meanwhile,
    run_of,
    warnings,
)
from orchestrator.evaluations.ports.evaluations import NewEvaluation, NewWebhook, Outputs
from orchestrator.evaluations.ports.factory import EvaluationFactory
from orchestrator.kernel.domain.new_run import Idempotency
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.domain.self_judging import Warning
from orchestrator.runs.ports.factory import DatasetVersionFound
from orchestrator.runs.ports.store import KeyTaken

_SECRET_BYTES = 32


async def evaluate_batch(
    at: Asking,
    asked: RequestedBatch,
    outputs: Outputs,
    idempotency: Idempotency | None,
    *,
    file_name: str | None,
    now: datetime,
) -> Created:
    """Create the batch as a queued run. Queued runs start in the order of their creation.

    A request with the key of an earlier one returns the earlier batch. Raises a 422 `Problem` that names the invalid
    fields or rows.
    """
    done = await done_already(at, idempotency)
    if done is not None:
        return done
    version = await _version(at.factory, asked.dataset_version_id)
    checked = await checked_of(at, asked)
    requested = asked.sampling
    seed = secrets.randbelow(MAX_SEED) if requested.seed is None else requested.seed
    sampling = Sampling(rate=requested.rate, strategy=requested.strategy, stratify_by=requested.stratify_by, seed=seed)
    source = f"{version.name} v{version.version_number}" if version else file_name or "a file"
    name = asked.name or f"{label(asked.described)} on {source}"[:255]
    run = run_of(asked, checked, RunType.BATCH, name=name, idempotency=idempotency, version_id=asked.dataset_version_id)
    warned = await warnings(at, asked.described, checked, run, outputs)
    secret = asked.webhook_secret
    generated = None if secret or not asked.webhook_url else secret_of(secrets.token_bytes(_SECRET_BYTES))
    new = NewEvaluation(
        run=replace(run, queued=True),
        evaluators=checked.evaluators,
        providers=frozenset(checked.providers),
        warnings=[*warned, *(Warning("columns", warning) for warning in outputs.warnings)],
        answerer=answerer(asked.described),
        outputs=outputs,
        sampling=sampling if sampling.rate < 1 else None,
        webhook=NewWebhook(asked.webhook_url, secret or generated or "") if asked.webhook_url else None,
    )
    try:
        return Created(await at.factory.evaluate(new, now), secret=generated)
    except KeyTaken:
        return await made_meanwhile(at, idempotency)


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
