"""Run the doctests of functions without side effects."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "name",
    [
        *("embedded.backoff", "embedded.model", "demo.tasks", "runs.comparison", "runs.reports", "runs.result_tables"),
        *("ci.annotations", "ci.ci_file", "ci.markdown"),
    ],
)
def test_doctests_of_the_module_pass(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"llmbench_cli.{name}"))
    assert result.attempted
    assert not result.failed
