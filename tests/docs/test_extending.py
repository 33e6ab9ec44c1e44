"""Test docs/how-to/extend.md. The files that each section names for an extension exist, and are few."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from tests.architecture.repository import ROOT, files

PAGE = (ROOT / "docs" / "how-to" / "extend.md").read_text("utf-8")

MOST_FILES = 2
MOST_FILES_OF = {"A resource": 8, "A figure of a call": 4}
"""The maximum numbers of files for extensions that need more than others, because they span several services."""

ROW = re.compile(r"^\| \[([^\]]+)\]\(#([\w-]+)\) \|", re.MULTILINE)
HEADING = re.compile(r"^## (.+)\n", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```\n?", re.MULTILINE | re.DOTALL)
CHANGE = re.compile(r"^ (\S+) +\| +(new|changed)$", re.MULTILINE)
TOTAL = re.compile(r"^ (\d+) files?$", re.MULTILINE)
CODE = re.compile(r"`([\w./<>-]+)`")
HOLE = re.compile(r"<\w+>")


@dataclass(frozen=True)
class Section:
    """A section of the page: its heading, and the text below it."""

    title: str
    body: str

    @property
    def anchor(self) -> str:
        return re.sub(r"[^\w\- ]", "", self.title.lower()).replace(" ", "-")

    def changed(self) -> list[str]:
        """Return the files that the section's example changes: the files in its list or, without a list, the files that
        its text names."""
        return [path for path, _ in CHANGE.findall(self.body)] or self.named()

    def totals(self) -> list[int]:
        return [int(total) for total in TOTAL.findall(self.body)]

    def named(self) -> list[str]:
        """Return the files and folders that the text names, except those in code blocks."""
        words = dict.fromkeys(CODE.findall(FENCE.sub("", self.body)))
        return [word for word in words if not word.startswith("/") and re.search(r"\w/\w|\w>?\.(py|tsx?|md)$", word)]


def sections(page: str) -> Iterator[Section]:
    """Yield the sections of a page.

    >>> [section.title for section in sections("# Page\\n\\n## A screen\\n\\nText.\\n")]
    ['A screen']
    """
    _, *parts = HEADING.split(page)
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        yield Section(title, body)


SECTIONS = list(sections(PAGE))
every_section = pytest.mark.parametrize("section", SECTIONS, ids=[section.title for section in SECTIONS])


@cache
def places() -> frozenset[str]:
    """Return the path of every file and folder of the repository, with a slash before it."""
    return frozenset(f"/{place}" for path in files() for place in (path, *path.parents))


def exists(name: str) -> bool:
    """Return whether the repository has a file or folder whose path ends with this name. `<…>` in it stands for any
    part of a name."""
    parts = (re.escape(part) for part in HOLE.split(name.strip("/")))
    pattern = re.compile(".*/" + "[^/]+".join(parts))
    return any(map(pattern.fullmatch, places()))


def test_table_rows_and_sections_correspond() -> None:
    assert [anchor for _, anchor in ROW.findall(PAGE)] == [section.anchor for section in SECTIONS]
    assert len(SECTIONS) >= 13


@every_section
def test_files_mentioned_in_a_section_exist(section: Section) -> None:
    assert not [name for name in {*section.changed(), *section.named()} if not exists(name)]


@every_section
def test_number_of_changed_files_is_correct_and_small(section: Section) -> None:
    changed = section.changed()
    assert changed
    assert len(set(changed)) == len(changed)
    assert len(changed) <= MOST_FILES_OF.get(section.title, MOST_FILES)
    assert section.totals() in ([], [len(changed)])


@every_section
def test_files_listed_in_a_section_have_complete_paths(section: Section) -> None:
    """The paths in the list of files must be complete, so that a reader can open the files."""
    assert not [path for path, _ in CHANGE.findall(section.body) if f"/{path}" not in places()]


def test_file_lists_are_found_in_the_sections() -> None:
    listed = [section for section in SECTIONS if section.totals()]
    assert len(listed) >= 12


def test_missing_files_are_detected() -> None:
    text_ = "Write `services/judge/judge/evaluators/<kind>.py` and `services/judge/<kind>/nothing.py`.\n"
    assert [exists(name) for name in Section("A thing", text_).named()] == [True, False]
