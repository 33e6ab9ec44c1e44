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
    parsed = [source for source in candidates if _is_python(source.code)]
    for source in parsed:
        if defines(source.code, entry_point):
            return source
    if setup.strip() and (body := _body(candidates[0].code, setup, entry_point)) is not None:
        return Source(body, rule="function body")
    return next(iter(parsed), None)


def complete_head(setup: str) -> str:
    """Return the setup as code that can run: a function at its end gets a body if it has only its head."""
    begun = setup.rstrip()
    last = begun.rpartition("\n")[2]
    completed = f"{begun}\n{last[: len(last) - len(last.lstrip())]}    pass\n"
    return completed if not _is_python(setup) and _is_python(completed) else setup


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
