"""Test that connection tests do not show which ports of a host are open, except to organisations that may know."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import pytest
from listener import LOOPBACK

from inference_gateway.adapters.http_client import ProviderClient
from inference_gateway.adapters.http_provider import HttpModelProvider
from inference_gateway.handlers.list_models import ListModelsHandler
from inference_gateway.ports import ProviderHeaders, StoredHeader
from llmbench.contracts.list_models import ListModels, ModelsListed, SentHeader
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.ids import new_id


class NoHeaders:
    def stored(self, provider: ProviderSnapshot, headers: Sequence[StoredHeader]) -> ProviderHeaders:
        return ProviderHeaders()

    async def of(self, provider: ProviderSnapshot) -> ProviderHeaders:
        return ProviderHeaders()

    def sent(self, provider: ProviderSnapshot, sent: Sequence[SentHeader]) -> ProviderHeaders:
        return ProviderHeaders()


@asynccontextmanager
async def ports() -> AsyncIterator[tuple[int, int]]:
    """Yield a port that refuses connections, and one that accepts them and never answers."""

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    # A bound socket that does not listen refuses connections, and no other process gets its port.
    with socket.socket() as closed:
        closed.bind((LOOPBACK, 0))
        async with await asyncio.start_server(silent, LOOPBACK, 0) as server:
            yield closed.getsockname()[1], server.sockets[0].getsockname()[1]


async def connect(port: int, may_know_ports: Callable[[], bool], *, timeout_s: float) -> ModelsListed:
    """Test the connection to a provider at a port. The result shows `PORT` in place of the number."""
    provider = ProviderSnapshot(
        provider_id=new_id(),
        name="Somewhere",
        type="OPENAI",
        base_url=f"http://{LOOPBACK}:{port}",
        models_endpoint="/v1/models",
        inference_endpoint="/v1/chat/completions",
    )
    async with ProviderClient() as client:
        handler = ListModelsHandler(
            provider=HttpModelProvider(client), headers=NoHeaders(), in_container=True, may_know_ports=may_know_ports
        )
        listed = await handler(ListModels(provider=provider, timeout_s=timeout_s))
    return ModelsListed.model_validate_json(listed.model_dump_json().replace(f":{port}/", ":PORT/"))


@pytest.mark.shows("S-35")
async def test_refused_and_unanswered_connections_look_alike_to_strangers() -> None:
    async with ports() as (closed, silent):
        # The refusal comes at once: the long limit is for a busy machine.
        refused = await connect(closed, lambda: False, timeout_s=60)
        unanswered = await connect(silent, lambda: False, timeout_s=0.5)
        assert refused == unanswered
        assert refused.problem is not None
        assert "the connection was refused, or there was no answer in time" in refused.problem
        assert (await connect(closed, lambda: True, timeout_s=60)).cause == "refused"
        assert (await connect(silent, lambda: True, timeout_s=0.5)).cause == "timeout"
