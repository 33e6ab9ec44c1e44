"""Test that the nesting depth of a JSON text is measured correctly, for any content of its strings and any encoding."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmbench.http.json_depth import nests_deeper

VALUES = st.recursive(
    st.none() | st.integers() | st.text() | st.sampled_from(['"[{', "\\", '\\"]', "\ud800["]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


@given(VALUES, st.booleans(), st.sampled_from(["utf-8", "utf-16", "utf-16-le", "utf-32", "utf-32-be"]))
def test_nesting_depth_equals_that_of_the_parsed_value(value: Any, ascii: bool, encoding: str) -> None:
    body = json.dumps(value, ensure_ascii=ascii).encode(encoding, "surrogatepass")
    assert json.loads(body) == value
    depth = _depth(value)
    assert not nests_deeper(body, depth)
    assert nests_deeper(body, depth - 1) or depth == 0


@pytest.mark.parametrize("body", [b"", b"\xff", b"]]]]", b'"\\', b"\xff\xfe\x00"])
def test_invalid_json_is_not_reported_as_too_deep(body: bytes) -> None:
    assert not nests_deeper(body, 1)


def test_unterminated_string_is_scanned_once() -> None:
    # Searching again from each quotation mark would take 250,000,000,000 steps.
    assert nests_deeper(b'[["' + b'\\"' * 500_000, 1)
