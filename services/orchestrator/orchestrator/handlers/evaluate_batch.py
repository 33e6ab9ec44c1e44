"""POST /v1/evaluations/batch: many outputs are sampled and queued, and somebody is told when they are scored."""

import secrets
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from llmbench.contracts.dataset_words import VersionStatus
from llmbench.contracts.run_words import RunType
from llmbench.errors import FieldError
from orchestrator.domain.evaluation import Sampling
from orchestrator.domain.new_run import Idempotency
from orchestrator.domain.self_judging import Warning
from orchestrator.domain.webhooks import secret_of
from orchestrator.handlers.create_run import DatasetVersionFound
from orchestrator.handlers.new_evaluation import (
    Asking,
    Created,
    EvaluationFactory,
    answerer,
    checked_of,
    done_already,
    label,
    made_meanwhile,
    run_of,
    warnings,
)
from orchestrator.handlers.refusal import invalid
from orchestrator.ports.evaluation_inputs import MAX_SEED, CreateBatch
from orchestrator.ports.evaluations import NewEvaluation, NewWebhook, Outputs
from orchestrator.ports.store import KeyTaken

_SECRET_BYTES = 32


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
    done = await done_already(at, idempotency)
    if done is not None:
        return done
    version = await _version(at.factory, body.dataset_version_id)
    checked = await checked_of(at, body)
    config = body.config
    sampling = Sampling(
        rate=config.sample_rate,
        strategy=config.sample_strategy,
        stratify_by=config.stratify_by,
        seed=secrets.randbelow(MAX_SEED) if config.seed is None else config.seed,
    )
    source = f"{version.name} v{version.version_number}" if version else file_name or "a file"
    name = body.name or f"{label(body.metadata)} on {source}"[:255]
    run = run_of(body, checked, RunType.BATCH, name=name, idempotency=idempotency)
    secret = body.webhook_secret.get_secret_value() if body.webhook_secret else None
    made = None if secret or not body.webhook_url else secret_of(secrets.token_bytes(_SECRET_BYTES))
    new = NewEvaluation(
        run=replace(run, queued=True),
        evaluators=checked.evaluators,
        providers=frozenset(checked.providers),
        warnings=warnings(body.metadata, checked) + [Warning("columns", one) for one in outputs.warnings],
        answerer=answerer(body.metadata),
        outputs=outputs,
        sampling=sampling if sampling.rate < 1 else None,
        webhook=NewWebhook(body.webhook_url, secret or made or "") if body.webhook_url else None,
    )
    try:
        return Created(await at.factory.evaluate(new, now), secret=made)
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
