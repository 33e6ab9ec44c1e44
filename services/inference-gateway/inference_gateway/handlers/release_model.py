"""Unload a model if its provider supports that. The outcome says whether it was unloaded, or why this failed."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime

from inference_gateway.domain.call import FinishedCall, request_hash
from inference_gateway.domain.classify import RequestFacts, classify
from inference_gateway.domain.faults import Fault, FaultKind
from inference_gateway.domain.http_call import Exchange, HttpCall
from inference_gateway.domain.text import one_line
from inference_gateway.domain.urls import shown
from inference_gateway.handlers.generate_completion import REQUEST_ID_HEADER
from inference_gateway.handlers.lane_command import Job
from inference_gateway.ports import Headers, ModelProvider, ProviderHeaders, StoredHeader
from inference_gateway.profiles.base import NotPossible
from inference_gateway.profiles.registry import profile_for
from llmbench.contracts.outcome import Outcome, Rejected, Released
from llmbench.contracts.release_model import ReleaseModel
from llmbench.errors import SecretsLocked

TIMEOUT_S = 30.0


class ReleaseModelHandler:
    def __init__(
        self, *, provider: ModelProvider, headers: Headers, now: Callable[[], datetime], in_container: bool
    ) -> None:
        self._provider = provider
        self._headers = headers
        self._now = now
        self._in_container = in_container

    def prepare(self, command: ReleaseModel, stored: Sequence[StoredHeader]) -> Job:
        try:
            call = profile_for(command.provider.type).unload(command.provider, command.model)
            if call is None:
                return self._unsent(Released(unloaded=False))
            headers = self._headers.stored(command.provider, stored)
        except SecretsLocked as error:
            return self._unsent(Rejected(message=one_line(str(error)), http_status=0, cause="unauthorized"))
        except NotPossible as error:
            return self._unsent(Rejected(message=one_line(f"{error}."), http_status=0))
        return Job(lambda: self._unload(command, call, headers))

    async def _unload(self, command: ReleaseModel, call: HttpCall, headers: ProviderHeaders) -> FinishedCall:
        started_at = self._now()
        try:
            async with asyncio.timeout(TIMEOUT_S):
                exchange = await self._provider.send(call, {**headers.values, REQUEST_ID_HEADER: str(command.call_id)})
        except TimeoutError:
            exchange = Exchange(fault=Fault(FaultKind.TIMEOUT, f"{TIMEOUT_S:g} s allowed"))
        return FinishedCall(
            outcome=self._outcome(command, call, headers, exchange),
            started_at=started_at,
            finished_at=self._now(),
            request={"url": shown(call.url), "body": call.body},
            request_hash=request_hash(call),
            response=None if exchange.status is None else {"http_status": exchange.status},
        )

    def _outcome(self, command: ReleaseModel, call: HttpCall, headers: ProviderHeaders, exchange: Exchange) -> Outcome:
        if exchange.fault is None and exchange.status is not None and 200 <= exchange.status < 300:
            return Released(unloaded=True)
        facts = RequestFacts(
            url=call.url,
            model=command.model,
            prompt_characters=0,
            now=self._now(),
            secrets=headers.secrets,
            in_container=self._in_container,
        )
        return classify(exchange, facts)

    def _unsent(self, outcome: Outcome) -> Job:
        async def nothing_sent() -> FinishedCall:
            now = self._now()
            return FinishedCall(outcome=outcome, started_at=now, finished_at=now, request={}, request_hash="")

        return Job(nothing_sent)
