"""Run the examples in docstrings of every module."""

import doctest
import importlib
from collections.abc import Iterator

import pytest

from llmbench_cli.embedded.services import SERVICES
from tests.architecture.repository import ROOT

PACKAGES = (
    "benchmarks",
    "cli/llmbench_cli",
    "libs/common/llmbench",
    *(f"services/{name}/{name.replace('-', '_')}" for name in SERVICES),
    "tests",
    "tools",
)


def with_examples() -> Iterator[str]:
    """Yield the names of all modules with an example in a docstring."""
    for package in PACKAGES:
        parent = (ROOT / package).parent if "/" in package else ROOT
        for file in sorted((ROOT / package).rglob("*.py")):
            if "\n    >>> " in file.read_text("utf-8"):
                yield ".".join(file.relative_to(parent).with_suffix("").parts)


@pytest.mark.parametrize("name", list(with_examples()))
def test_examples_are_true(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted
    assert not result.failed
