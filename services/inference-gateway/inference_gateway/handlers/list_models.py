"""Which models a provider offers, and whether it answers at all: the test of a connection."""

import asyncio
from datetime import UTC, datetime
from typing import Literal

from inference_gateway.domain.classify import Asked, classify
from inference_gateway.domain.faults import Fault, FaultKind
from inference_gateway.domain.http_call import Exchange
from inference_gateway.domain.model_list import NoModelList, model_names
from inference_gateway.domain.text import one_line
from inference_gateway.domain.urls import ForeignEndpoint, endpoint_url, shown
from inference_gateway.ports import Headers, ModelProvider, ProviderHeaders, SessionLost
from llmbench.contracts.list_models import ListModels, ModelsListed
from llmbench.errors import SecretsLocked

Cause = Literal["refused", "dns", "tls", "timeout", "unauthorized", "not_found", "not_json", "http_error", "secrets"]

_NO_LIST = (404, 405, 501)
_CAUSES: dict[FaultKind, Cause] = {
    FaultKind.REFUSED: "refused",
    FaultKind.DNS: "dns",
    FaultKind.TLS: "tls",
    FaultKind.UNREACHABLE: "refused",
    FaultKind.TIMEOUT: "timeout",
}


class ListModelsHandler:
    def __init__(self, *, provider: ModelProvider, headers: Headers, in_container: bool) -> None:
        self._provider = provider
        self._headers = headers
        self._in_container = in_container

    async def __call__(self, request: ListModels) -> ModelsListed:
        base = shown(request.provider.base_url)
        try:
            url = endpoint_url(request.provider.base_url, request.provider.models_endpoint)
            headers = await self._headers.of(request.provider)
        except ForeignEndpoint as error:
            return ModelsListed(url=base, problem=one_line(f"{error}; correct it."), cause="http_error")
        except SecretsLocked as error:
            return ModelsListed(url=base, problem=one_line(str(error)), cause="secrets")
        except SessionLost:
            problem = "The provider's headers cannot be read: llmbench's database does not answer. Try again."
            return ModelsListed(url=base, problem=problem, cause="secrets")
        try:
            async with asyncio.timeout(request.timeout_s):
                exchange = await self._provider.read(url, headers.values)
        except TimeoutError:
            exchange = Exchange(fault=Fault(FaultKind.TIMEOUT, f"{request.timeout_s:g} s allowed"))
        return self._listed(url, exchange, headers)

    def _listed(self, url: str, exchange: Exchange, headers: ProviderHeaders) -> ModelsListed:
        where = shown(url)
        latency_ms = None if exchange.status is None else round(exchange.total_s * 1000)
        if exchange.fault is not None or exchange.status is None or not 200 <= exchange.status < 300:
            outcome = classify(
                exchange,
                Asked(
                    url=url,
                    model="",
                    prompt_characters=0,
                    now=datetime.now(UTC),
                    secrets=headers.secrets,
                    in_container=self._in_container,
                ),
            )
            problem = getattr(outcome, "message", "")
            if exchange.status == 404:
                problem = f"{where} answered 404 Not Found: no list of models there. Check the URL and the endpoint."
            return ModelsListed(
                url=where,
                latency_ms=latency_ms,
                supported=exchange.status not in _NO_LIST,
                problem=problem,
                cause=_cause(exchange),
            )
        try:
            return ModelsListed(url=where, latency_ms=latency_ms, models=model_names(exchange.body))
        except NoModelList as error:
            problem = f"{where} answered, but not with a list of models: {error}. Check the URL and the endpoint."
            return ModelsListed(url=where, latency_ms=latency_ms, problem=problem, cause="not_json")


def _cause(exchange: Exchange) -> Cause:
    if exchange.fault is not None:
        return _CAUSES.get(exchange.fault.kind, "http_error")
    if exchange.status in (401, 403):
        return "unauthorized"
    if exchange.status == 404:
        return "not_found"
    return "http_error"
