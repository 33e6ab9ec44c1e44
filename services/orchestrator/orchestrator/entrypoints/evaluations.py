"""`/v1/evaluations`: outputs that are there already are scored, one or many, without calling what made them."""

import asyncio
import hashlib
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from llmbench.contracts.run_words import RunType
from llmbench.errors import FieldError, Problem
from llmbench.files.cases import BadCase, case_of
from llmbench.files.multipart import bad_form, read_form
from llmbench.ids import new_id
from llmbench.web import ProblemBody
from orchestrator.domain.evaluation import GivenAnswer, RunWord, case_from
from orchestrator.domain.new_run import Idempotency
from orchestrator.domain.webhooks import check_url
from orchestrator.entrypoints.filters import Key, aware, idempotency
from orchestrator.entrypoints.output_file import format_of, read_outputs
from orchestrator.handlers.evaluate import Asking, Created, evaluate, evaluate_batch
from orchestrator.handlers.leadership import Leadership
from orchestrator.handlers.refusal import invalid
from orchestrator.ports.evaluation_inputs import CreateBatch, CreateEvaluation
from orchestrator.ports.evaluations import (
    BatchCreated,
    BatchOut,
    EvaluationFilter,
    EvaluationOut,
    EvaluationPage,
    EvaluationReader,
    Outputs,
    RunWatch,
)

PATH = "/v1/evaluations"
BATCH_PATH = f"{PATH}/batch"
MAX_UPLOAD_BYTES = 50 * 1024 * 1024

# A file of outputs takes memory for what it holds: one after another.
_ONE_AT_A_TIME = asyncio.Semaphore(1)
_SPOOLED_BYTES = 1024 * 1024


def _whole(schema: Any, parts: Mapping[str, Any]) -> Any:
    """With what it refers to in its place: FastAPI knows no body that is JSON or a form."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _whole(parts[schema["$ref"].rpartition("/")[2]], parts)
        return {name: _whole(part, parts) for name, part in schema.items() if name != "$defs"}
    return [_whole(part, parts) for part in schema] if isinstance(schema, list) else schema


_BATCH_SCHEMA = CreateBatch.model_json_schema()
_BATCH_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": _whole(_BATCH_SCHEMA, _BATCH_SCHEMA.get("$defs", {}))},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary", "description": "JSON lines or CSV."},
                        "request": {"type": "string", "description": "The JSON body, as a text."},
                    },
                }
            },
        },
    }
}
_LATER: dict[int | str, dict[str, Any]] = {
    202: {"model": EvaluationOut, "description": "Not scored yet: ask for it by its id."},
    409: {"model": ProblemBody, "description": "A run holds another local model; `config.sync: false` queues."},
}


@dataclass(frozen=True)
class EvaluationServices:
    """What the endpoints need; made when the service starts."""

    asking: Asking
    reader: EvaluationReader
    leadership: Leadership
    watch: RunWatch
    sync_wait_s: float
    private_webhooks: bool


def router(services: Callable[[], EvaluationServices]) -> APIRouter:
    api = APIRouter(prefix=PATH, tags=["evaluations"])

    @api.post("", status_code=201, operation_id="createEvaluation", responses=_LATER)
    async def create(body: CreateEvaluation, response: Response, key: Key = None) -> EvaluationOut:
        """Score one output. With `config.sync` the answer has the scores, unless they take longer than a while."""
        at = services()
        keyed = idempotency(key, "evaluate", body)
        made = await evaluate(at.asking, body, _one(body), keyed, now=_now())
        response.headers["Location"] = f"{PATH}/{made.run_id}"
        if body.config.sync:
            await _until_over(at, made)
        else:
            await at.leadership.wake(made.run_id)
            await at.leadership.admit()
        found = await _evaluation(made.run_id)
        response.status_code = 202 if found.status == "pending" else 201
        return found

    @api.post("/batch", status_code=202, operation_id="createEvaluationBatch", openapi_extra=_BATCH_BODY)
    async def create_batch(request: Request, response: Response, key: Key = None) -> BatchCreated:
        """Queue the scoring of many outputs: of a file, of a dataset version, or of a file for a version's cases."""
        at = services()
        with tempfile.SpooledTemporaryFile(max_size=_SPOOLED_BYTES) as spool:
            sent = await _sent(request, spool)
            _check_webhook(sent.body, private_allowed=at.private_webhooks)
            keyed = await _keyed(idempotency(key, "evaluate batch", sent.body), sent, spool)
            async with _ONE_AT_A_TIME:
                outputs = await _outputs(sent, spool)
                name = sent.file_name
                made = await evaluate_batch(at.asking, sent.body, outputs, keyed, file_name=name, now=_now())
        await at.leadership.admit()
        response.headers["Location"] = f"{BATCH_PATH}/{made.run_id}"
        batch = await _batch(made.run_id)
        return BatchCreated(
            job_id=batch.job_id,
            status=batch.status,
            estimated_completion=batch.estimated_completion,
            total_items=batch.progress.total,
            parallelism=batch.parallelism,
            sample=batch.sample,
            webhook_secret=made.secret,
        )

    @api.get("/batch/{job_id}", operation_id="getEvaluationBatch")
    async def get_batch(job_id: UUID) -> BatchOut:
        """How far it is, and what it comes to. Single scores: `GET /api/runs/{job_id}/items`."""
        return await _batch(job_id)

    @api.get("", operation_id="listEvaluations")
    async def list_evaluations(  # one parameter per field of the query
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        offset: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
        status: RunWord | None = None,
        type: RunType | None = None,
        dataset_version_id: UUID | None = None,
        experiment_id: Annotated[
            UUID | None, Query(description="No run is part of an experiment: with one, none is found.")
        ] = None,
        created_after: datetime | None = None,
        created_before: datetime | None = None,
    ) -> EvaluationPage:
        """Every run in the words of `/v1`, newest first: single evaluations, batches, benchmarks."""
        chosen = EvaluationFilter(
            status=status,
            type=type,
            dataset_version_id=dataset_version_id,
            experiment_id=experiment_id,
            created_after=aware(created_after),
            created_before=aware(created_before),
        )
        runs, total = await services().reader.page(chosen, limit=limit, offset=offset)
        return EvaluationPage(runs=runs, total=total, has_more=offset + len(runs) < total)

    @api.get("/{evaluation_id}", operation_id="getEvaluation")
    async def get(evaluation_id: UUID) -> EvaluationOut:
        return await _evaluation(evaluation_id)

    async def _until_over(at: EvaluationServices, made: Created) -> None:
        """Told by its status event; asked once, for what happened before anybody listened."""
        async with at.watch.ending(made.run_id) as ending:
            await at.leadership.wake(made.run_id)
            if (await _evaluation(made.run_id)).status == "pending":
                await ending.wait(at.sync_wait_s)

    async def _evaluation(run_id: UUID) -> EvaluationOut:
        found = await services().reader.evaluation(run_id)
        if found is None:
            raise Problem(404, "No such evaluation", f"There is no evaluation {run_id}.")
        return found

    async def _batch(run_id: UUID) -> BatchOut:
        found = await services().reader.batch(run_id, now=_now())
        if found is None:
            raise Problem(404, "No such batch", f"There is no batch {run_id}.")
        return found

    return api


def _one(body: CreateEvaluation) -> Outputs:
    """Its input and what belongs to it, checked as a row of a dataset is."""
    said = {"input": body.input, "context": body.context, "expected_output": body.expected_output}
    try:
        case = case_of(
            {**said, "id": "output", "metadata": body.metadata.model_dump(exclude_none=True)}, texts_only=False
        )
    except BadCase as bad:
        faults = [
            FieldError("input" if field in (None, "input", "prompt") else str(field), text)
            for field, text in bad.faults
        ]
        raise invalid(faults, "evaluation") from None
    return Outputs(given=[GivenAnswer(case_from(case, new_id()), body.output)], digests=[case.digest])


@dataclass(frozen=True)
class _Sent:
    """A batch as it was asked for; with a file, its name."""

    body: CreateBatch
    format: str | None = None
    file_name: str | None = None


async def _sent(request: Request, spool: IO[bytes]) -> _Sent:
    """JSON, or a form of a file, which goes to `spool`, and the JSON."""
    content_type = request.headers.get("content-type", "")
    if not content_type.lower().startswith("multipart/"):
        body = _parsed(await request.body())
        if body.dataset_version_id is None:
            message = "name a version, or send a file of outputs: curl -F file=@outputs.jsonl -F request='{…}'"
            raise invalid([FieldError("dataset_version_id", message)], "evaluation")
        return _Sent(body)
    form = await read_form(content_type, request.stream(), spool)
    for name in form.fields:
        if name != "request":
            raise bad_form(name[:80], "is not a field of this form; there are file and request")
    body = _parsed((form.fields.get("request") or "{}").encode())
    return _Sent(body, format_of(form.file_name), form.file_name)


async def _outputs(sent: _Sent, spool: IO[bytes]) -> Outputs:
    if sent.format is None:
        return Outputs(version_id=sent.body.dataset_version_id, field=sent.body.config.output_field)
    spool.seek(0)
    # Work for the processor: in a thread, the service answers others meanwhile.
    return await asyncio.to_thread(read_outputs, spool, sent.format, sent.body.dataset_version_id)


async def _keyed(keyed: Idempotency | None, sent: _Sent, spool: IO[bytes]) -> Idempotency | None:
    """Another file under the same key is another request."""
    if keyed is None or sent.format is None:
        return keyed
    spool.seek(0)
    digest = hashlib.sha256(keyed.request_hash.encode())
    while chunk := await asyncio.to_thread(spool.read, _SPOOLED_BYTES):
        digest.update(chunk)
    return Idempotency(keyed.key, digest.hexdigest())


def _parsed(raw: bytes) -> CreateBatch:
    try:
        return CreateBatch.model_validate_json(raw)
    except ValidationError as error:
        raise RequestValidationError(
            [
                {**fault, "loc": ("body", *fault["loc"])}
                for fault in error.errors(include_url=False, include_input=False)
            ]
        ) from None


def _check_webhook(body: CreateBatch, *, private_allowed: bool) -> None:
    if body.webhook_url is None:
        if body.webhook_secret is not None:
            raise invalid([FieldError("webhook_secret", "is for a webhook_url: name it as well")], "evaluation")
        return
    try:
        check_url(body.webhook_url, private_allowed=private_allowed)
    except ValueError as wrong:
        raise invalid([FieldError("webhook_url", str(wrong))], "evaluation") from None


def _now() -> datetime:
    return datetime.now(UTC)
