"""Generate one completion: build the request with the provider's profile, send it, and classify the answer.

If the provider refuses a parameter that may be changed or left out, the request is adapted and repeated.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from inference_gateway.domain.call import FinishedCall, request_hash
from inference_gateway.domain.classify import RequestFacts, answer_texts, classify, refusal_text
from inference_gateway.domain.draft import Draft
from inference_gateway.domain.faults import Fault, FaultKind
from inference_gateway.domain.http_call import Exchange, HttpCall
from inference_gateway.domain.model_abilities import ModelAbilities, step_down
from inference_gateway.domain.redaction import Redaction, redact
from inference_gateway.domain.text import one_line
from inference_gateway.domain.urls import shown
from inference_gateway.handlers.lane_command import Job
from inference_gateway.handlers.live_answer import watch_of
from inference_gateway.handlers.pricing import Charged, cost_of
from inference_gateway.ports import Headers, LiveAnswers, ModelProvider, ProviderHeaders, StoredHeader
from inference_gateway.profiles.base import NotPossible
from inference_gateway.profiles.registry import profile_for
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.outcome import Answered, Outcome, Refused, Rejected
from llmbench.errors import SecretsLocked

REQUEST_ID_HEADER = "X-Client-Request-Id"
"""The request header with the call's id. It helps to find the call in a provider's log."""


class GenerateCompletionHandler:
    def __init__(
        self,
        *,
        provider: ModelProvider,
        headers: Headers,
        now: Callable[[], datetime],
        in_container: bool,
        live: LiveAnswers,
    ) -> None:
        self._provider = provider
        self._live = live
        self._headers = headers
        self._now = now
        self._in_container = in_container
        self._abilities: dict[tuple[UUID, str, str], ModelAbilities] = {}
        """The abilities of each provider's models, learned from refusals. A restart forgets them."""

    def prepare(self, command: GenerateCompletion, stored: Sequence[StoredHeader]) -> Job:
        try:
            headers = self._headers.stored(command.provider, stored)
            first = self._http_call(command, ModelAbilities())
            abilities = self._abilities_of(command)
            call = self._http_call(command, abilities)
        except SecretsLocked as error:
            return self._unsent(command, Rejected(message=one_line(str(error)), http_status=0, cause="unauthorized"))
        except NotPossible as error:
            return self._unsent(command, Rejected(message=one_line(f"{error}."), http_status=0))
        question = request_hash(first, sealed=[header.sealed for header in stored if header.sealed is not None])
        return Job(lambda: self._make(command, call, abilities, headers, question), _request(call), question)

    async def _make(
        self,
        command: GenerateCompletion,
        call: HttpCall,
        abilities: ModelAbilities,
        headers: ProviderHeaders,
        question: str,
    ) -> FinishedCall:
        started_at = self._now()
        try:
            async with asyncio.timeout(command.timeout_s):
                call, exchange = await self._ask(command, call, abilities, headers)
        except TimeoutError:
            exchange = Exchange(fault=Fault(FaultKind.TIMEOUT, f"{command.timeout_s:g} s allowed"))
        redaction = Redaction(headers.secrets)
        if exchange.draft is not None:
            # Remove the secrets first, so that nothing derived from the answer contains them.
            redact(exchange.draft, redaction)
        outcome = classify(exchange, self._request_facts(command, call, headers))
        finished_at = self._now()
        content, reasoning = (None, None)
        if isinstance(outcome, Answered) and exchange.draft is not None:
            content, reasoning = answer_texts(exchange.draft)
            charged = _charged(outcome, exchange.draft)
            cost = cost_of(charged, provider=command.provider, model=command.request.model, at=started_at)
            outcome = outcome.model_copy(
                update={
                    "cost": cost,
                    "notes": (*call.notes, *exchange.draft.notes),
                    "adaptations": call.notes,
                    "redactions": redaction.count,
                }
            )
        elif isinstance(outcome, Refused) and exchange.draft is not None:
            # Store the part of the answer that the content filter let pass, or else the model's refusal.
            content, reasoning = answer_texts(exchange.draft)
            content = content or refusal_text(exchange.draft)
            outcome = outcome.model_copy(update={"redactions": redaction.count})
        return FinishedCall(
            outcome=outcome,
            started_at=started_at,
            finished_at=finished_at,
            request=_request(call),
            request_hash=question,
            content=content,
            reasoning=reasoning,
            response=_response(exchange, call),
        )

    async def _ask(
        self, command: GenerateCompletion, call: HttpCall, abilities: ModelAbilities, headers: ProviderHeaders
    ) -> tuple[HttpCall, Exchange]:
        """Send the request, and adapt and repeat it while the provider refuses only some parameters.

        Return the last request and its result.
        """
        sent = {**headers.values, REQUEST_ID_HEADER: str(command.call_id)}
        watch = watch_of(command, self._live, headers.secrets)
        while True:
            exchange = await self._provider.complete(call, sent, watch)
            reduced = step_down(abilities, call, exchange)
            if reduced is None:
                return call, exchange
            known = self._abilities_of(command)
            # If a concurrent call has learned about the model meanwhile, continue with what it learned.
            abilities = reduced if known == abilities else known
            self._abilities[_abilities_key(command)] = abilities
            call = self._http_call(command, abilities)

    def _abilities_of(self, command: GenerateCompletion) -> ModelAbilities:
        return self._abilities.get(_abilities_key(command), ModelAbilities())

    def _http_call(self, command: GenerateCompletion, abilities: ModelAbilities) -> HttpCall:
        return profile_for(command.provider.type).completion(command.provider, command.request, abilities)

    def _request_facts(self, command: GenerateCompletion, call: HttpCall, headers: ProviderHeaders) -> RequestFacts:
        return RequestFacts(
            url=call.url,
            model=command.request.model,
            prompt_characters=sum(len(message.content) for message in command.request.messages),
            now=self._now(),
            secrets=headers.secrets,
            in_container=self._in_container,
            logprobs=call.logprobs,
            signs=profile_for(command.provider.type).signs,
        )

    def _unsent(self, command: GenerateCompletion, outcome: Outcome) -> Job:
        async def nothing_sent() -> FinishedCall:
            now = self._now()
            request: Mapping[str, Any] = {"url": shown(command.provider.base_url), "body": None}
            return FinishedCall(outcome=outcome, started_at=now, finished_at=now, request=request, request_hash="")

        return Job(nothing_sent)


def _abilities_key(command: GenerateCompletion) -> tuple[UUID, str, str]:
    """Return the key under which a model's abilities are stored: provider, URL and model.

    A changed URL may lead to another server.
    """
    return command.provider.provider_id, command.provider.base_url, command.request.model


def _charged(outcome: Answered, draft: Draft) -> Charged:
    tier = draft.meta.get("service_tier")
    return Charged(outcome.usage, draft.reported_usd, draft.model, tier if isinstance(tier, str) else None)


def _request(call: HttpCall) -> Mapping[str, Any]:
    return {"url": shown(call.url), "body": call.body}


def _response(exchange: Exchange, call: HttpCall) -> Mapping[str, Any] | None:
    if exchange.status is None:
        return None
    draft = exchange.draft
    meta = {} if draft is None else {**draft.meta, "finish_reason": draft.finish_reason, "model": draft.model}
    return {"http_status": exchange.status, "streaming": call.streaming.name.lower(), **meta}
