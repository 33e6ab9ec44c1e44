"""Record each completion or embedding call as an OpenTelemetry span (GenAI conventions), and its duration and tokens as
metrics.

Spans contain no prompts and no answers. The table `model_call` stores these.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from opentelemetry.trace import Span, SpanKind, StatusCode

from inference_gateway.domain.call import Ask, FinishedCall
from inference_gateway.handlers.lane_command import Job, Prepare
from inference_gateway.ports import StoredHeader
from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.outcome import Answered
from llmbench.observability.metrics import PROVIDER_CALL_SECONDS, PROVIDER_TOKENS
from llmbench.observability.telemetry import span

ABORTED = "aborted"
CACHED = "cached"
# Provider names of the GenAI semantic conventions. Other providers keep their own names.
_SYSTEMS = {"OPENAI": "openai", "AZURE_OPENAI": "azure.ai.openai"}


def observed(prepare: Prepare) -> Prepare:
    def prepare_observed(command: Ask, headers: Sequence[StoredHeader]) -> Job:
        job = prepare(command, headers)
        return replace(job, make=lambda: _observe(command, job))

    return prepare_observed


async def _observe(command: Ask, job: Job) -> FinishedCall:
    outcome, began = ABORTED, time.perf_counter()
    with span(
        f"{_operation(command)} {command.request.model}", SpanKind.CLIENT, _request_attributes(command)
    ) as current:
        try:
            call = await job.make()
            outcome = CACHED if isinstance(call.outcome, Answered) and call.outcome.cached else call.outcome.kind
            _record_outcome(current, command, call, outcome)
            return call
        finally:
            PROVIDER_CALL_SECONDS.labels(command.provider.type, outcome).observe(time.perf_counter() - began)


def _operation(command: Ask) -> str:
    return "embeddings" if isinstance(command, EmbedTexts) else "chat"


def _request_attributes(command: Ask) -> dict[str, str | int | float]:
    url = urlsplit(command.provider.base_url)
    params = SamplingParams() if isinstance(command, EmbedTexts) else command.request.params
    attributes = {
        "gen_ai.operation.name": _operation(command),
        "gen_ai.provider.name": _SYSTEMS.get(command.provider.type, command.provider.type.lower()),
        "gen_ai.request.model": command.request.model,
        "gen_ai.request.temperature": params.temperature,
        "gen_ai.request.max_tokens": params.max_tokens,
        "gen_ai.request.seed": params.seed,
        "server.address": url.hostname,
        "server.port": url.port,
        "llmbench.run.id": str(command.run_id),
        "llmbench.item.id": None if command.item_id is None else str(command.item_id),
        "llmbench.call.id": str(command.call_id),
        "llmbench.call.purpose": command.purpose,
    }
    return {name: value for name, value in attributes.items() if value is not None}


def _record_outcome(current: Span, command: Ask, call: FinishedCall, kind: str) -> None:
    outcome = call.outcome
    current.set_attribute("llmbench.call.outcome", kind)
    if not isinstance(outcome, Answered):
        current.set_attribute("error.type", kind)
        current.set_status(StatusCode.ERROR)
        return
    response_attributes = {
        "gen_ai.response.model": outcome.model_reported,
        "gen_ai.response.finish_reasons": outcome.finish_reason and (outcome.finish_reason,),
        "gen_ai.usage.input_tokens": outcome.usage.prompt_tokens,
        "gen_ai.usage.output_tokens": outcome.usage.completion_tokens,
    }
    current.set_attributes({name: value for name, value in response_attributes.items() if value is not None})
    if not outcome.cached:
        for direction, tokens in (
            ("input", outcome.usage.prompt_tokens),
            ("output", outcome.usage.completion_tokens),
        ):
            PROVIDER_TOKENS.labels(command.provider.type, direction).inc(tokens or 0)
