"""Check the English of docstrings and comments: `python -m tools.language PATHS`.

Prints `file:line: rule: text` and exits with 1 when it finds something. The rules:

- `headless`: a docstring begins with a verb or the thing it describes, a sentence with its subject.
- `long`: a sentence has at most 30 words. Code, URLs and quoted text do not count.
- `private`: a word that only this project's authors would use. Code and quoted text may contain it.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

MOST_WORDS = 30

# In docstrings and comments no sentence begins with one of these words, because its subject would be missing or a
# clause.
HEADLESS = frozenset(
    "nobody of what whatever which whichever who whoever whom whose".split()  # noqa: SIM905
)
# No docstring begins with one of these words either, because the reader does not know yet what is described.
HEADLESS_DOCSTRING = HEADLESS | frozenset(
    """after again also around as asked at because before beside by done for from given how if in it its kept left
    never not nothing on only since so such taken than that their them then they those to too under until when whence
    where wherever whether while whole why with within without""".split()  # noqa: SIM905
)
PRIVATE = frozenset(
    """anew anybody away beside besides hear heard hears mend mended mends nobody somebody speak speaking speaks
    spoken tell telling tells told whence whoever whole wholly whom whomever""".split()  # noqa: SIM905
)
# Technical terms that contain a private word.
TERMS = re.compile(r"\bwhole[- ](?:numbers?|words?)\b", re.I)

SKIPPED = ("node_modules", ".venv", "dist", "generated", "__pycache__")
DIRECTIVE = re.compile(r"#\s*(?:noqa|type:|fmt:|ruff:|pragma|mypy:|pyright|!|-{3}|-\*-|syntax=).*")
CODE = re.compile(r"``.+?``|`[^`]+`", re.S)
URL = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+?(?=[.,;:)\]]*(?:\s|$))")
QUOTED = re.compile(r"\"[^\"]{1,200}\"|“[^”]{1,200}”", re.S)
# The replacement for code, URLs and quotations. A sentence may begin with it, and it does not count as a word.
MARK = "\N{PLACE OF INTEREST SIGN}"
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|et al|etc|vs|cf|approx|incl|resp|fig|eq|sec|p|pp|(?-i:[A-Z]))\.(?=\s)", re.I)
SENTENCE_END = re.compile(rf"(?<=[.!?])[)\]'\u2019]*\s+(?=[A-Z(\[{MARK}0-9])")
WORD = re.compile(r"[^\W_][\w'\u2019./-]*")
DRAWN = ("```", "|", "├", "│", "└")
PARAGRAPH_START = re.compile(r"\s*(?:[-*•]|\d+[.)])\s+|\s*@\w+\s*")
TYPESCRIPT_BLOCK = re.compile(r"(?<![^\s{])/\*(\*?)(?=\s)(.*?)\*/", re.S)
TYPESCRIPT_LINE = re.compile(r"(?<!\S)//\s")


@dataclass(frozen=True)
class Passage:
    """A docstring or a comment. `line` is the number of its first line in the file."""

    line: int
    text: str
    is_docstring: bool


@dataclass(frozen=True, order=True)
class Finding:
    """A violation of a rule: its line in the file, the rule's name, and the text in question."""

    line: int
    rule: str
    text: str


def findings(passage: Passage) -> Iterator[Finding]:
    """Yield the violations of all rules in `passage`, in the order in which they occur in its text."""
    opening = _headless_opening(passage.text) if passage.is_docstring else None
    if opening:
        yield Finding(passage.line, "headless", opening)
    for position, (line, sentence) in enumerate(_sentences(passage)):
        words = WORD.findall(sentence)
        shown = " ".join(sentence.split()).replace(MARK, "…")
        begins_with_word = words and sentence.lstrip("( ").startswith(words[0])
        if begins_with_word and words[0].lower() in HEADLESS and not (opening and position == 0):
            yield Finding(line, "headless", shown)
        if len(words) > MOST_WORDS:
            yield Finding(line, "long", f"{len(words)} words: {shown}")
        for word in WORD.findall(TERMS.sub(MARK, sentence)):
            # A word at the end of a sentence has its full stop.
            if word.lower().rstrip("'\u2019./-") in PRIVATE:
                yield Finding(line, "private", f"{word!r} in: {shown}")


def _headless_opening(text: str) -> str | None:
    """Return the first line of a docstring if it begins with a lower-case word, or one that may not begin a docstring.
    Otherwise return `None`.
    """
    opening = text.strip().partition("\n")[0]
    first = re.match(r"[A-Za-z]+(?=[\s,;:.!?]|$)", opening)
    if first is None or (first[0].lower() not in HEADLESS_DOCSTRING and not first[0].islower()):
        return None
    return opening


def _sentences(passage: Passage) -> Iterator[tuple[int, str]]:
    """Yield each sentence with the number of its first line."""
    for line, paragraph in _paragraphs(passage):
        text = _without_literals(paragraph)
        start = 0
        for end in [match.end() for match in SENTENCE_END.finditer(text)] + [len(text)]:
            sentence = text[start:end]
            before = text[:start] + sentence[: len(sentence) - len(sentence.lstrip())]
            yield line + before.count("\n"), sentence.strip()
            start = end


def _paragraphs(passage: Passage) -> Iterator[tuple[int, str]]:
    """Yield each paragraph and list entry with its line number; leave out doctests, tables and code blocks."""
    lines: list[str] = []
    first = passage.line
    fenced = in_doctest = False
    for number, line in enumerate([*passage.text.split("\n"), ""], passage.line):
        stripped = line.strip()
        if stripped.startswith("```"):
            fenced = not fenced
        in_doctest = stripped.startswith(">>>") or (in_doctest and stripped != "")
        is_code = fenced or in_doctest or stripped.startswith(DRAWN) or (not lines and line.startswith("    "))
        starts = PARAGRAPH_START.match(line)
        if lines and (not stripped or is_code or starts):
            yield first, "\n".join(lines)
            lines = []
        if not stripped or is_code:
            continue
        if not lines:
            first = number
        lines.append(line[starts.end() :] if starts else line)


def _without_literals(text: str) -> str:
    """Replace code, URLs and quotations by `MARK`, but keep their line breaks. Drop the full stops of abbreviations."""
    for literal in (CODE, URL, QUOTED):
        text = literal.sub(lambda match: MARK + "\n" * match[0].count("\n"), text)
    return ABBREVIATION.sub(lambda match: match[0].replace(".", ""), text)


def python_passages(source: str) -> Iterator[Passage]:
    """Yield the docstrings of Python source, also those below attributes and constants, and then its comments."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for statement in node.body:
            match statement:
                case ast.Expr(value=ast.Constant(value=str() as text)):
                    yield Passage(statement.lineno, _dedented(text, statement.col_offset), is_docstring=True)
    block: list[tuple[int, int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        text = DIRECTIVE.sub("", token.string).lstrip("#: ").rstrip()
        if not text:
            continue
        line, column = token.start
        if block and (block[-1][0] + 1, block[-1][1]) != (line, column):
            yield _comment(block)
            block = []
        block.append((line, column, text))
    if block:
        yield _comment(block)


def _comment(block: list[tuple[int, int, str]]) -> Passage:
    return Passage(block[0][0], "\n".join(text for _, _, text in block), is_docstring=False)


def _dedented(text: str, indent: int) -> str:
    """Remove the indentation from all lines of a docstring but the first, which has none."""
    first, *lines = text.split("\n")
    return "\n".join([first, *(line.removeprefix(" " * indent) for line in lines)])


def typescript_passages(source: str) -> Iterator[Passage]:
    """Yield the `/* */` and `//` comments of TypeScript source. `/** */` comments count as docstrings."""
    for block in TYPESCRIPT_BLOCK.finditer(source):
        text = re.sub(r"\n[ \t]*\*?[ \t]?", "\n", block[2])
        yield Passage(source[: block.start()].count("\n") + 1, text.strip(" ").rstrip(), is_docstring=bool(block[1]))
    rest = TYPESCRIPT_BLOCK.sub(lambda block: "\n" * block[0].count("\n"), source)
    lines: list[tuple[int, int, str]] = []
    for number, line in enumerate(rest.split("\n"), 1):
        column = _comment_column(line)
        if column is None:
            continue
        if lines and (lines[-1][0] + 1, lines[-1][1]) != (number, column):
            yield _comment(lines)
            lines = []
        lines.append((number, column, line[column:].lstrip("/ ").rstrip()))
    if lines:
        yield _comment(lines)


def _comment_column(line: str) -> int | None:
    """Return the column of the line's `//` comment, else `None`. A `//` after an odd number of quotes is within a
    string."""
    for slashes in TYPESCRIPT_LINE.finditer(line):
        if not any(line[: slashes.start()].count(quote) % 2 for quote in "'\"`"):
            return slashes.start()
    return None


def check(path: Path) -> list[Finding]:
    """Return the findings of one file in the order of its lines."""
    source = path.read_text("utf-8")
    passages = python_passages(source) if path.suffix == ".py" else typescript_passages(source)
    return sorted(finding for passage in passages for finding in findings(passage))


def sources(paths: Iterable[str]) -> Iterator[Path]:
    """Yield the Python and TypeScript files at or below `paths`, without folders such as `node_modules`. Raises
    FileNotFoundError for a missing path."""
    for path in map(Path, paths):
        if not path.exists():
            raise FileNotFoundError(path)
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix in (".py", ".ts", ".tsx") and not set(SKIPPED) & set(file.parts):
                yield file


def main(paths: list[str]) -> int:
    """Print the findings at or below `paths`. Return the exit status: 0 without findings, 1 with findings, 2 without
    paths."""
    if not paths:
        sys.stderr.write("usage: python -m tools.language PATHS\n")
        return 2
    count = 0
    for path in sources(paths):
        for finding in check(path):
            sys.stdout.write(f"{path}:{finding.line}: {finding.rule}: {finding.text}\n")
            count += 1
    if count:
        sys.stderr.write(f"{count} findings; the rules stand at the top of {__file__}\n")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
