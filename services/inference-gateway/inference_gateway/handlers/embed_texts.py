"""Embed texts with a provider's `/embeddings` endpoint. The vectors are stored as the call's content."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from inference_gateway.domain.call import Ask, FinishedCall, request_hash
from inference_gateway.domain.classify import RequestFacts, classify, estimated_tokens, not_embeddings
from inference_gateway.domain.draft import ReportedError
from inference_gateway.domain.embedding_answer import EmbeddingAnswer, NoEmbeddings, read_embeddings
from inference_gateway.domain.faults import Fault, FaultKind
from inference_gateway.domain.framing import ANSWER_LIMIT_BYTES
from inference_gateway.domain.http_call import Exchange, HttpCall
from inference_gateway.domain.redaction import Redaction
from inference_gateway.domain.text import one_line
from inference_gateway.domain.urls import shown
from inference_gateway.handlers.generate_completion import REQUEST_ID_HEADER
from inference_gateway.handlers.lane_command import Job, Prepare
from inference_gateway.handlers.pricing import Charged, cost_of
from inference_gateway.ports import Headers, ModelProvider, ProviderHeaders, StoredHeader
from inference_gateway.profiles.base import NotPossible
from inference_gateway.profiles.registry import profile_for
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.outcome import Answered, Outcome, Rejected, Timings, Usage
from llmbench.errors import SecretsLocked


def by_kind(
    *,
    generate: Callable[[GenerateCompletion, Sequence[StoredHeader]], Job],
    embed: Callable[[EmbedTexts, Sequence[StoredHeader]], Job],
) -> Prepare:
    def prepare(command: Ask, stored: Sequence[StoredHeader]) -> Job:
        return embed(command, stored) if isinstance(command, EmbedTexts) else generate(command, stored)

    return prepare


class EmbedTextsHandler:
    def __init__(
        self, *, provider: ModelProvider, headers: Headers, now: Callable[[], datetime], in_container: bool
    ) -> None:
        self._provider = provider
        self._headers = headers
        self._now = now
        self._in_container = in_container

    def prepare(self, command: EmbedTexts, stored: Sequence[StoredHeader]) -> Job:
        try:
            headers = self._headers.stored(command.provider, stored)
            call = profile_for(command.provider.type).embedding(command.provider, command.request)
        except SecretsLocked as error:
            return self._unsent(command, Rejected(message=one_line(str(error)), http_status=0, cause="unauthorized"))
        except NotPossible as error:
            return self._unsent(command, Rejected(message=one_line(f"{error}."), http_status=0))
        # Reuse vectors only within a run: later, another model may have the same name.
        question = request_hash(call, within=command.run_id)
        return Job(lambda: self._make(command, call, headers, question), _request(call), question)

    async def _make(self, command: EmbedTexts, call: HttpCall, headers: ProviderHeaders, question: str) -> FinishedCall:
        started_at = self._now()
        try:
            async with asyncio.timeout(command.timeout_s):
                exchange = await self._provider.send(call, {**headers.values, REQUEST_ID_HEADER: str(command.call_id)})
        except TimeoutError:
            exchange = Exchange(fault=Fault(FaultKind.TIMEOUT, f"{command.timeout_s:g} s allowed"))
        outcome, content = self._read(command, call, headers, exchange, started_at)
        return FinishedCall(
            outcome=outcome,
            started_at=started_at,
            finished_at=self._now(),
            request=_request(call),
            request_hash=question,
            content=content,
            response=None if exchange.status is None else {"http_status": exchange.status},
        )

    def _read(
        self, command: EmbedTexts, call: HttpCall, headers: ProviderHeaders, exchange: Exchange, began: datetime
    ) -> tuple[Outcome, str | None]:
        facts = RequestFacts(
            url=call.url,
            model=command.request.model,
            prompt_characters=sum(map(len, command.request.texts)),
            now=self._now(),
            secrets=headers.secrets,
            in_container=self._in_container,
            signs=profile_for(command.provider.type).signs,
        )
        if len(exchange.body) >= ANSWER_LIMIT_BYTES:
            detail = f"over {ANSWER_LIMIT_BYTES // (1024 * 1024)} MiB"
            exchange = Exchange(exchange.status, fault=Fault(FaultKind.TOO_LARGE, detail))
        if exchange.fault is not None or exchange.status is None or not 200 <= exchange.status < 300:
            return classify(exchange, facts), None
        try:
            embeddings = read_embeddings(exchange.body, texts=len(command.request.texts))
        except NoEmbeddings as error:
            return not_embeddings(error, exchange, facts), None
        if isinstance(embeddings, ReportedError):
            return not_embeddings(embeddings, exchange, facts), None
        return self._answered(
            command, call, embeddings, exchange, facts, began
        ), embeddings.embeddings.model_dump_json()

    def _answered(
        self,
        command: EmbedTexts,
        call: HttpCall,
        embeddings: EmbeddingAnswer,
        exchange: Exchange,
        facts: RequestFacts,
        began: datetime,
    ) -> Answered:
        prompt_tokens = embeddings.usage.prompt_tokens if embeddings.usage else None
        usage = Usage(
            prompt_tokens=estimated_tokens(facts.prompt_characters) if prompt_tokens is None else prompt_tokens,
            completion_tokens=0,
            source="estimated" if prompt_tokens is None else "reported",
        )
        charged = Charged(usage, embeddings.reported_usd, embeddings.model)
        vectors = embeddings.embeddings
        redaction = Redaction(facts.secrets)
        return Answered(
            # The event has no vectors: readers that need them read the call's content.
            preview=f"{len(vectors.vectors)} x {vectors.dimensions} numbers",
            truncated=True,
            model_reported=None if embeddings.model is None else one_line(redaction.text(embeddings.model), 200),
            usage=usage,
            timings=Timings(total_ms=round(exchange.total_s * 1000)),
            cost=cost_of(charged, provider=command.provider, model=command.request.model, at=began),
            notes=call.notes,
            adaptations=call.notes,
            redactions=redaction.count,
        )

    def _unsent(self, command: EmbedTexts, outcome: Outcome) -> Job:
        async def nothing_sent() -> FinishedCall:
            now = self._now()
            request: Mapping[str, Any] = {"url": shown(command.provider.base_url), "body": None}
            return FinishedCall(outcome=outcome, started_at=now, finished_at=now, request=request, request_hash="")

        return Job(nothing_sent)


def _request(call: HttpCall) -> Mapping[str, Any]:
    return {"url": shown(call.url), "body": call.body}
