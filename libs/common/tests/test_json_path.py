"""Test JSONPath on JSON that another system has sent: the values found, their order, and the refused features."""

from typing import Any

import pytest

from llmbench.json_path import BadPath, found, json_path

ANSWER: dict[str, Any] = {
    "answer": "30 days.",
    "data": {"sources": [{"title": "a.md"}, {"title": "b.md"}, {"url": "x"}]},
    "odd name": 1,
}


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("$.answer", ["30 days."]),
        ("$", [ANSWER]),
        ("$.data.sources[*].title", ["a.md", "b.md"]),
        ("$.data.sources[-1].url", ["x"]),
        ("$.data.sources[:2].title", ["a.md", "b.md"]),
        ("$['odd name']", [1]),
        ("$.nothing.here", []),
        ("$.answer.length", []),
        ("$.data[0]", []),
    ],
)
def test_values_at_a_path_are_found_in_order(path: str, values: list[Any]) -> None:
    assert list(found(path, ANSWER, most=10)) == values


def test_matches_are_limited_to_most() -> None:
    assert list(found("$[*]", list(range(1000)), most=3)) == [0, 1, 2]


@pytest.mark.parametrize("text", ['{"answer": 1}', "[", "plain"])
def test_string_is_not_parsed_as_json(text: str) -> None:
    assert list(found("$", text, most=2)) == [text]
    assert list(found("$.answer", text, most=2)) == []


@pytest.mark.parametrize(
    "path",
    [
        *("", "answer", "$.", "$[", " $.a", "$.a ", "$.a | $.b", "$" + ".a" * 200, "$" + "[" * 200),
        *("$..answer", "$[?@.a]", "$['a','b']", "$[*,*]", "$[0,1]", "$.a[?match(@.b, '(a+)+$')]"),
        "$[?@.a==1e999]",
    ],
)
def test_expensive_or_invalid_path_is_refused(path: str) -> None:
    with pytest.raises(BadPath, match=r"JSONPath|may only take|characters"):
        json_path(path)
