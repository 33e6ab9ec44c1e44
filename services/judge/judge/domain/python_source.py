"""Find the Python code of an answer: a fenced block, the complete answer, or the body of a given function.

Hostile code can crash Python's compiler, so this module is used only in a confined process.
"""

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_FENCE: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*$", re.MULTILINE)
_PYTHON: Final = ("", "python", "python3", "py", "py3")
_MOST_BLOCKS: Final = 100


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
    - `function body`: the last block, or the complete answer if it has no blocks. It has to be code that can follow
      the last function of `setup` as its body.
    - As the last resort, the last block of Python code (`tested block`), or the complete answer (`whole text`), without
      the entry point. Its tests will fail.
    """
    blocks = list(_blocks(answer))
    candidates = [Source(code, rule="tested block") for code in reversed(blocks)] or [Source(answer, rule="whole text")]
    parsed = [(source, tree) for source in candidates if (tree := _tree(source.code)) is not None]
    for source, tree in parsed:
        if _defines(tree, entry_point):
            return source
    if setup.strip() and (body := _body(candidates[0].code, setup, entry_point)) is not None:
        return Source(body, rule="function body")
    return next((source for source, _ in parsed), None)


def _blocks(answer: str) -> Iterator[str]:
    """Yield the fenced blocks of Python code, or without a language. A fence that is left open ends with the answer."""
    begun: re.Match[str] | None = None
    for number, fence in enumerate(_FENCE.finditer(answer)):
        if number >= 2 * _MOST_BLOCKS:
            return
        if begun is None:
            begun = fence
            continue
        if begun[1].lower() in _PYTHON:
            yield textwrap.dedent(answer[begun.end() + 1 : fence.start()])
        begun = None
    if begun is not None and begun[1].lower() in _PYTHON:
        yield textwrap.dedent(answer[begun.end() + 1 :])


def _body(code: str, setup: str, entry_point: str | None) -> str | None:
    """Return the code as the rest of `setup`, if the two together are Python code that defines the entry point.

    The code is tried as it is, then indented: models often write the body of a function from the first column.
    """
    for body in (code, textwrap.indent(textwrap.dedent(code), "    ")):
        whole = setup.rstrip("\n") + "\n" + body
        tree = _tree(whole)
        if tree is not None and _defines(tree, entry_point):
            return whole
    return None


def _tree(code: str) -> ast.Module | None:
    """Return the syntax tree of the code; `None` if it is not Python, is empty, or is nested too deeply."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(code)
            # The parser alone accepts a `return` outside of a function.
            compile(tree, "<answer>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if tree.body else None


def _defines(tree: ast.Module, entry_point: str | None) -> bool:
    defined = [each for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    if entry_point is None:
        return bool(defined)
    if any(each.name == entry_point for each in defined):
        return True
    return any(
        isinstance(target, ast.Name) and target.id == entry_point
        for each in tree.body
        if isinstance(each, ast.Assign)
        for target in each.targets
    )
