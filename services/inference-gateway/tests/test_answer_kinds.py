"""Test that answers other than plain text (tool calls, JSON, media, only reasoning) are recognised and stored."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from gateway_world import World
from hypothesis import given
from hypothesis import strategies as st

from inference_gateway.domain.classify import RequestFacts, answer_texts, classify
from inference_gateway.domain.http_call import Dialect, Exchange
from inference_gateway.domain.reading import Reading
from llmbench.contracts.outcome import Answered, Outcome, Refused

ASKED = RequestFacts(url="http://host/v1", model="m", prompt_characters=4, now=datetime(2026, 1, 1, tzinfo=UTC))
CALLS = (
    '{"tool_calls":[{"arguments":{"city":"Paris","unit":"celsius"},"name":"get_weather"},'
    '{"arguments":{"zone":"Europe/Paris"},"name":"get_time"}]}'
)


def read_complete(message: Any, finish: str | None = "stop", **more: Any) -> tuple[Outcome, str, str | None]:
    body = {"choices": [{"message": message, "finish_reason": finish}], **more}
    return read_answer(Dialect.OPENAI, "application/json", [json.dumps(body).encode()])


def streamed(*deltas: Any, finish: str = "stop") -> tuple[Outcome, str, str | None]:
    events = [{"choices": [{"delta": delta}]} for delta in deltas]
    events.append({"choices": [{"delta": {}, "finish_reason": finish}]})
    lines = [b"data: " + json.dumps(event).encode() + b"\n\n" for event in events]
    return read_answer(Dialect.OPENAI, "text/event-stream", [*lines, b"data: [DONE]\n\n"])


def read_answer(dialect: Dialect, content_type: str, chunks: list[bytes]) -> tuple[Outcome, str, str | None]:
    reading = Reading(dialect, content_type)
    for at, chunk in enumerate(chunks):
        reading.feed(chunk, at / 10)
    reading.close(1.0)
    return (classify(Exchange(200, draft=reading.draft, total_s=1.0), ASKED), *answer_texts(reading.draft))


def call(name: str, arguments: Any, **more: Any) -> dict[str, Any]:
    return {**more, "type": "function", "function": {"name": name, "arguments": arguments}}


THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
MESSAGES: list[tuple[dict[str, Any], str, str, str | None]] = [
    ({"content": "42"}, "text", "42", None),
    ({"content": None, "tool_calls": [call("f", '{"b": 1, "a": 2}', id="1")]}, "tool_calls", '{"a":2,"b":1}', None),
    ({"content": "Looking.", "tool_calls": [call("f", "{}")]}, "tool_calls", "Looking.\n{", None),
    ({"content": "", "tool_calls": [call("f", {"x": 1})]}, "tool_calls", '{"x":1}', None),
    ({"content": "", "tool_calls": [call("f", '{"x": ')]}, "tool_calls", '"{\\"x\\": "', None),
    ({"content": None, "function_call": {"name": "f", "arguments": "{}"}}, "tool_calls", '"name":"f"', None),
    ({"content": [{"type": "tool_use", "id": "1", "name": "f", "input": {"x": 1}}]}, "tool_calls", '{"x":1}', None),
    (
        {"content": None, "tool_calls": [{"type": "custom", "custom": {"name": "f", "input": "ls"}}]},
        "tool_calls",
        '"ls"',
        None,
    ),
    ({"content": 42}, "json", "42", None),
    ({"content": 0}, "json", "0", None),
    ({"content": False}, "json", "false", None),
    ({"content": {"b": 1, "a": [2]}}, "json", '{"a":[2],"b":1}', None),
    ({"content": ["Paris", "Rome"]}, "json", '["Paris","Rome"]', None),
    ({"content": [{"name": "Paris"}]}, "json", '[{"name":"Paris"}]', None),
    ({"content": [{"type": "text", "text": "4"}, {"type": "text", "text": "2"}]}, "text", "42", None),
    ({"content": [{"type": "output_text", "text": "42", "annotations": []}]}, "text", "42", None),
    ({"content": [{"type": "text", "text": {"value": "42"}}]}, "text", "42", None),
    ({"content": {"type": "text", "text": "42"}}, "text", "42", None),
    ({"content": [THOUGHT, {"type": "text", "text": "42"}]}, "text", "42", "Hm."),
    ({"content": [THOUGHT]}, "reasoning", "", "Hm."),
    ({"content": [{"type": "thinking", "thinking": "Hm.", "signature": "x"}, "42"]}, "text", "42", "Hm."),
    ({"content": None, "reasoning": "Hm."}, "reasoning", "", "Hm."),
    ({"content": "", "reasoning_content": [{"type": "text", "text": "Hm."}]}, "reasoning", "", "Hm."),
    ({"content": " \n", "reasoning_details": [{"type": "reasoning.text", "text": "Hm."}]}, "reasoning", " \n", "Hm."),
    ({"content": "<think>Hm."}, "reasoning", "", "Hm."),
    ({"content": "", "images": [{"type": "image_url", "image_url": {"url": "data:x"}}]}, "media", "", None),
    ({"content": [{"type": "image_url", "image_url": {"url": "data:x"}}]}, "media", "", None),
    ({"content": None, "audio": {"id": "a", "data": "x", "transcript": "Forty-two."}}, "media", "Forty-two.", None),
    ({"content": [{"type": "output_audio", "transcript": "42"}]}, "media", "42", None),
    ({"content": None}, "empty", "", None),
    ({"content": ""}, "empty", "", None),
    ({}, "empty", "", None),
]


@pytest.mark.parametrize(("message", "kind", "text", "reasoning"), MESSAGES)
def test_answer_has_the_same_kind_complete_and_streamed(
    message: dict[str, Any], kind: str, text: str, reasoning: str | None
) -> None:
    for outcome, content, thought in (read_complete(message), streamed({"role": "assistant"}, message)):
        assert isinstance(outcome, Answered)
        assert outcome.answer_kind == kind
        assert content == text if kind != "tool_calls" else text in content
        assert (outcome.preview, thought) == (content, reasoning)


@pytest.mark.parametrize(
    "pieces",
    [
        # OpenAI numbers the calls, sends the name first, and the arguments in pieces.
        [
            call("f", "", index=0, id="a"),
            call("", '{"x"', index=0),
            call("", ": 1}", index=0),
            call("g", "{}", index=1),
        ],
        # Gemini numbers all calls 0 and gives each its own id.
        [call("f", '{"x": 1}', index=0, id="a"), call("g", "{}", index=0, id="b")],
        # The calls have neither a number nor an id.
        [call("f", {"x": 1}), call("g", {})],
        # Every piece repeats the id and the name of its call.
        [call("f", '{"x"', index=0, id="a"), call("f", ": 1}", index=0, id="a"), call("g", "{}", index=1, id="b")],
        # The pieces of two calls alternate.
        [
            call("f", "", index=0, id="a"),
            call("g", "", index=1, id="b"),
            call("", '{"x": 1', index=0),
            call("", "{}", index=1),
            call("", "}", index=0),
        ],
    ],
)
def test_tool_calls_are_assembled_however_their_pieces_are_numbered(pieces: list[dict[str, Any]]) -> None:
    outcome, content, _ = streamed(*({"tool_calls": [piece]} for piece in pieces), finish="tool_calls")
    assert content == '{"tool_calls":[{"arguments":{"x":1},"name":"f"},{"arguments":{},"name":"g"}]}'
    assert isinstance(outcome, Answered)
    assert outcome.timings.first_content_ms == 0


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS", "model_length", "max_output_tokens"])
def test_truncated_answer_is_recognised_by_every_finish_reason(reason: str) -> None:
    outcome, _, _ = read_complete({"content": "The answer is"}, reason)
    assert isinstance(outcome, Answered)
    assert outcome.cut


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "eos_token", None])
def test_other_finish_reasons_are_stored_unchanged(reason: str | None) -> None:
    outcome, _, _ = read_complete({"content": "42"}, reason)
    assert isinstance(outcome, Answered)
    assert (outcome.cut, outcome.finish_reason) == (False, reason)


@pytest.mark.parametrize("reason", ["content_filter", "SAFETY", "refusal"])
def test_content_filter_is_a_refusal_under_every_name(reason: str) -> None:
    assert isinstance(read_complete({"content": "I"}, reason)[0], Refused)


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "refusal": "No."},
        {"content": "", "refusal": "No."},
        {"content": [{"type": "refusal", "refusal": "No."}]},
    ],
)
def test_refusal_is_read_from_field_and_from_content_part(message: dict[str, Any]) -> None:
    for outcome, _, _ in (read_complete(message), streamed(message)):
        assert outcome == Refused(message="The model refused: No.")


def test_empty_answer_with_reasoning_tokens_has_kind_reasoning() -> None:
    """An answer without text but with reasoning tokens has the kind `reasoning`. OpenAI's reasoning models send such
    an answer when they used all their tokens for reasoning."""
    usage = {
        "prompt_tokens": 4,
        "completion_tokens": 64,
        "completion_tokens_details": {"reasoning_tokens": 64},
    }
    outcome, content, _ = read_complete({"content": ""}, "length", usage=usage)
    assert isinstance(outcome, Answered)
    assert (outcome.answer_kind, outcome.cut, content) == ("reasoning", True, "")


def test_tool_calls_and_thoughts_of_ollamas_native_api_are_read() -> None:
    function = {"function": {"name": "f", "arguments": {"x": 1}}}
    said = {"message": {"content": "", "tool_calls": [function]}, "done": True}
    outcome, content, _ = read_answer(Dialect.OLLAMA, "application/json", [json.dumps(said).encode()])
    assert isinstance(outcome, Answered)
    assert (outcome.answer_kind, content) == ("tool_calls", '{"tool_calls":[{"arguments":{"x":1},"name":"f"}]}')
    thought = {"message": {"content": "", "thinking": "Hm."}, "done": True, "done_reason": "length"}
    outcome, _, reasoning = read_answer(Dialect.OLLAMA, "application/json", [json.dumps(thought).encode()])
    assert isinstance(outcome, Answered)
    assert (outcome.answer_kind, outcome.cut, reasoning) == ("reasoning", True, "Hm.")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: (
        st.lists(part, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "text", "thinking", "function", "arguments", "index", "id", "image", "x"]),
            part,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_JSON, _JSON, _JSON)
def test_any_json_content_is_read_and_can_be_stored(content: Any, calls: Any, reasoning: Any) -> None:
    message = {"content": content, "tool_calls": calls, "reasoning_content": reasoning, "audio": calls}
    for outcome, text, _ in (read_complete(message), streamed(message, message)):
        assert isinstance(outcome, Answered | Refused)
        text.encode()


@pytest.mark.parametrize("plain", ["", "-plain"])
@pytest.mark.parametrize(
    ("flag", "kind", "content", "reasoning", "cut"),
    [
        ("toolcalls", "tool_calls", CALLS, None, False),
        ("thinkonly", "reasoning", "", "Let me think about this.", True),
        ("number", "json", "42", None, False),
        ("object", "json", '{"answer":42}', None, False),
        ("image", "media", "", None, False),
        ("audio", "media", "It is forty-two.", None, False),
        ("nothing", "empty", "", None, False),
    ],
)
async def test_answer_without_text_is_accepted_after_one_call_and_stored(
    world: World, flag: str, plain: str, kind: str, content: str, reasoning: str | None, cut: bool
) -> None:
    async with world.gateway():
        outcome = (await world.ask(world.command(f"mock-0ms-{flag}{plain}"))).outcome
    assert isinstance(outcome, Answered)
    assert (outcome.answer_kind, outcome.preview, outcome.cut) == (kind, content, cut)
    (row,) = await world.rows()
    assert (row["content"], row["reasoning"]) == (content, reasoning)
    assert (await world.stats())["calls"] == 1


async def test_native_tool_calls_of_ollama_are_stored(world: World) -> None:
    provider = await world.add_provider(
        base_url=f"{world.provider_url}/ollama", type_="OLLAMA", options={"num_ctx": 512}
    )
    async with world.gateway():
        outcome = (await world.ask(world.command("mock-0ms-toolcalls", provider=provider))).outcome
    assert isinstance(outcome, Answered)
    assert (outcome.answer_kind, outcome.preview) == ("tool_calls", CALLS)


async def test_refusal_is_stored_in_the_models_words(world: World) -> None:
    async with world.gateway():
        outcome = (await world.ask(world.command("mock-0ms-refuse"))).outcome
    assert isinstance(outcome, Refused)
    (row,) = await world.rows()
    assert row["content"] == "I can't help with that."
