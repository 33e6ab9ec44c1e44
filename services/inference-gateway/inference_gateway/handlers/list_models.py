"""List a provider's models, or test the connection to it.

A provider whose type has no model list is called only if the request asks for a probe, which is one question.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, Literal

from inference_gateway.domain.classify import RequestFacts, classify
from inference_gateway.domain.faults import Fault, FaultKind
from inference_gateway.domain.http_call import Exchange
from inference_gateway.domain.model_abilities import ModelAbilities
from inference_gateway.domain.model_list import NoModelList, model_names
from inference_gateway.domain.redaction import Redaction
from inference_gateway.domain.text import one_line
from inference_gateway.domain.urls import ForeignEndpoint, shown
from inference_gateway.ports import Headers, ModelProvider, ProviderHeaders, SessionLost
from inference_gateway.profiles.base import NotPossible, Profile
from inference_gateway.profiles.registry import profile_for
from llmbench.contracts.chat import ChatMessage, ChatRequest
from llmbench.contracts.list_models import ListModels, ModelsListed
from llmbench.contracts.outcome import Answered
from llmbench.errors import SecretsLocked

Cause = Literal["refused", "dns", "tls", "timeout", "unauthorized", "not_found", "not_json", "http_error", "secrets"]

PROBE = "Hello, World!"

_NO_LIST = (404, 405, 501)
_NOT_REACHED: Final = (FaultKind.REFUSED, FaultKind.UNREACHABLE, FaultKind.TIMEOUT)
_NO_ANSWER: Final = Fault(FaultKind.UNREACHABLE, "the connection was refused, or there was no answer in time")
_CAUSES: dict[FaultKind, Cause] = {
    FaultKind.REFUSED: "refused",
    FaultKind.DNS: "dns",
    FaultKind.TLS: "tls",
    FaultKind.UNREACHABLE: "refused",
    FaultKind.TIMEOUT: "timeout",
    FaultKind.NO_COMPLETION: "not_json",
}


class ListModelsHandler:
    """Answer requests for the models of a provider.

    `may_know_ports` says whether the organisation of a request learns if a connection was refused or got no answer.
    Other organisations get the same message in both cases, so that they cannot find open ports in networks that the
    platform reaches.
    """

    def __init__(
        self,
        *,
        provider: ModelProvider,
        headers: Headers,
        in_container: bool,
        may_know_ports: Callable[[], bool] = lambda: True,
    ) -> None:
        self._provider = provider
        self._headers = headers
        self._in_container = in_container
        self._may_know_ports = may_know_ports

    async def __call__(self, request: ListModels) -> ModelsListed:
        base = shown(request.provider.base_url)
        try:
            profile = profile_for(request.provider.type)
        except NotPossible as error:
            return _problem(base, one_line(f"{error}."), "http_error")
        if not profile.info.lists_models and not request.probe:
            return ModelsListed(url=base, url_tried=base, models=profile.named_models(request.provider))
        try:
            headers = await self._headers_of(request)
            if not profile.info.lists_models:
                return await self._probed(request, profile, headers)
            url = profile.models_url(request.provider)
        except NotPossible as error:
            return _problem(base, one_line(f"{error}."), "http_error")
        except ForeignEndpoint as error:
            return _problem(base, one_line(f"{error}; correct it."), "http_error")
        except SecretsLocked as error:
            return _problem(base, one_line(str(error)), "secrets")
        except SessionLost:
            problem = "The provider's headers cannot be read: llmbench's database does not answer. Try again."
            return _problem(base, problem, "secrets")
        try:
            async with asyncio.timeout(request.timeout_s):
                exchange = await self._provider.read(url, profile.headers, headers.values)
        except TimeoutError:
            exchange = Exchange(fault=Fault(FaultKind.TIMEOUT, f"{request.timeout_s:g} s allowed"))
        listed = self._listed(url, self._without_port_state(exchange), headers)
        named = profile.named_models(request.provider)
        # The provider is called even if the user named the models: this shows whether the URL and the key are correct.
        return listed.model_copy(update={"models": named}) if named and listed.problem is None else listed

    async def _probed(self, request: ListModels, profile: Profile, headers: ProviderHeaders) -> ModelsListed:
        """Test a provider that has no model list by asking it one question. Raises `NotPossible` if the provider's
        options do not allow the question."""
        named = profile.named_models(request.provider)
        question = ChatRequest(model=named[0], messages=(ChatMessage(role="user", content=PROBE),))
        call = profile.completion(request.provider, question, ModelAbilities())
        try:
            async with asyncio.timeout(request.timeout_s):
                exchange = await self._provider.complete(call, headers.values)
        except TimeoutError:
            exchange = Exchange(fault=Fault(FaultKind.TIMEOUT, f"{request.timeout_s:g} s allowed"))
        exchange = self._without_port_state(exchange)
        where = shown(call.url)
        latency_ms = None if exchange.status is None else round(exchange.total_s * 1000)
        outcome = classify(exchange, self._facts(call.url, headers))
        if isinstance(outcome, Answered):
            return ModelsListed(url=where, url_tried=where, latency_ms=latency_ms, models=named)
        problem = getattr(outcome, "message", outcome.kind)
        return _problem(where, problem, _cause(exchange), kind=_kind(exchange), latency_ms=latency_ms)

    def _without_port_state(self, exchange: Exchange) -> Exchange:
        fault = exchange.fault
        hidden = fault is not None and fault.kind in _NOT_REACHED and not self._may_know_ports()
        return replace(exchange, fault=_NO_ANSWER) if hidden else exchange

    def _facts(self, url: str, headers: ProviderHeaders) -> RequestFacts:
        return RequestFacts(
            url=url,
            model="",
            prompt_characters=0,
            now=datetime.now(UTC),
            secrets=headers.secrets,
            in_container=self._in_container,
        )

    async def _headers_of(self, request: ListModels) -> ProviderHeaders:
        if request.headers is not None:
            return self._headers.sent(request.provider, request.headers)
        return await self._headers.of(request.provider)

    def _listed(self, url: str, exchange: Exchange, headers: ProviderHeaders) -> ModelsListed:
        where = shown(url)
        latency_ms = None if exchange.status is None else round(exchange.total_s * 1000)
        if exchange.fault is not None or exchange.status is None or not 200 <= exchange.status < 300:
            outcome = classify(exchange, self._facts(url, headers))
            problem = getattr(outcome, "message", "")
            if exchange.status == 404:
                problem = f"{where} answered 404 Not Found: no list of models there. Check the URL and the endpoint."
            return _problem(
                where,
                problem,
                _cause(exchange),
                kind=_kind(exchange),
                latency_ms=latency_ms,
                supported=exchange.status not in _NO_LIST,
            )
        try:
            models = model_names(exchange.body)
        except NoModelList as error:
            problem = f"{where} answered, but not with a list of models: {error}. Check the URL and the endpoint."
            return _problem(where, problem, "not_json", latency_ms=latency_ms)
        redaction = Redaction(headers.secrets)
        names = tuple(dict.fromkeys(map(redaction.text, models)))
        return ModelsListed(url=where, url_tried=where, latency_ms=latency_ms, models=names)


def _problem(
    url: str,
    problem: str,
    cause: Cause,
    *,
    kind: str | None = None,
    latency_ms: int | None = None,
    supported: bool = True,
) -> ModelsListed:
    return ModelsListed(
        url=url,
        url_tried=url,
        latency_ms=latency_ms,
        supported=supported,
        problem=problem,
        cause=cause,
        problem_kind=kind or cause,
    )


def _kind(exchange: Exchange) -> str | None:
    """Return a name of the problem that is more exact than the response's field `cause`, such as `redirect`; `None` if
    there is none."""
    if exchange.fault is not None:
        return exchange.fault.kind.value
    status = exchange.status or 0
    if 300 <= status < 400:
        return "redirect"
    return "forbidden" if status == 403 else None


def _cause(exchange: Exchange) -> Cause:
    if exchange.fault is not None:
        return _CAUSES.get(exchange.fault.kind, "http_error")
    if exchange.status in (401, 403):
        return "unauthorized"
    if exchange.status == 404:
        return "not_found"
    return "http_error"
