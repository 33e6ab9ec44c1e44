"""Test that no answer makes an evaluator fail or run for long, whatever words the answer repeats."""

import contextlib
import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judge_world import command

import judge.domain as domain
import judge.evaluators as all_evaluators
from judge.domain.cannot_score import CannotScore
from judge.evaluators.base import Request
from judge.evaluators.registry import evaluators
from llmbench.contracts.answer_scored import Verdict

SENTENCES = (
    "So, let us see.",
    "Tom also likes apples, so he eats.",
    "Hence the following.",
    "The total is 7.",
    "It is 7 apples because 3 + 4 = 7; 7 is prime.",
    "The answer is B.",
    "A is wrong, so not A.",
    "Wait, no: C.",
    "Either 3 or 4, since then 5.",
    "One and a half (about 1.5).",
    "所以 7。",
    "\\boxed{7}",
    "- A: no\n- B: yes\n",
)


PARSER = importlib.import_module("re._parser")


async def _never(part: str, request: Request, *, reuse: bool = False) -> Any:
    raise AssertionError("an evaluator by program asks no model")


async def _verdict(kind: str, answer: str, params: dict[str, Any], *, question: str = "") -> Verdict:
    task = command()
    changes = {
        "evaluator": task.evaluator.model_copy(update={"kind": kind, "params": params}),
        "case": task.case.model_copy(update={"question": question, "expected_output": None, "excellent": "7, 8 and 9"}),
        "answer": answer,
        "judge": None,
    }
    return await evaluators()[kind].evaluate(task.model_copy(update=changes), _never)


def _patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for package in (domain, all_evaluators):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                    yield f"{module.name}.{name}", value


def _equal_branches(parsed: Any, *, repeated: bool = False) -> Iterator[str]:
    """Yield the duplicate branches of a regular expression's alternatives, such as `a` in `(?:a|b|a)*`.

    Only alternatives within a repetition count: there a duplicate makes matching take exponential time. `repeated` says
    that `parsed` is part of a repetition.
    """
    for operation, argument in parsed:
        match str(operation):
            case "BRANCH":
                branches = [str(list(branch)) for branch in argument[1]]
                yield from (branch for branch in set(branches) if repeated and branches.count(branch) > 1)
                for branch in argument[1]:
                    yield from _equal_branches(branch, repeated=repeated)
            case "MAX_REPEAT" | "MIN_REPEAT":
                yield from _equal_branches(argument[2], repeated=repeated or argument[1] > 10)
            case "SUBPATTERN":
                yield from _equal_branches(argument[3], repeated=repeated)
            case "ASSERT" | "ASSERT_NOT":
                yield from _equal_branches(argument[1], repeated=repeated)


@pytest.mark.parametrize("pattern", [pytest.param(each, id=name) for name, each in _patterns()])
def test_no_repeated_alternative_names_a_branch_twice(pattern: re.Pattern[str]) -> None:
    assert not list(_equal_branches(PARSER.parse(pattern.pattern, pattern.flags & ~re.UNICODE)))


def test_equal_branches_are_found() -> None:
    assert len(list(_equal_branches(PARSER.parse(r"x(?:\W|\b(?:about|ca|or|ca)\b)*\Z")))) == 1
    assert not list(_equal_branches(PARSER.parse(r"(?:ca|ca)(?:a|b)*")))


@settings(max_examples=200)
@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5))
async def test_no_answer_makes_an_evaluator_fail(sentences: list[str]) -> None:
    answer = " ".join(sentences)
    for kind, params in (
        ("numeric", {"expected": 7}),
        ("numeric", {"expected": 7, "which": "first"}),
        ("multiple_choice", {"expected": "B", "options": ["5", "6", "7", "8"]}),
        ("multiple_choice", {"expected": "B", "options": ["Rome", "Oslo"]}),
    ):
        await _verdict(kind, answer, params, question="How many apples has Tom?")


@settings(max_examples=200)
@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4))
def test_no_reference_makes_its_check_fail(sentences: list[str]) -> None:
    evaluator = evaluators()["numeric"]
    case = command().case.model_copy(update={"expected_output": None, "excellent": " ".join(sentences)})
    assert evaluator.check_reference is not None
    with contextlib.suppress(CannotScore):
        evaluator.check_reference(case, evaluator.params())


@pytest.mark.parametrize(
    ("kind", "params", "text"),
    [
        ("numeric", {"expected": 5}, "ca " * 22 + "q 5"),
        ("numeric", {"expected": 7}, ("7; " * 800 + "\n") * 10),
        ("citations", {"documents": ["a.pdf"]}, "`" * 200_000),
        ("citations", {"documents": ["a.pdf"]}, "~" * 200_000),
        ("json_schema", {"json_schema": {"type": "object"}}, "{" * 200_000),
        ("json_schema", {"json_schema": {"type": "object"}}, '{"' * 100_000),
    ],
    ids=["equal words", "reasons", "backticks", "tildes", "braces", "open objects"],
)
async def test_repeated_text_takes_little_time(kind: str, params: dict[str, Any], text: str) -> None:
    began = time.process_time()
    await _verdict(kind, text, params)
    assert time.process_time() - began < 4
