"""Test with a complete gateway that each failure of a provider leads to the right outcome and a helpful message."""

import asyncio

import pytest
from gateway_world import World

from llmbench.contracts.chat import ResponseSchema
from llmbench.contracts.outcome import Answered, RateLimited, Unavailable
from llmbench.contracts.read_call import CallRead, ReadCall


@pytest.mark.parametrize(
    ("model", "kind", "words"),
    [
        ("mock-0ms-401", "rejected", "Check the key"),
        ("nobody", "rejected", "Check the model name 'nobody'"),
        ("mock-0ms-500", "unavailable", "answered 500 Internal Server Error"),
        ("mock-0ms-529", "unavailable", "answered 529"),
        ("mock-0ms-408", "timed_out", "408"),
        ("mock-0ms-302", "rejected", "Redirects are not followed"),
        ("mock-0ms-overflow", "rejected", "does not fit the model's context"),
        ("mock-0ms-refuse", "refused", "I can't help with that"),
        ("mock-0ms-filtered", "refused", "content filter"),
        ("mock-0ms-badjson", "malformed", "not JSON"),
        ("mock-0ms-badjson-plain", "malformed", "not JSON"),
        ("mock-0ms-html-plain", "malformed", "not JSON but text/html"),
        ("mock-0ms-empty-plain", "malformed", "no choices"),
        ("mock-0ms-truncate", "unavailable", "was lost before the answer was complete (its stream ended)"),
        ("mock-0ms-huge", "malformed", "too large"),
        ("mock-0ms-huge-plain", "malformed", "too large"),
        ("mock-0ms-reset", "unavailable", "was lost"),
        ("mock-0ms-cut", "unavailable", "was lost"),
        ("mock-0ms-streamerror", "unavailable", "the engine died"),
    ],
)
async def test_failure_of_a_provider_has_the_right_outcome_and_message(
    world: World, model: str, kind: str, words: str
) -> None:
    async with world.gateway():
        outcome = (await world.ask(world.command(model))).outcome
    assert outcome.kind == kind
    message = outcome.message  # type: ignore[union-attr]  # every failure has a message
    assert words in message
    assert len(message) <= 500
    [row] = await world.rows()
    assert (row["content"] is None) == (kind != "refused")
    assert len(await world.ledger()) == 1


async def test_rate_limited_and_unavailable_outcomes_have_the_waiting_time(world: World) -> None:
    async with world.gateway():
        outcome = (await world.ask(world.command("mock-0ms-429-retryafter7"))).outcome
        assert isinstance(outcome, RateLimited)
        assert outcome.retry_after_s == 7
        busy = (await world.ask(world.command("mock-0ms-503-retryafter9"))).outcome
        assert isinstance(busy, Unavailable)
        assert busy.retry_after_s == 9


async def test_provider_that_never_answers_times_out(world: World) -> None:
    async with world.gateway():
        outcome = (await world.ask(world.command("mock-hang", timeout_s=0.5))).outcome
    assert outcome.kind == "timed_out"
    assert "0.5 s allowed" in outcome.message


@pytest.mark.parametrize(
    ("base_url", "kind", "words"),
    [
        ("http://127.0.0.1:9", "unavailable", "Nothing listens at http://127.0.0.1:9/v1/chat/completions"),
        ("http://no-such-host.invalid", "unavailable", "does not resolve"),
        ("not a url", "rejected", "No request was sent"),
    ],
)
async def test_unreachable_provider_is_explained(world: World, base_url: str, kind: str, words: str) -> None:
    provider = await world.add_provider(base_url=base_url)
    async with world.gateway():
        outcome = (await world.ask(world.command(provider=provider))).outcome
    assert outcome.kind == kind
    assert words in outcome.message  # type: ignore[union-attr]


async def test_https_to_a_plain_http_port_is_explained(world: World) -> None:
    provider = await world.add_provider(base_url=world.provider_url.replace("http:", "https:"))
    async with world.gateway():
        outcome = (await world.ask(world.command(provider=provider))).outcome
    assert outcome.kind == "unavailable"
    assert "No secure connection" in outcome.message


async def test_response_of_a_server_without_http_is_malformed(world: World) -> None:
    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"server_name": "as NATS greets"}\r\n')
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    provider = await world.add_provider(base_url=f"http://someone:x@127.0.0.1:{port}")
    async with server, world.gateway():
        outcome = (await world.ask(world.command(provider=provider))).outcome
    assert outcome.kind == "malformed"
    assert "does not speak HTTP" in outcome.message
    assert "@" not in outcome.message, "user and password of a URL are not shown"


@pytest.mark.parametrize("model", ["mock-0ms-nostream", "mock-0ms-nostreamoptions", "mock-0ms-plain"])
async def test_provider_that_cannot_stream_is_asked_without_streaming(world: World, model: str) -> None:
    first, second = world.command(model), world.command(model)
    async with world.gateway():
        for command in (first, second):
            outcome = (await world.ask(command)).outcome
            assert isinstance(outcome, Answered)
            assert outcome.preview.startswith("Answer-")
            assert (outcome.timings.first_token_ms is None) == (model != "mock-0ms-nostreamoptions")
    answered = [row for row in await world.ledger() if row["answered"]]
    refused = [row for row in await world.ledger() if not row["answered"]]
    assert [row["call_id"] for row in answered] == [str(first.call_id), str(second.call_id)]
    assert len(refused) == (0 if model == "mock-0ms-plain" else 1), "once found out, it is remembered"


async def test_usage_is_estimated_if_none_is_reported(world: World) -> None:
    async with world.gateway():
        outcome = (await world.ask(world.command("mock-0ms-nousage", prompt="x" * 400))).outcome
    assert isinstance(outcome, Answered)
    assert outcome.usage.source == "estimated"
    assert outcome.usage.prompt_tokens == 100
    assert outcome.usage.completion_tokens


async def test_reasoning_is_stored_separately_from_the_answer(world: World) -> None:
    async with world.gateway():
        outcome = (await world.ask(world.command("mock-100ms-think"))).outcome
    assert isinstance(outcome, Answered)
    [row] = await world.rows()
    assert row["reasoning"] == "Let me think about this."
    assert "think" not in row["content"]


async def test_special_characters_are_stored_and_published(world: World) -> None:
    command = world.command("mock-0ms-weird")
    async with world.gateway():
        event = await world.ask(command)
        assert isinstance(event.outcome, Answered)
        assert event.outcome.preview == "nul:\ufffd separator:\u2028 emoji:\U0001f600 lone:\ufffd end"
        reply = CallRead.model_validate_json(await world.request(ReadCall(call_id=command.call_id)))
        assert reply.content == event.outcome.preview


async def test_long_answer_is_previewed_and_can_be_read_completely(world: World) -> None:
    command = world.command("mock-0ms-tokens4000")
    async with world.gateway():
        event = await world.ask(command)
        assert isinstance(event.outcome, Answered)
        assert event.outcome.truncated
        assert len(event.outcome.preview.encode()) <= 4096
        reply = CallRead.model_validate_json(await world.request(ReadCall(call_id=command.call_id)))
        assert reply.content is not None
        assert reply.content.startswith(event.outcome.preview)
        assert len(reply.content) > 16_000


async def test_schema_is_enforced_by_the_provider(world: World) -> None:
    schema = ResponseSchema(
        name="verdict",
        json_schema={
            "type": "object",
            "properties": {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 0, "maximum": 10}},
            "required": ["reason", "score"],
        },
    )
    async with world.gateway():
        outcome = (await world.ask(world.command("mock-0ms", response_schema=schema))).outcome
    assert isinstance(outcome, Answered)
    assert outcome.preview.startswith('{"reason": ')


async def test_ollama_uses_its_native_api_for_native_options(world: World) -> None:
    ollama = await world.add_provider(type_="OLLAMA")
    command = world.command("mock-20ms-think", provider=ollama, options={"num_ctx": 8192})
    async with world.gateway():
        outcome = (await world.ask(command)).outcome
        assert isinstance(outcome, Answered)
        assert outcome.usage.source == "reported"
        assert outcome.timings.first_token_ms is not None
        cut = (await world.ask(world.command("mock-0ms-truncate", provider=ollama, options={"num_ctx": 1}))).outcome
        assert isinstance(cut, Unavailable)
        assert cut.cause == "connection_lost"
    row = (await world.rows())[0]
    assert row["reasoning"] == "Let me think."
    assert '"num_ctx": 8192' in row["request"]
