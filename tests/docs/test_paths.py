"""Test that the source files which the documentation names exist. The documentation may name only the end of a path."""

import re
from functools import cache
from pathlib import Path

import pytest

from llmbench_cli.embedded.binaries import checkout

ROOT = checkout()
PAGES = [
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs" / "decisions").glob("*.md")),
    *sorted((ROOT / "docs" / "how-to").glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
FOLDERS = ("libs", "services", "cli", "web", "tests", "tools", "benchmarks", "scripts", "deploy")
SKIPPED = frozenset({"node_modules", "dist", "__pycache__"})

SOURCE = re.compile(r"`([\w./-]+\.(?:py|tsx?|sh))`")


@cache
def sources() -> frozenset[str]:
    """Return the path of every source file, relative to the checkout and with a slash before it."""
    return frozenset(
        f"/{path.relative_to(ROOT)}"
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".ts", ".tsx", ".sh"} and not SKIPPED & set(path.relative_to(ROOT).parts)
    )


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_mentioned_source_files_exist(page: Path) -> None:
    named = set(SOURCE.findall(page.read_text("utf-8")))
    assert not sorted(name for name in named if not any(path.endswith(f"/{name}") for path in sources()))
