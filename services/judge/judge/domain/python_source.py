"""Find the Python code of an answer: a fenced block, the complete answer, or the body of a given function.

Hostile code can crash Python's compiler, so this module is used only in a confined process.
"""

import ast
import re
import symtable
import textwrap
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from judge.domain.thoughts import has_thoughts, without_thoughts

_FENCE: Final = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?(?:`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*$", re.MULTILINE
)
_FENCE_BEHIND_CODE: Final = re.compile(r"(?<=[^\s`])`{3,}[ \t]*$", re.MULTILINE)
_PYTHON: Final = re.compile(r"(?:(?:i?python|py)[\d.]*)?", re.IGNORECASE)
_MOST_BLOCKS: Final = 100
_FIRST_LINE: Final = re.compile(
    r"^(?:from[ ].*[ ]import[ ]|import[ ]|def[ ]|async[ ]def[ ]|class[ ]|@\w)", re.MULTILINE
)
# A fence, a tag, an item of a list, or a sentence.
_NO_CODE: Final = re.compile(r"^(?:[`~<\[*-]|[^\x00-\x7f]|[A-Z][^\n=()\[\]]*$|[^\s#][^\n]*[.!?][ \t]*$)", re.MULTILINE)
_MOST_BEGINS: Final = 20
_MOST_ENDS: Final = 100


@dataclass(frozen=True)
class Source:
    """The code of an answer, and the short, stable name of the rule that found it."""

    code: str
    rule: str


def python_source(answer: str, setup: str, entry_point: str | None) -> Source | None:
    """Return the code of an answer, or `None` if the answer has none.

    `setup` is code that runs before the answer's, such as the head of the function that the answer completes.
    `entry_point` is the name of the function or class that the answer has to define. The rules, in this order:

    - `tested block`: the last fenced block of Python code that defines the entry point. Without an entry point, the
      last block that defines a function or a class, or else the last block.
    - `whole text`: the complete answer, if it is Python code that defines the entry point.
    - `tested block`: lines of code among sentences, without fences, that define the entry point.
    - `function body`: a block, or the complete answer if it has no blocks. It has to be code that can follow the last
      function of `setup` as its body. The last block counts that is no Python code by itself, as examples of use are,
      or else the last block.
    - As the last resort, the last block of Python code (`tested block`), or the complete answer (`whole text`), without
      the entry point. Its tests will fail.

    Reasoning between tags such as `<think>` does not count.
    """
    answer = answer.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    texts = [answer, without_thoughts(answer)]
    if has_thoughts(answer):
        # The code may contain such a tag as well, unless the answer begins with one.
        texts = texts[1:] if answer.lstrip().startswith(("<", "[", "◁")) else texts[::-1]
    found = (_source(text, setup, entry_point) for text in dict.fromkeys(texts))
    return next((source for source in found if source is not None), None)


def _source(text: str, setup: str, entry_point: str | None) -> Source | None:
    blocks = [Source(code, rule="tested block") for code in reversed([*_blocks(text)])]
    whole = Source(text, rule="whole text")
    for source in (*blocks, whole, *_among_sentences(text, entry_point)):
        if _is_python(source.code) and defines(source.code, entry_point):
            return source
    if setup.strip():
        bodies = [each.code for each in blocks if each.code.strip()] or [_before_fence(text)]
        for code in sorted(bodies, key=_is_python):
            if (body := _body(code, setup, entry_point)) is not None:
                return Source(body, rule="function body")
    return next((source for source in blocks or [whole] if _is_python(source.code)), None)


def complete_head(setup: str) -> str:
    """Return the setup as code that can run: a function at its end gets a body if it has only its head."""
    begun = setup.rstrip()
    last = begun.rpartition("\n")[2]
    completed = f"{begun}\n{last[: len(last) - len(last.lstrip())]}    pass\n"
    return completed if not _is_python(setup) and _is_python(completed) else setup


def _blocks(text: str) -> Iterator[str]:
    """Yield the fenced blocks of Python code, or without a language. A fence that is left open ends with the text."""
    text = _FENCE_BEHIND_CODE.sub(_on_its_own_line, text)
    begun: re.Match[str] | None = None
    for number, fence in enumerate(_FENCE.finditer(text)):
        if number >= 2 * _MOST_BLOCKS:
            return
        if begun is None:
            begun = fence
            continue
        if _PYTHON.fullmatch(begun[1]):
            yield textwrap.dedent(text[begun.end() + 1 : fence.start()])
        begun = None
    if begun is not None and _PYTHON.fullmatch(begun[1]):
        yield textwrap.dedent(text[begun.end() + 1 :])


def _on_its_own_line(fence: re.Match[str]) -> str:
    """Return a fence that follows code in a line, in a line of its own. Inline code that ends there stays."""
    line = fence.string[fence.string.rfind("\n", 0, fence.start()) + 1 : fence.start()]
    return fence[0] if "`" in line else f"\n{fence[0]}"


def _among_sentences(text: str, entry_point: str | None) -> Iterator[Source]:
    """Yield the texts that begin with a line of code and end before one that is none, longest first.

    They contain the entry point's name: compiling all others would use up the CPU time of the answer's own code.
    """
    ends = [match.start() for match in _NO_CODE.finditer(text)][:-_MOST_ENDS:-1]
    named = re.compile(rf"\b{re.escape(entry_point or '')}\b")
    for begin in islice(_FIRST_LINE.finditer(text), _MOST_BEGINS):
        name = named.search(text, begin.start())
        for end in (len(text), *ends):
            if name is not None and name.end() <= end:
                yield Source(text[begin.start() : end], rule="tested block")


def _before_fence(text: str) -> str:
    """Return the text before its first fence. It is code if the prompt ends with the fence that begins the block."""
    fence = _FENCE.search(text)
    return text if fence is None else text[: fence.start()]


def _body(code: str, setup: str, entry_point: str | None) -> str | None:
    """Return the code as the rest of `setup`, if the two together are Python code that defines the entry point.

    The code is tried as it is, then indented: models often write the body of a function from the first column. Then its
    first line is indented, in case white space was removed before it.
    """
    for body in (code, textwrap.indent(textwrap.dedent(code), "    "), f"    {code.lstrip()}"):
        whole = setup.rstrip("\n") + "\n" + body
        if _is_python(whole) and defines(whole, entry_point):
            return whole
    return None


def _is_python(code: str) -> bool:
    """Return whether the code is Python. It is not if it is empty, or nested too deeply."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(code)
            # The parser alone accepts a `return` outside of a function.
            compile(tree, "<answer>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return bool(tree.body)


def defines(code: str, name: str | None) -> bool:
    """Return whether Python code binds a name of its module, also by an import or within an `if`. Without a name,
    return whether it defines a function or a class."""
    names = symtable.symtable(code, "<answer>", "exec").get_symbols()
    if name is None:
        return any(each.is_namespace() for each in names)
    return any(each.get_name() == name and (each.is_assigned() or each.is_imported()) for each in names)
