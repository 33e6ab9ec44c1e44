"""Test that an answer is read identically however the network splits it, and always within limits."""

import contextlib
import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from inference_gateway.domain.draft import BrokenOff, Draft, NotACompletion
from inference_gateway.domain.embedding_answer import NoEmbeddings, read_embeddings
from inference_gateway.domain.framing import (
    ANSWER_LIMIT_BYTES,
    LINE_LIMIT_BYTES,
    AnswerTooLarge,
    JsonLines,
    ServerSentEvents,
)
from inference_gateway.domain.http_call import Dialect
from inference_gateway.domain.reading import Reading
from inference_gateway.domain.redaction import redacted
from inference_gateway.domain.text import one_line, storable, storable_json


def pieces(raw: bytes, cuts: list[int]) -> list[bytes]:
    marks = sorted({min(cut, len(raw)) for cut in cuts} | {0, len(raw)})
    return [raw[start:end] for start, end in itertools.pairwise(marks)]


def events(raw: bytes, cuts: list[int]) -> list[bytes]:
    framing = ServerSentEvents()
    found = [event for piece in pieces(raw, cuts) for event in framing.feed(piece)]
    return found + list(framing.close())


cut_lists = st.lists(st.integers(0, 2000), max_size=40)
payloads = st.lists(
    st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), min_size=1), max_size=8
)


@given(payloads, cut_lists, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_chunking_does_not_change_the_events(given_: list[str], cuts: list[int], end: str, comments: bool) -> None:
    comment = f": keep-alive{end}" if comments else ""
    raw = "".join(f"{comment}event: message{end}data: {text}{end}{end}" for text in given_).encode()
    assert events(raw, cuts) == [text.encode() for text in given_]


@given(st.binary(max_size=500), cut_lists)
def test_chunking_of_arbitrary_bytes_does_not_change_the_events(raw: bytes, cuts: list[int]) -> None:
    assert events(raw, cuts) == events(raw, [])


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=3), max_size=6), cut_lists)
def test_chunking_does_not_change_json_lines(values: list[dict[str, str]], cuts: list[int]) -> None:
    raw = "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode("utf-8", "replace")
    framing = JsonLines()
    found = [line for piece in pieces(raw, cuts) for line in framing.feed(piece)] + list(framing.close())
    assert [json.loads(line) for line in found] == values


def test_server_sent_events_are_parsed_as_specified() -> None:
    raw = b"\xef\xbb\xbfdata:no space\n\ndata: two\ndata: lines\n\nid: 7\n\n"
    raw += b"data\n\ndata: \xe2\x80\xa8 stays\n\ndata: last"
    assert events(raw, []) == [b"no space", b"two\nlines", b"", b"\xe2\x80\xa8 stays", b"last"]


def test_length_of_a_line_and_of_an_answer_is_limited() -> None:
    with pytest.raises(AnswerTooLarge, match="line over 1 MiB"):
        list(ServerSentEvents().feed(b"data: " + b"x" * LINE_LIMIT_BYTES))
    framing = ServerSentEvents()
    event = b"data: " + b"x" * 1016 + b"\n\n"
    for _ in range(ANSWER_LIMIT_BYTES // len(event)):
        assert list(framing.feed(event)) == [b"x" * 1016]
    with pytest.raises(AnswerTooLarge, match="answer over 4 MiB"):
        list(framing.feed(event))
    not_streamed = Reading(Dialect.OPENAI, "application/json")
    with pytest.raises(AnswerTooLarge):
        not_streamed.feed(b"x" * (ANSWER_LIMIT_BYTES + 1), 0)


def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    body = {"id": "c1", "model": "m-2", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


def read(
    raw: bytes, content_type: str = "text/event-stream; charset=utf-8", dialect: Dialect = Dialect.OPENAI
) -> Draft:
    reading = Reading(dialect, content_type)
    for at, start in enumerate(range(0, len(raw), 50)):
        reading.feed(raw[start : start + 50], at)
    reading.close(999)
    return reading.draft


STREAM = (
    chunk({"role": "assistant", "content": ""})
    + chunk({"reasoning_content": "Hm."})
    + chunk({"content": "4"})
    + chunk({"content": "2"}, "stop")
    + b'data: {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2, '
    + b'"completion_tokens_details": {"reasoning_tokens": 1}}}\n\ndata: [DONE]\n\n'
)


def test_stream_is_read_into_a_draft() -> None:
    draft = read(STREAM)
    assert ("".join(draft.content), "".join(draft.reasoning)) == ("42", "Hm.")
    assert (draft.finish_reason, draft.model, draft.finished) == ("stop", "m-2", True)
    assert draft.usage is not None
    assert draft.usage.model_dump() == {
        "prompt_tokens": 3,
        "completion_tokens": 2,
        "reasoning_tokens": 1,
        "cached_prompt_tokens": None,
        "source": "reported",
    }
    assert draft.first_token_s is not None
    assert draft.first_content_s is not None
    assert draft.first_token_s < draft.first_content_s
    assert draft.meta["id"] == "c1"


def test_empty_events_are_ignored() -> None:
    assert read(b"data:\n\n" + STREAM).finished


def test_event_stream_with_wrong_content_type_is_read() -> None:
    assert read(STREAM, "text/plain").finished


@pytest.mark.parametrize(
    ("raw", "content_type", "words"),
    [
        (b"", "text/event-stream", "before the answer was complete"),
        (b"data: {oops\n\n", "text/event-stream", "not JSON"),
        (b"data: [1]\n\n", "text/event-stream", "not an object"),
        (b"", "application/json", "empty"),
        (b"<html>", "text/html", "text/html"),
        (b"{}", "application/json", "no choices"),
        (b"[]", "application/json", "not an object"),
        (b'{"choices": {}}', "application/json", "no choices"),
        (b'{"choices": [7]}', "application/json", "not an object"),
        (b'{"choices": [{"message": "text"}]}', "application/json", "not an object"),
        (b"[" * 100_000, "application/json", "nested more than 50 deep"),
    ],
)
def test_response_that_is_no_completion_is_refused(raw: bytes, content_type: str, words: str) -> None:
    with pytest.raises(NotACompletion, match=words):
        read(raw, content_type)


def test_stream_that_ends_during_the_answer_is_broken_off() -> None:
    with pytest.raises(BrokenOff, match="its stream ended"):
        read(chunk({"content": "4"}), "text/event-stream")


def test_complete_answer_with_odd_content_is_read() -> None:
    body = {
        "choices": [{"message": {"content": [{"type": "text", "text": "4"}, {"text": "2"}], "reasoning": "R"}}],
        "usage": {"prompt_tokens": -1, "completion_tokens": True},
    }
    draft = read(json.dumps(body).encode(), "application/json")
    assert ("".join(draft.content), draft.reasoning, draft.usage) == ("42", ["R"], None)
    assert draft.first_token_s is None


def test_native_stream_of_ollama_is_read() -> None:
    lines = [
        {"model": "q", "message": {"role": "assistant", "content": "", "thinking": "Hm."}, "done": False},
        {"model": "q", "message": {"role": "assistant", "content": "42"}, "done": False},
        {
            "model": "q",
            "message": {"content": ""},
            "done": True,
            "done_reason": "length",
            "prompt_eval_count": 5,
            "eval_count": 7,
        },
    ]
    draft = read(b"".join(json.dumps(line).encode() + b"\n" for line in lines), "application/x-ndjson", Dialect.OLLAMA)
    assert ("".join(draft.content), draft.finish_reason) == ("42", "length")
    assert draft.usage is not None
    assert (draft.usage.prompt_tokens, draft.usage.completion_tokens) == (5, 7)
    with pytest.raises(NotACompletion):
        read(json.dumps(lines[0]).encode(), "application/x-ndjson", Dialect.OLLAMA)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


@given(st.sampled_from(list(Dialect)), json_values)
def test_any_json_is_read_or_refused_as_no_completion(dialect: Dialect, value: Any) -> None:
    for wrapped in (value, {"choices": value}, {"choices": [{"message": value}]}, {"message": value, "error": value}):
        try:
            read(json.dumps(wrapped).encode(), "application/json", dialect)
        except NotACompletion:
            continue


# JSON allows numbers that fit neither a float nor a database integer, and Python's parser accepts NaN.
odd_numbers = st.sampled_from(
    ["1" + "0" * 400, "-1" + "0" * 4000, "1e400", "-1e400", "1e-400", "NaN", "Infinity", "-0"]
)


@given(odd_numbers)
@pytest.mark.shows("S-14")
def test_extreme_number_does_not_prevent_reading_the_answer(number: str) -> None:
    """An answer must be readable even if it contains an extreme number. Otherwise it would be requested, and paid for,
    again and again."""
    usage = f'{{"prompt_tokens": {number}, "completion_tokens": {number}, "total_tokens": {number}, "cost": {number}}}'
    token = f'{{"token": "4", "logprob": {number}, "top_logprobs": [{{"token": "5", "logprob": {number}}}]}}'
    message = '"message": {"content": "42"}, "finish_reason": "stop"'
    openai = (
        f'{{"choices": [{{{message}, "logprobs": {{"content": [{token}]}}}}], "usage": {usage}, "timings": {number}}}'
    )
    ollama = f'{{{message}, "done": true, "logprobs": [{token}], "eval_count": {number}, "total_duration": {number}}}'
    for text, dialect in ((openai, Dialect.OPENAI), (ollama, Dialect.OLLAMA)):
        draft = read(text.encode(), "application/json", dialect)
        assert "".join(draft.content) == "42"
        to_json(storable_json(draft.meta), inf_nan_mode="null")
    vectors = f'{{"data": [{{"embedding": [{number}], "index": {number}}}], "usage": {usage}}}'
    with contextlib.suppress(NoEmbeddings):
        read_embeddings(vectors.encode(), texts=1)


@pytest.mark.parametrize("depth", [51, 400, 900, 100_000])
def test_response_nested_too_deeply_is_refused(depth: int) -> None:
    nest = "[" * depth + "]" * depth
    whole = f'{{"choices": [{{"message": {{"content": "42"}}}}], "timings": {nest}}}'.encode()
    for raw, content_type in ((whole, "application/json"), (b"data: " + whole + b"\n\n", "text/event-stream")):
        with pytest.raises(NotACompletion, match="nested more than 50 deep"):
            read(raw, content_type)
    with pytest.raises(NoEmbeddings, match="nested more than 50 deep"):
        read_embeddings(whole, texts=1)


@given(st.text(st.characters()))
def test_stored_text_contains_only_what_postgresql_can_store(text: str) -> None:
    stored = storable(text + "\ud83d\x00")
    assert "\x00" not in stored
    stored.encode()
    if text.isprintable():
        assert stored.startswith(text[:-1])


def test_surrogate_pair_split_in_two_becomes_its_character() -> None:
    assert storable("\ud83d" + "\ude00") == "\U0001f600"
    assert storable("\ude00\ud83d") == "\ufffd\ufffd"


@given(st.text(), st.integers(1, 600))
def test_one_line_returns_a_single_line_within_the_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert "\n" not in line
    whole = " ".join(storable(text).split())
    assert line == (whole if len(whole) <= limit else f"{whole[: limit - 1]}…")


def test_one_line_shows_what_follows_much_white_space_or_that_it_is_cut() -> None:
    assert one_line("cause" + " \n" * 5_000 + "what to do", 20) == "cause what to do"
    assert one_line("cause" + " \n" * 5_000 + "what to do", 10) == "cause wha…"
    assert one_line("\ud83d\ude00" * 40, 20) == "\U0001f600" * 19 + "…"


def test_only_secrets_are_redacted() -> None:
    assert redacted("Bearer is not abc-123-def", ["Bearer abc-123-def"]) == "Bearer is not •••"
