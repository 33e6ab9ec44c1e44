"""Test the prose linter `tools.language`: it reports each bad example and accepts each good one."""

from pathlib import Path

import pytest

from tools.language import Finding, Passage, check, findings, main, python_passages, typescript_passages

WORDS_30 = " ".join(["word"] * 30)


def _rules(text: str, *, is_docstring: bool = True) -> list[str]:
    return [finding.rule for finding in findings(Passage(1, text, is_docstring))]


@pytest.mark.parametrize(
    "text",
    [
        "Of each run, the newest event.",
        "What a run is made of.",
        "Whose turn it is.",
        "That which the judge reads.",
        "Where the files are.",
        "Whether the run has ended.",
        "By name.",
        "the row as JSON",
        "Kept for an hour.",
        "Return the row. What is null is left out.",
    ],
)
def test_headless_docstring_is_found(text: str) -> None:
    assert _rules(text) == ["headless"]


@pytest.mark.parametrize(
    "text",
    [
        "Return the newest event of each run.",
        "The parts of a run.",
        "True when the run has ended.",
        "`None` for a run that never started.",
        "n-grams of the text.",
        "Write nothing. In a transaction, a second call waits.",
        "HTTP_JSON: a client for JSON.",
    ],
)
def test_docstring_that_begins_with_a_verb_or_a_noun_passes(text: str) -> None:
    assert _rules(text) == []


def test_comment_may_begin_with_a_clause_but_not_without_a_subject() -> None:
    assert _rules("In a transaction, a second call waits.", is_docstring=False) == []
    assert _rules("Of these, one is enough.", is_docstring=False) == ["headless"]


def test_sentence_of_more_than_30_words_is_found() -> None:
    assert _rules(f"The {WORDS_30}.") == ["long"]
    assert _rules(f"The\n{WORDS_30}.", is_docstring=False) == ["long"]


@pytest.mark.parametrize(
    "text",
    [
        WORDS_30.capitalize() + ".",
        f"Return {WORDS_30[:60]}. The {WORDS_30[:80]}.",
        f"Return `one two three` {WORDS_30[:-10]}.",
        f'Return "one two three" {WORDS_30[:-10]}.',
        f"Read https://example.org/a.b?c=d {WORDS_30[:-10]}.",
        "Yield:\n" + "\n".join(f"- {WORDS_30[:60]}" for _ in range(3)),
        f"Return.\n\n>>> f()\n{WORDS_30} {WORDS_30}",
        f"Run:\n\n    {WORDS_30} {WORDS_30}\n",
    ],
)
def test_sentence_of_at_most_30_words_passes(text: str) -> None:
    assert _rules(text) == []


@pytest.mark.parametrize("abbreviation", ["e.g. This", "et al. Title", "i.e. Another", "J. Smith"])
def test_abbreviation_does_not_end_a_sentence(abbreviation: str) -> None:
    assert _rules(f"The {WORDS_30[:75]} {abbreviation} {WORDS_30[:75]}.") == ["long"]


@pytest.mark.parametrize("word", ["speaks", "told", "tells", "whoever", "beside", "away", "whole", "nobody"])
def test_private_word_is_found(word: str) -> None:
    assert _rules(f"Return the {word} row.", is_docstring=False) == ["private"]


@pytest.mark.parametrize(
    "text",
    ["Return `told`.", 'Return "the whole".', "Accept whole numbers only.", "Match whole words."],
)
def test_private_word_in_code_quotation_or_technical_term_passes(text: str) -> None:
    assert _rules(text) == []


def test_finding_has_the_line_where_its_sentence_begins() -> None:
    passage = Passage(10, "Return the row.\n\nIt is locked\nfirst. The\nwhole row.", is_docstring=True)
    assert list(findings(passage)) == [Finding(13, "private", "'whole' in: The whole row.")]


def test_python_docstrings_and_comments_are_read() -> None:
    source = (
        '"""Module."""\n# First line\n# and second.\n#: Named\nx = 1  # noqa: E501\n"""Attribute."""\n'
        'class A:\n    """Class."""\n    async def f(self):\n        """Method.\n\n        More.\n        """\n'
        'y = """no docstring"""\n'
    )
    found = [(passage.line, passage.text, passage.is_docstring) for passage in python_passages(source)]
    assert sorted(found) == [
        (1, "Module.", True),
        (2, "First line\nand second.\nNamed", False),
        (6, "Attribute.", True),
        (8, "Class.", True),
        (10, "Method.\n\nMore.\n", True),
    ]


def test_typescript_comments_are_read() -> None:
    source = (
        '/** One line. */\nconst a = "https://x // y"; // Trailing.\n/**\n * Two\n * lines.\n */\n'
        "// First\n// second.\n"
        "const b = '/**/*.ts'; /* inline */\n"
    )
    found = sorted(
        (passage.line, passage.text.strip(), passage.is_docstring) for passage in typescript_passages(source)
    )
    assert found == [
        (1, "One line.", True),
        (2, "Trailing.", False),
        (3, "Two\nlines.", True),
        (7, "First\nsecond.", False),
        (9, "inline", False),
    ]


def test_command_prints_findings_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text('"""Return the row."""\n')
    bad.write_text('"""Return the row."""\n\n# The whole row.\n')
    assert main([str(good)]) == 0
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out == f"{bad}:3: private: 'whole' in: The whole row.\n"
    assert check(good) == []


def test_command_refuses_a_path_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        main([str(tmp_path / "missing")])
