"""Test that each label which a how-to page quotes in italics exists in the web application."""

import re
from functools import cache
from pathlib import Path

import pytest

from llmbench_cli.embedded.binaries import checkout

ROOT = checkout()
PAGES = sorted((ROOT / "docs" / "how-to").glob("*.md"))
OTHERS = frozenset({"Serve on Local Network", "Unreleased"})
"""Labels that how-to pages quote from elsewhere: a switch of LM Studio, and a heading of the changelog."""

LABEL = re.compile(r"(?<![*\w])\*([A-Z][^*`]{2,60})\*(?!\*)")


@cache
def screens() -> str:
    return "\n".join(path.read_text("utf-8") for path in (ROOT / "web" / "src").rglob("*.ts*"))


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_labels_that_are_named_exist(page: Path) -> None:
    named = {" ".join(label.split()) for label in LABEL.findall(page.read_text("utf-8"))}
    assert not sorted(label for label in named - OTHERS if label not in screens())


def test_labels_are_found() -> None:
    assert LABEL.findall("Choose *Make primary*, **not** *this* in *Results by\nevaluator*.") == [
        "Make primary",
        "Results by\nevaluator",
    ]
