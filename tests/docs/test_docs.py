"""Test the documentation where a program can: its links, make targets, commands, names of tests, and settings."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer.main

from llmbench.db.tables import metadata
from llmbench_cli.embedded.binaries import checkout
from llmbench_cli.main import commands

ROOT = checkout()
SKIPPED = frozenset({"node_modules", "dist", "test-results", "playwright-report"})
SOURCES = frozenset({".py", ".ts", ".tsx", ".mjs", ".sh"})
PUBLIC_SETTINGS = frozenset({"LLMBENCH_PORT", "LLMBENCH_HOME", "LLMBENCH_DATABASE_URL", "LLMBENCH_NATS_URL"})
# Pictures that a checkout may not have yet, because the running platform makes them. Links to them may be broken.
PICTURES = ROOT / "docs" / "screens"

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"```[a-z]*\n(.*?)```|`([^`\n]+)`", re.DOTALL)
SETTING = re.compile(r"LLMBENCH_[A-Z0-9_]*[A-Z0-9]")
TEST = re.compile(r"`(test_[a-z0-9_]+)`")


def _files(folder: Path = ROOT) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_symlink():
            continue
        if path.is_dir():
            # Hidden folders belong to tools, not to the repository.
            if path.name not in SKIPPED and not path.name.startswith("."):
                yield from _files(path)
        else:
            yield path


FILES = list(_files())
PAGES = [path for path in FILES if path.suffix == ".md"]
IDS = [str(page.relative_to(ROOT)) for page in PAGES]
every_page = pytest.mark.parametrize("page", PAGES, ids=IDS)


def _code(page: Path) -> str:
    """Return the code blocks and inline code of a page. Commands are searched for only there."""
    return "\n".join(block or inline for block, inline in CODE.findall(page.read_text("utf-8")))


def _targets() -> set[str]:
    return set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_links_have_a_target(page: Path) -> None:
    broken = []
    for link in LINK.findall(FENCE.sub("", page.read_text("utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if target.is_relative_to(PICTURES) and not PICTURES.exists():
            continue
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in _anchors(target)):
            broken.append(link)
    assert not broken


@every_page
def test_mentioned_make_targets_exist(page: Path) -> None:
    named = set(re.findall(r"\bmake ([a-z][a-z0-9-]*)", _code(page)))
    assert named <= _targets()


@every_page
def test_mentioned_commands_exist(page: Path) -> None:
    known = set(typer.main.get_command(commands).commands)  # type: ignore[attr-defined]  # a group, always
    named = set(re.findall(r"(?:^|[ /(])llmbench ([a-z][a-z-]*)", _code(page), re.MULTILINE))
    # `llmbench in <home>` and `llmbench cannot start` are quoted output, not commands.
    assert named - {"in", "cannot"} <= known


@every_page
def test_mentioned_settings_exist(page: Path) -> None:
    named = set(SETTING.findall(page.read_text("utf-8")))
    assert named <= _known_settings()


@every_page
def test_mentioned_tests_exist(page: Path) -> None:
    # One table's name begins with `test_`, and so do its fields: these names are no tests.
    tables = tuple(name for name in metadata.tables if name.startswith("test_"))
    named = {name for name in TEST.findall(page.read_text("utf-8")) if not name.startswith(tables)}
    assert named <= _known_tests()


def test_public_settings_are_documented() -> None:
    assert set(SETTING.findall((ROOT / "README.md").read_text("utf-8"))) >= PUBLIC_SETTINGS
    assert set(SETTING.findall((ROOT / "docs/generated/settings.md").read_text("utf-8"))) >= PUBLIC_SETTINGS


def test_every_decision_is_in_the_index() -> None:
    folder = ROOT / "docs" / "decisions"
    assert set(LINK.findall((folder / "README.md").read_text("utf-8"))) == {
        page.name for page in folder.glob("[0-9]*.md")
    }


def _texts(files: Iterator[Path]) -> Iterator[str]:
    for path in files:
        yield path.read_text("utf-8", errors="replace")


@cache
def _known_settings() -> set[str]:
    """Return the settings of the generated page, and other settings that the source code mentions."""
    generated = SETTING.findall((ROOT / "docs/generated/settings.md").read_text("utf-8"))
    code = (path for path in FILES if path.suffix in SOURCES and path != Path(__file__))
    return {*generated, *(name for text in _texts(code) for name in SETTING.findall(text))}


@cache
def _known_tests() -> set[str]:
    files = (path for path in FILES if path.name.startswith("test_") and path.suffix == ".py")
    named = {path.stem for path in FILES if path.name.startswith("test_")}
    return named | {name for text in _texts(files) for name in re.findall(r"def (test_\w+)", text)}
