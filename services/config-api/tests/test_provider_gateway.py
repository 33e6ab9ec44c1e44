"""Models and "Test connection": asked of the inference gateway, whatever it answers."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import nats
import pytest
from config_api_asserting import assert_problem, created
from nats.aio.client import Client
from nats.aio.msg import Msg

from llmbench.contracts.list_models import ListModels, ModelsListed

PROVIDER = {
    "name": "P",
    "type": "OLLAMA",
    "base_url": "http://127.0.0.1:9000",
    "options": {"keep_alive": "1m"},
    "headers": [{"header_key": "Authorization", "header_value": "Bearer sk-secret-secret", "is_secret": True}],
}
URL = "http://127.0.0.1:9000/v1/models"


@pytest.fixture
async def wire(nats_url: str) -> AsyncIterator[Client]:
    connection = await nats.connect(nats_url)
    yield connection
    await connection.close()


async def _gateway(wire: Client, reply: bytes) -> list[Msg]:
    """Somebody who answers `req.provider.models`; the requests seen."""
    seen: list[Msg] = []

    async def answer(message: Msg) -> None:
        seen.append(message)
        await message.respond(reply)

    await wire.subscribe("req.provider.models", cb=answer)
    await wire.flush()
    return seen


async def _provider_path(api: httpx.AsyncClient) -> str:
    return f"/api/providers/{(await created(api, '/api/providers', **PROVIDER))['id']}"


async def test_models_are_those_the_gateway_found(api: httpx.AsyncClient, wire: Client) -> None:
    reply = ModelsListed(models=("a", "b"), latency_ms=12, url=URL)
    seen = await _gateway(wire, reply.model_dump_json().encode())
    path = await _provider_path(api)
    answer = await api.get(f"{path}/models")
    assert answer.json() == {"models": [{"id": "a"}, {"id": "b"}], "latency_ms": 12, "supported": True}
    answer = await api.post(f"{path}/test")
    expected: dict[str, Any] = {
        "ok": True,
        "latency_ms": 12,
        "models": [{"id": "a"}, {"id": "b"}],
        "problem": None,
        "cause": None,
    }
    assert answer.json() == {**expected, "url": URL}

    question = ListModels.model_validate_json(seen[0].data)
    assert (question.provider.base_url, question.provider.models_endpoint) == ("http://127.0.0.1:9000", "/v1/models")
    assert question.provider.options == {"keep_alive": "1m"}
    assert b"sk-secret" not in seen[0].data
    assert seen[0].headers is not None
    assert seen[0].headers["ce-type"] == "llmbench.req.list_models.v1"


async def test_a_provider_that_fails_is_a_502_with_the_cause_and_an_answer_to_a_test(
    api: httpx.AsyncClient, wire: Client
) -> None:
    cause = "Nobody listens at 127.0.0.1:9000: connection refused."
    reply = ModelsListed(problem=cause, cause="refused", url=URL)
    await _gateway(wire, reply.model_dump_json().encode())
    path = await _provider_path(api)
    problem = assert_problem(await api.get(f"{path}/models"), 502)
    assert (problem["detail"], problem["cause"], problem["url"]) == (cause, "refused", URL)
    answer = await api.post(f"{path}/test")
    assert answer.status_code == 200
    expected: dict[str, Any] = {
        "ok": False,
        "latency_ms": None,
        "models": [],
        "problem": cause,
        "cause": "refused",
        "url": URL,
    }
    assert answer.json() == expected


async def test_without_a_gateway_it_says_so(api: httpx.AsyncClient) -> None:
    path = await _provider_path(api)
    for answer in (await api.get(f"{path}/models"), await api.post(f"{path}/test")):
        assert "inference gateway does not answer" in str(assert_problem(answer, 503)["detail"])


async def test_an_answer_that_is_none_is_a_503(api: httpx.AsyncClient, wire: Client) -> None:
    await _gateway(wire, b"what?")
    path = await _provider_path(api)
    assert_problem(await api.get(f"{path}/models"), 503)
