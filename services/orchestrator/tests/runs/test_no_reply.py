"""Test that the API answers 503 and names the service if a service does not reply or has another version."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from nats.aio.msg import Msg

from llmbench.contracts.describe_evaluator import EvaluatorFacts
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.errors import Problem
from llmbench.ids import new_id
from llmbench.messaging.broker import Broker, client, make_broker, stop_broker
from llmbench.messaging.fence import fence
from orchestrator.runs.adapters.catalogue import JudgeCatalogue
from orchestrator.runs.adapters.directory import GatewayDirectory

PROVIDER = ProviderSnapshot(
    provider_id=new_id(),
    name="p",
    type="OLLAMA",
    base_url="http://127.0.0.1:9",
    models_endpoint="/v1/models",
    inference_endpoint="/v1/chat/completions",
)
CONTAINS = EvaluatorFacts(
    kind="contains",
    title="Contains",
    needs_judge=False,
    params={},
    schema_name="contains",
    schema_version="2",
    scale_min=0,
    scale_max=1,
)
ASK: dict[str, Callable[[Broker], Awaitable[object]]] = {
    "models": lambda broker: GatewayDirectory(broker).list_models(PROVIDER),
    "evaluators": lambda broker: JudgeCatalogue(broker).list(),
    "description": lambda broker: JudgeCatalogue(broker).describe("contains", {}),
    "references": lambda broker: JudgeCatalogue(broker).check_references(CONTAINS, ()),
}


@pytest.fixture
async def broker(nats_url: str) -> AsyncIterator[Broker]:
    broker = make_broker(nats_url, service="test")
    await broker.connect()
    yield broker
    await stop_broker(broker)


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK)
async def test_empty_reply_is_one_of_another_version(
    broker: Broker, ask: Callable[[Broker], Awaitable[object]]
) -> None:
    async def answer(message: Msg) -> None:
        await message.respond(b"")

    await client(broker).subscribe("req.>", cb=answer)
    await fence(client(broker))
    with pytest.raises(Problem, match="runs another version of llmbench") as problem:
        await ask(broker)
    assert problem.value.status == 503


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK)
async def test_connection_that_is_being_closed_gives_no_reply(
    broker: Broker, ask: Callable[[Broker], Awaitable[object]]
) -> None:
    connection, held = client(broker), asyncio.Event()

    async def hold(_: object) -> None:
        await held.wait()

    await connection.subscribe("held", cb=hold)
    await connection.publish("held")
    await fence(connection)
    closing = asyncio.create_task(connection.drain())
    while not connection.is_draining:
        await asyncio.sleep(0)
    with pytest.raises(Problem, match="does not answer") as problem:
        await ask(broker)
    assert problem.value.status == 503
    held.set()
    await closing
