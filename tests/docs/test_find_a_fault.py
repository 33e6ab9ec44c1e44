"""Test that every log line quoted in docs/how-to/find-a-fault.md occurs in the source file that the page names for
it."""

import re
from functools import cache

import pytest

from llmbench_cli.embedded.binaries import checkout

ROOT = checkout()
PAGE = ROOT / "docs" / "how-to" / "find-a-fault.md"
ROOMS = ("libs", "services", "cli")

ROW = re.compile(r"^\|(?: \d+ \|)? `([^`]+)` \| [^|]+ \| `([\w.]+)` \|", re.MULTILINE)
HOLE = re.compile(r"\s*…\s*")


@cache
def sources(name: str) -> tuple[str, ...]:
    """Return the text of each source file with this name, tests excepted."""
    return tuple(
        path.read_text("utf-8")
        for room in ROOMS
        for path in (ROOT / room).rglob(name)
        if "tests" not in path.relative_to(ROOT).parts
    )


def parts(line: str) -> list[str]:
    """Return the fixed parts of a quoted line, in order; `…` stands for a variable part.

    >>> parts("run … could not be reconciled; trying again")
    ['run', 'could not be reconciled; trying again']
    """
    return [part for part in HOLE.split(line) if part]


def pattern(line: str) -> re.Pattern[str]:
    """Return a regular expression that finds a quoted log line in the source code: its fixed parts, with any text
    between them, in one string literal."""
    return re.compile(r"[^\n\"]*?".join(re.escape(part) for part in parts(line)))


@pytest.mark.parametrize(("line", "file"), ROW.findall(PAGE.read_text("utf-8")))
def test_quoted_log_line_occurs_in_its_file(line: str, file: str) -> None:
    assert any(pattern(line).search(text) for text in sources(file))


def test_page_quotes_many_log_lines() -> None:
    assert len(ROW.findall(PAGE.read_text("utf-8"))) > 30


def test_changed_log_line_is_detected() -> None:
    assert not any(pattern("run … could not be reconciled at all").search(text) for text in sources("leadership.py"))
