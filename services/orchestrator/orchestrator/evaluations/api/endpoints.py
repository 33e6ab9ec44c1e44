"""`/v1/evaluations`: score one or many outputs that already exist, without calling the model that produced them."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, Request, Response

from llmbench.access import Resource
from llmbench.contracts.run_words import RunType
from llmbench.errors import FieldError, Problem
from llmbench.files.cases import BadCase, case_of
from llmbench.http.openapi import ProblemBody
from llmbench.http.service_router import ServiceRouter
from llmbench.ids import new_id
from orchestrator.evaluations.api.answers import BatchCreated, EvaluationPage
from orchestrator.evaluations.api.batch_request import (
    BATCH_BODY,
    ONE_AT_A_TIME,
    keyed_with_file,
    outputs_of,
    sent_by,
)
from orchestrator.evaluations.api.bodies import CreateEvaluation
from orchestrator.evaluations.domain.evaluation import GivenAnswer, RunWord, case_from
from orchestrator.evaluations.handlers.evaluate import evaluate
from orchestrator.evaluations.handlers.evaluate_batch import evaluate_batch
from orchestrator.evaluations.handlers.new_evaluation import Created, EvaluationDependencies
from orchestrator.evaluations.ports.evaluations import (
    BatchOut,
    EvaluationFilter,
    EvaluationOut,
    EvaluationReader,
    Outputs,
    RunWatch,
)
from orchestrator.kernel.api.json_or_form import SPOOLED_BYTES
from orchestrator.kernel.api.query import Moment
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.api.idempotency import Key, idempotency
from orchestrator.runs.api.webhook_choice import WebhookRules
from orchestrator.runs.handlers.leadership import Leadership

PATH = "/v1/evaluations"
BATCH_PATH = f"{PATH}/batch"
MAX_UPLOAD_BYTES = 50 * 1024 * 1024

_LATER: dict[int | str, dict[str, Any]] = {
    202: {"model": EvaluationOut, "description": "Not scored yet: read it by its id."},
    409: {"model": ProblemBody, "description": "A run holds another local model; `config.sync: false` queues."},
}


@dataclass(frozen=True)
class EvaluationServices:
    """The dependencies of the endpoints, created when the service starts."""

    dependencies: EvaluationDependencies
    reader: EvaluationReader
    leadership: Leadership
    watch: RunWatch
    sync_wait_s: float
    webhooks: WebhookRules


def router(services: Callable[[], EvaluationServices]) -> ServiceRouter:
    api = ServiceRouter(prefix=PATH, tags=["evaluations"], resource=Resource.RUNS)

    @api.post("", status_code=201, operation_id="createEvaluation", responses=_LATER)
    async def create(body: CreateEvaluation, response: Response, key: Key = None) -> EvaluationOut:
        """Score one output. With `config.sync`, the response waits for the scores. If they take too long, the response
        is a 202 without them."""
        at = services()
        keyed = idempotency(key, "evaluate", body)
        created = await evaluate(at.dependencies, body.requested(), _given_output(body), keyed, now=_now())
        response.headers["Location"] = f"{PATH}/{created.run_id}"
        if body.config.sync:
            await _until_over(at, created)
        else:
            await at.leadership.wake(created.run_id)
            await at.leadership.admit()
        evaluation = await _evaluation(created.run_id)
        response.status_code = 202 if evaluation.status == "pending" else 201
        return evaluation

    @api.post("/batch", status_code=202, operation_id="createEvaluationBatch", openapi_extra=BATCH_BODY)
    async def create_batch(request: Request, response: Response, key: Key = None) -> BatchCreated:
        """Queue the scoring of many outputs, which can be sent in three ways:

        - a file with the outputs and their cases,
        - a file with only the outputs, and a dataset version that has their cases,
        - no file, but a dataset version: the metadata of its cases has the outputs.
        """
        at = services()
        with tempfile.SpooledTemporaryFile(max_size=SPOOLED_BYTES) as spool:
            sent = await sent_by(request, spool)
            at.webhooks.check(sent.body.webhook_url, sent.body.webhook_secret, what="evaluation")
            keyed = await keyed_with_file(idempotency(key, "evaluate batch", sent.body), sent, spool)
            async with ONE_AT_A_TIME:
                outputs = await outputs_of(sent, spool)
                name = sent.file_name
                created = await evaluate_batch(
                    at.dependencies, sent.body.requested(), outputs, keyed, file_name=name, now=_now()
                )
        await at.leadership.admit()
        response.headers["Location"] = f"{BATCH_PATH}/{created.run_id}"
        batch = await _batch(created.run_id)
        return BatchCreated(
            job_id=batch.job_id,
            status=batch.status,
            estimated_completion=batch.estimated_completion,
            total_items=batch.progress.total,
            parallelism=batch.parallelism,
            sample=batch.sample,
            warnings=batch.warnings,
            webhook_secret=created.secret,
        )

    @api.get("/batch/{job_id}", operation_id="getEvaluationBatch")
    async def get_batch(job_id: UUID) -> BatchOut:
        """Return a batch's progress and statistics. `GET /api/runs/{job_id}/items` has the individual scores."""
        return await _batch(job_id)

    @api.get("", operation_id="listEvaluations")
    async def list_evaluations(
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        offset: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
        status: RunWord | None = None,
        type: RunType | None = None,
        dataset_version_id: UUID | None = None,
        experiment_id: Annotated[UUID | None, Query(description="Only the rounds of this experiment.")] = None,
        created_after: Moment | None = None,
        created_before: Moment | None = None,
    ) -> EvaluationPage:
        """List runs of every type (single evaluations, batches, benchmarks), newest first. A paused run has the
        `status` RUNNING; `run_status` is the state that `/api/runs` shows."""
        chosen = EvaluationFilter(
            status=status,
            type=type,
            dataset_version_id=dataset_version_id,
            experiment_id=experiment_id,
            created_after=created_after,
            created_before=created_before,
        )
        runs, total = await services().reader.page(chosen, limit=limit, offset=offset)
        return EvaluationPage(runs=runs, total=total, has_more=offset + len(runs) < total)

    @api.get("/{evaluation_id}", operation_id="getEvaluation")
    async def get(evaluation_id: UUID) -> EvaluationOut:
        return await _evaluation(evaluation_id)

    async def _until_over(at: EvaluationServices, created: Created) -> None:
        """Start the run's work, and wait until the run has stopped or `sync_wait_s` has passed.

        The run's state is read after subscribing to its events, because the run may have ended earlier.
        """
        async with at.watch.ending(created.run_id) as ending:
            await at.leadership.wake(created.run_id)
            if (await _evaluation(created.run_id)).status == "pending":
                await ending.wait(at.sync_wait_s)

    async def _evaluation(run_id: UUID) -> EvaluationOut:
        evaluation = await services().reader.evaluation(run_id)
        if evaluation is None:
            raise Problem(404, "No such evaluation", f"There is no evaluation {run_id}.")
        return evaluation

    async def _batch(run_id: UUID) -> BatchOut:
        batch = await services().reader.batch(run_id, now=_now())
        if batch is None:
            raise Problem(404, "No such batch", f"There is no batch {run_id}.")
        return batch

    return api


def _given_output(body: CreateEvaluation) -> Outputs:
    """Return the request's output with its case. Raises a 422 `Problem` if the case is not valid as a row of a
    dataset."""
    fields = {"input": body.input, "context": body.context, "expected_output": body.expected_output}
    try:
        case = case_of(
            {**fields, "id": "output", "metadata": body.metadata.model_dump(exclude_none=True)}, texts_only=False
        )
    except BadCase as bad:
        faults = [
            FieldError("input" if field in (None, "input", "prompt") else str(field), text)
            for field, text in bad.faults
        ]
        raise invalid(faults, "evaluation") from None
    return Outputs(given=[GivenAnswer(case_from(case, new_id()), body.output)], digests=[case.digest])


def _now() -> datetime:
    return datetime.now(UTC)
