"""Test the checks of a case: which kinds are allowed, and the result of a check that cannot be evaluated."""

from typing import Any

import pytest

from judge.evaluators.base import UnfitParams
from judge.evaluators.registry import evaluators
from llmbench.contracts.check import WITH_CHECKS

CASE_CHECKS = evaluators()["case_checks"]
LONG: dict[str, Any] = {"kind": "latency", "params": {"max_ms": 5}}


def nested(depth: int) -> dict[str, Any]:
    return LONG if depth == 0 else {"kind": "case_checks", "params": {"checks": [nested(depth - 1)]}}


def problem(*checks: Any, **more: Any) -> str:
    with pytest.raises(UnfitParams) as unfit:
        CASE_CHECKS.facts({"checks": list(checks), **more})
    return str(unfit.value)


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ({"kind": "magic"}, "checks.1: There is no evaluator of the kind 'magic'"),
        ({"kind": "latency"}, "checks.1: latency: max_ms: is missing"),
        ({"kind": "latency", "params": {"max_ms": 0}}, "checks.1: latency: max_ms: must be at least 1"),
        ({"kind": "rubric"}, "checks.1: rubric asks a model"),
        ({"kind": "semantic_similarity", "params": {"embedding": "provider"}}, "asks a model"),
        ({"kind": "regex", "params": {"pattern": "("}}, "checks.1: regex: pattern: not a pattern of RE2"),
        ({"kind": "case_checks"}, "a set of checks needs some"),
        (
            {"kind": "contains", "params": {"text": "x"}, "parms": 1},
            "checks.1.parms: there is no field 'parms' here; did you mean 'params'?",
        ),
        ({"kind": "contains", "params": {"text": "x"}, "weight": -1}, "checks.1.weight: must be at least 0"),
        (7, "checks.1: must be an object"),
        (nested(5), "nested more than 4 deep"),
    ],
)
def test_invalid_check_is_named_by_its_position(check: Any, said: str) -> None:
    assert said in problem(LONG, check)


def test_number_of_checks_including_nested_sets_is_limited() -> None:
    many = {"kind": "case_checks", "params": {"checks": [LONG] * 60}}
    assert "more than 100 checks, those within sets included" in problem(many, many)
    assert "more than 100 checks" in problem(*[LONG] * 101)


def test_pass_share_outside_0_to_1_is_refused() -> None:
    assert "pass_share" in problem(LONG, pass_share=1.5)


def test_case_checks_apply_to_cases_with_checks_unless_parameters_have_some() -> None:
    assert CASE_CHECKS.facts({}).only == WITH_CHECKS
    assert CASE_CHECKS.facts({"checks": [nested(3)]}).only is None
    assert CASE_CHECKS.facts({}).needs_judge is False
