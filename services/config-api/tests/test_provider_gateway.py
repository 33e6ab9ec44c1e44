"""Test the list of models and "Test connection" for every kind of reply from the inference gateway."""

from base64 import b64decode
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import nats
import pytest
from config_api_asserting import assert_problem, create_resource
from nats.aio.client import Client
from nats.aio.msg import Msg

from config_api.main import Settings
from llmbench.contracts.list_models import ListModels, ModelsListed, SentHeader
from llmbench.db.secrets import Binding, SecretBox
from llmbench.errors import SecretsLocked
from llmbench.messaging.fence import fence

PROVIDER: dict[str, Any] = {
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
    """Reply to `req.provider.models` like the inference gateway. Return the list of the received requests."""
    seen: list[Msg] = []

    async def answer(message: Msg) -> None:
        seen.append(message)
        await message.respond(reply)

    await wire.subscribe("req.provider.models", cb=answer)
    await fence(wire)
    return seen


async def _provider_path(api: httpx.AsyncClient) -> str:
    return f"/api/providers/{(await create_resource(api, '/api/providers', **PROVIDER))['id']}"


async def test_models_are_those_that_the_gateway_found(api: httpx.AsyncClient, wire: Client) -> None:
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


async def test_failing_provider_is_a_502_in_the_list_and_a_result_in_a_test(
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


async def test_unsaved_provider_is_tested_with_an_encrypted_secret(
    api: httpx.AsyncClient, wire: Client, settings: Settings
) -> None:
    reply = ModelsListed(models=("a",), latency_ms=3, url=URL, url_tried=URL)
    seen = await _gateway(wire, reply.model_dump_json().encode())
    before = (await api.get("/api/providers")).json()
    form = {name: value for name, value in PROVIDER.items() if name != "name"}
    form["headers"] = [*PROVIDER["headers"], {"header_key": "X-Team", "header_value": "blue"}]
    answer = await api.post("/api/providers/test", json=form)
    assert (answer.status_code, answer.json()["ok"], answer.json()["models"]) == (200, True, [{"id": "a"}])
    assert (await api.get("/api/providers")).json() == before

    assert b"sk-secret" not in seen[0].data
    question = ListModels.model_validate_json(seen[0].data)
    assert question.headers is not None
    secret, plain = question.headers
    assert (plain.key, plain.value, plain.sealed) == ("X-Team", "blue", None)
    assert (secret.key, secret.value) == ("Authorization", None)
    # The gateway decrypts the secret with the same key, for this provider id and server only.
    assert _open(settings, question, secret) == "Bearer sk-secret-secret"
    with pytest.raises(SecretsLocked):
        _open(settings, question, secret, base_url="http://evil.example")


async def test_stored_provider_is_tested_with_its_secrets_for_the_same_server_only(
    api: httpx.AsyncClient, wire: Client, settings: Settings
) -> None:
    seen = await _gateway(wire, ModelsListed(url=URL).model_dump_json().encode())
    stored = await create_resource(api, "/api/providers", **PROVIDER)
    secret = {"header_key": "Authorization", "is_secret": True}
    more = {"header_key": "X-Key", "is_secret": True, "header_value": "another secret"}
    form = {**PROVIDER, "id": stored["id"], "base_url": "http://127.0.0.1:9000/v1", "headers": [secret, more]}
    assert (await api.post("/api/providers/test", json=form)).json()["ok"] is True
    question = ListModels.model_validate_json(seen[0].data)
    assert question.headers is not None
    assert str(question.provider.provider_id) == stored["id"]
    assert [_open(settings, question, header) for header in question.headers] == [
        "Bearer sk-secret-secret",
        "another secret",
    ]
    assert (await api.get(f"/api/providers/{stored['id']}")).json() == stored

    elsewhere = {**form, "base_url": "http://127.0.0.1:9001", "headers": [secret, more]}
    assert_problem(await api.post("/api/providers/test", json=elsewhere), 422, "headers.0.header_value")
    new = {**form, "id": None}
    assert_problem(await api.post("/api/providers/test", json=new), 422, "headers.0.header_value")
    masked = {**form, "headers": [{**secret, "header_value": "••••cret"}]}
    assert_problem(await api.post("/api/providers/test", json=masked), 422, "headers.0.header_value")
    assert_problem(await api.post("/api/providers/test", json={**form, "id": str(UUID(int=7))}), 404)
    assert_problem(await api.post("/api/providers/test", json={**form, "type": "GOPHER"}), 422, "type")
    assert len(seen) == 1


def _open(settings: Settings, question: ListModels, header: SentHeader, *, base_url: str | None = None) -> str:
    assert header.sealed is not None
    binding = Binding(question.provider.provider_id, header.key, base_url or question.provider.base_url)
    return SecretBox(settings.master_key.get_secret_value()).open(b64decode(header.sealed), binding)


async def test_kind_of_failure_and_url_are_those_of_the_gateway(api: httpx.AsyncClient, wire: Client) -> None:
    reply = ModelsListed(problem="No.", problem_kind="payment", cause="http_error", url="u", url_tried=URL)
    await _gateway(wire, reply.model_dump_json().encode())
    path = await _provider_path(api)
    for answer in ((await api.get(f"{path}/models")).json(), (await api.post(f"{path}/test")).json()):
        assert (answer["cause"], answer["url"]) == ("payment", URL)


async def test_missing_gateway_is_a_503(api: httpx.AsyncClient) -> None:
    path = await _provider_path(api)
    for answer in (await api.get(f"{path}/models"), await api.post(f"{path}/test")):
        assert "inference gateway does not answer" in str(assert_problem(answer, 503)["detail"])


async def test_invalid_reply_of_the_gateway_is_a_503(api: httpx.AsyncClient, wire: Client) -> None:
    await _gateway(wire, b"what?")
    path = await _provider_path(api)
    assert_problem(await api.get(f"{path}/models"), 503)
