"""Test the NATS requests `req.provider.*` and `req.call.read`, which any free replica answers."""

import asyncio
import base64
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from gateway_world import MASTER_KEY, WAIT_S, World
from listener import Listener
from self_signed import self_signed

from inference_gateway.profiles.registry import provider_types
from llmbench.contracts.describe_provider_type import DescribeProviderType, ProviderTypeDescribed
from llmbench.contracts.list_models import ListModels, ModelsListed, SentHeader
from llmbench.contracts.list_provider_types import ListProviderTypes, ProviderTypesListed
from llmbench.contracts.read_call import CallRead, ReadCall
from llmbench.db.secrets import Binding, SecretBox
from llmbench.ids import new_id


async def listed(world: World, changes: dict[str, str], timeout_s: float = 5) -> ModelsListed:
    provider = world.provider.model_copy(update=changes)
    return ModelsListed.model_validate_json(await world.request(ListModels(provider=provider, timeout_s=timeout_s)))


@pytest.mark.parametrize("endpoint", ["/v1/models", "api/tags"])
async def test_models_are_listed(world: World, endpoint: str) -> None:
    async with world.gateway(), world.gateway():
        found = await listed(world, {"models_endpoint": endpoint})
    assert found.problem is None
    assert "mock-50ms" in found.models
    assert found.latency_ms is not None
    assert found.url == f"{world.provider_url}/{endpoint.lstrip('/')}"


@pytest.mark.parametrize(
    ("changes", "cause", "words"),
    [
        ({"base_url": "http://127.0.0.1:9"}, "refused", "Nothing listens at http://127.0.0.1:9/v1/models"),
        ({"base_url": "http://no-such-host.invalid"}, "dns", "does not resolve"),
        ({"models_endpoint": "/nothing/here"}, "not_found", "/nothing/here answered 404"),
        ({"models_endpoint": "/ledger/stats"}, "not_json", "not with a list of models"),
        ({"models_endpoint": "http://elsewhere.invalid/v1/models"}, "http_error", "another origin"),
    ],
)
async def test_failed_model_list_is_explained_in_a_sentence(
    world: World, changes: dict[str, str], cause: str, words: str
) -> None:
    async with world.gateway():
        found = await listed(world, changes)
    assert found.models == ()
    assert found.cause == found.problem_kind == cause
    assert found.url_tried == found.url
    assert found.problem is not None
    assert words in found.problem
    assert found.supported == (cause != "not_found")


@pytest.mark.parametrize(
    ("location", "words"),
    [("https://elsewhere.example/v1/models?key=1", "It points to https://elsewhere.example/v1/models."), ("", "")],
)
async def test_a_redirect_is_not_followed_and_says_where_to(world: World, location: str, words: str) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = (
            f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        async with world.gateway():
            found = await listed(world, {"base_url": f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"})
    finally:
        server.close()
    assert (found.cause, found.problem_kind) == ("http_error", "redirect")
    assert found.problem is not None
    assert words in found.problem
    assert "Redirects are not followed" in found.problem


async def test_a_certificate_nobody_vouches_for_is_named_as_the_cause(world: World, tmp_path: Path) -> None:
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0, ssl=self_signed(tmp_path))
    try:
        async with world.gateway():
            found = await listed(world, {"base_url": f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"})
    finally:
        server.close()
    assert found.problem_kind == "tls"
    assert found.problem is not None
    assert "self-signed certificate" in found.problem


async def test_a_provider_that_is_not_saved_yet_is_asked_with_the_headers_sent_along(world: World) -> None:
    unsaved = world.provider.model_copy(
        update={"provider_id": new_id(), "base_url": f"{world.provider_url}/azure", "type": "AZURE_OPENAI"}
    )
    unsaved = unsaved.model_copy(update={"models_endpoint": "/openai/v1/models"})
    sealed = SecretBox(MASTER_KEY).seal("a-key-of-azure", Binding(unsaved.provider_id, "api-key", unsaved.base_url))
    right = SentHeader(key="api-key", sealed=base64.b64encode(sealed).decode())
    async with world.gateway():
        answers = [
            ModelsListed.model_validate_json(await world.request(ListModels(provider=unsaved, headers=headers)))
            for headers in ((right,), (), (SentHeader(key="api-key", sealed="not base64"),))
        ]
    assert [answer.problem_kind for answer in answers] == [None, "unauthorized", "secrets"]
    assert answers[0].models


async def test_every_kind_of_call_has_the_headers_of_its_type_and_the_users_override_them(world: World) -> None:
    async with Listener().running() as server, world.gateway():
        url = f"http://127.0.0.1:{server.port}"
        provider = await world.add_provider(base_url=url, type_="OPENROUTER", plain={"x-title": "our own"})
        answers = [
            await world.request(ListModels(provider=provider)),
            await world.ask(world.command(provider=provider)),
            await world.ask(world.embedding("a", provider=provider)),
        ]
        sent = [(server.header("http-referer", each), server.header("x-title", each)) for each in range(len(answers))]
    assert sent == [(["http://localhost/llmbench"], ["our own"])] * 3


async def test_a_listener_that_says_nothing_times_out(world: World) -> None:
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        async with world.gateway():
            found = await listed(world, {"base_url": f"http://127.0.0.1:{port}"}, 0.3)
    finally:
        server.close()
    assert found.cause == "timeout"


async def test_an_unknown_call_has_no_content(world: World) -> None:
    call_id = new_id()
    async with world.gateway():
        reply = CallRead.model_validate_json(await world.request(ReadCall(call_id=call_id)))
    assert reply == CallRead(call_id=call_id, content=None)


async def test_the_gateways_own_servers_are_no_providers(world: World) -> None:
    """The gateway never calls the database, NATS, or a listener in its settings as a provider."""
    async with world.gateway(platform_listeners=world.provider_url.removeprefix("http://")):
        for url in (world.database_url, world.nats_url, world.provider_url):
            port = urlsplit(url).port
            found = await listed(world, {"base_url": f"http://localhost:{port}"})
            assert found.problem is not None
            assert found.problem.startswith(
                f"No request was sent to http://localhost:{port}/v1/models: llmbench itself"
            )
            assert found.problem_kind == "not_sent"


async def test_provider_types_are_listed_and_described(world: World) -> None:
    async with world.gateway():
        types = ProviderTypesListed.model_validate_json(await world.request(ListProviderTypes()))
        question = DescribeProviderType(provider_type="AZURE_OPENAI", options={"deployment": "a/b"})
        azure = ProviderTypeDescribed.model_validate_json(await world.request(question))
        question = DescribeProviderType(provider_type="GOPHER")
        gopher = ProviderTypeDescribed.model_validate_json(await world.request(question))
    assert types.types == provider_types()
    assert azure.info in types.types
    assert [problem.field for problem in azure.problems] == ["deployment"]
    assert (gopher.info, gopher.known) == (None, tuple(info.type for info in types.types))


async def test_provider_of_a_removed_type_says_so(world: World) -> None:
    async with world.gateway():
        found = await listed(world, {"type": "GOPHER"})
    assert "no provider type GOPHER; the known types are" in (found.problem or "")


async def test_invalid_request_gets_an_empty_reply_at_once(world: World) -> None:
    async with world.gateway():
        for asked in (ListModels, ListProviderTypes, DescribeProviderType, ReadCall):
            assert (await world.nats.request(asked.SUBJECT, b"\xff", timeout=WAIT_S)).data == b""
