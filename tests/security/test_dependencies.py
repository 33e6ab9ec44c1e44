"""Test that every dependency is locked, has an allowed licence, and is in the committed list of licences."""

import importlib.metadata
from pathlib import Path

import pytest

from llmbench_cli.embedded.binaries import checkout
from tools.gen.licences import (
    NoLicence,
    licence_of,
    licences_page,
    npm_packages,
    python_packages,
    require_allowed,
)


@pytest.mark.shows("S-22")
def test_committed_licence_list_equals_the_locked_packages() -> None:
    (path, text) = next(iter(licences_page().items()))
    assert path == Path("docs/generated/licences.md")
    assert (checkout() / path).read_text("utf-8") == text
    for name in (*python_packages(), *(name for name, _, _ in npm_packages())):
        assert f"| {name} |" in text


def test_every_runtime_dependency_is_locked() -> None:
    listed = {name.lower().replace("_", "-") for name in python_packages()}
    asked = [
        requirement for requirement in importlib.metadata.requires("llmbench") or [] if "extra ==" not in requirement
    ]
    assert len(asked) > 30
    for requirement in asked:
        name = requirement.partition(";")[0].strip().split("[")[0].split(">")[0].split("=")[0].split("<")[0]
        assert name.lower().replace("_", "-") in listed, requirement


@pytest.mark.parametrize(
    "licence",
    [
        *("", "GPL-3.0-only", "MIT AND AGPL-3.0-only", "Proprietary", "BUSL-1.1", "(MIT", "Apache-2.0 WITH odd"),
        *("GPL-3.0-only AND (MIT OR Apache-2.0)", "(MIT OR GPL-3.0-only) AND BUSL-1.1", "MIT AND (ISC AND BUSL-1.1)"),
    ],
)
def test_forbidden_or_missing_licence_is_an_error(licence: str) -> None:
    with pytest.raises(NoLicence):
        require_allowed("x", licence)


def test_licence_expression_with_an_allowed_choice_is_allowed() -> None:
    for licence in (
        "GPL-2.0-only OR (MIT AND Apache-2.0)",
        "MIT AND (ISC OR GPL-2.0-only)",
        "((MIT OR X) AND ISC) OR Y",
    ):
        require_allowed("x", licence)
    assert licence_of("scipy") == "BSD-3-Clause"
