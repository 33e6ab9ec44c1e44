"""Test every message type with its own examples: each is parsed without loss, is frozen, and has a legal subject.

Readers of v1 ignore a field that a newer sender adds.
"""

import json
import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from llmbench.contracts.base import PREVIEW_LIMIT_BYTES, Message, preview, rfc3339
from llmbench.contracts.provider_changed import ProviderChanged
from llmbench.contracts.registry import UnknownMessage, messages, parse
from llmbench.contracts.run_event import RUN_TOPICS
from llmbench.messaging.publish import encode

MESSAGES = sorted(messages().items())
EXAMPLES = [
    pytest.param(message, example, id=f"{name}-{number}")
    for name, message in MESSAGES
    for number, example in enumerate(message.EXAMPLES)
]
SUBJECT = re.compile(r"(cmd|evt|ctl|req)(\.[A-Za-z0-9_-]+)+")


@pytest.mark.parametrize(("name", "message"), MESSAGES)
def test_message_type_has_examples_and_a_version(name: str, message: type[Message]) -> None:
    assert message.EXAMPLES
    assert re.fullmatch(r"llmbench(\.[a-z_]+)+\.v[0-9]+", name)
    assert message.__doc__ or message.SUBJECT
    assert message.model_config["frozen"]
    assert message.model_config["extra"] == "ignore"


def test_message_types_are_unique() -> None:
    assert len(MESSAGES) == len(Message.__subclasses__())


@pytest.mark.parametrize(("message", "example"), EXAMPLES)
def test_example_is_parsed_and_encoded_without_loss(message: type[Message], example: dict[str, Any]) -> None:
    parsed = parse(json.dumps(example).encode())
    assert type(parsed) is message
    assert parse(encode(parsed)) == parsed
    # No field of the example is renamed or dropped when it is sent.
    sent = json.loads(encode(parsed))
    assert _within(example, sent), sent


def _within(part: Any, whole: Any) -> bool:
    """Return whether `whole` contains everything in `part`. Fields of `part` that are null may be missing in
    `whole`."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(value is None or _within(value, whole.get(key)) for key, value in part.items())
    if isinstance(part, list | tuple) and isinstance(whole, list):
        return len(part) == len(whole) and all(map(_within, part, whole))
    return bool(part == whole)


@pytest.mark.parametrize(("message", "example"), EXAMPLES)
def test_message_is_frozen(message: type[Message], example: dict[str, Any]) -> None:
    parsed = message.model_validate(example)
    for field in message.model_fields:
        with pytest.raises(ValidationError):
            setattr(parsed, field, None)


@pytest.mark.parametrize(("message", "example"), EXAMPLES)
def test_subject_of_a_message_is_legal_and_complete(message: type[Message], example: dict[str, Any]) -> None:
    assert SUBJECT.fullmatch(message.model_validate(example).subject())


@pytest.mark.parametrize(("message", "example"), EXAMPLES)
def test_unknown_field_of_a_newer_sender_is_ignored(message: type[Message], example: dict[str, Any]) -> None:
    newer = {**example, "added_in_2031": {"by": "somebody"}}
    assert message.model_validate(newer) == message.model_validate(example)


@pytest.mark.parametrize(("message", "example"), EXAMPLES)
def test_missing_field_is_an_error(message: type[Message], example: dict[str, Any]) -> None:
    for name, field in message.model_fields.items():
        if field.is_required():
            lacking = {key: value for key, value in example.items() if key not in (name, field.alias)}
            with pytest.raises(ValidationError):
                message.model_validate(lacking)


@pytest.mark.parametrize(
    "raw", [b"", b"nope", b"[]", b"7", b"null", b"{}", b'{"type": "llmbench.unheard.of.v1"}', b"\xff"]
)
def test_foreign_message_is_reported_as_unknown(raw: bytes) -> None:
    with pytest.raises(UnknownMessage):
        parse(raw)


def test_known_type_with_an_invalid_body_is_a_validation_error() -> None:
    with pytest.raises(ValidationError):
        parse(json.dumps({"type": ProviderChanged.model_fields["type"].default, "change": "painted"}).encode())


@given(st.text(), st.integers(0, 40))
def test_preview_is_the_longest_beginning_that_fits(text: str, limit: int) -> None:
    shown, truncated = preview(text, limit)
    size = len(shown.encode("utf-8", errors="replace"))
    assert text.startswith(shown)
    assert size <= limit or not truncated
    assert truncated == (shown != text)
    if truncated:
        following = text[len(shown)]
        assert size + len(following.encode("utf-8", errors="replace")) > limit


@pytest.mark.parametrize(
    ("text", "limit", "shown"), [("aé", 2, "a"), ("aé", 3, "aé"), ("😀x", 3, ""), ("é" * 3, 5, "éé")]
)
def test_preview_never_splits_a_character(text: str, limit: int, shown: str) -> None:
    assert preview(text, limit) == (shown, shown != text)


def test_preview_is_limited_to_4_kib() -> None:
    assert preview("x" * PREVIEW_LIMIT_BYTES) == ("x" * PREVIEW_LIMIT_BYTES, False)
    assert preview("x" * (PREVIEW_LIMIT_BYTES + 1)) == ("x" * PREVIEW_LIMIT_BYTES, True)


def test_time_of_another_zone_is_written_in_utc() -> None:
    at = datetime(2026, 7, 1, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    assert rfc3339(at) == rfc3339(at.astimezone(UTC)) == "2026-06-30T23:30:00.000Z"
    assert b'"at":"2026-06-30T23:30:00.000Z"' in encode(
        ProviderChanged.model_validate(ProviderChanged.EXAMPLES[0] | {"at": at})
    )


def test_every_message_about_a_run_has_a_topic() -> None:
    about_runs = {name for name, message in messages().items() if message.SUBJECT.startswith("evt.run.")}
    assert set(RUN_TOPICS) == about_runs
    assert len(set(RUN_TOPICS.values())) == len(about_runs)
