"""Compare mathematical expressions with math-verify in a separate process, one request per line.

Untrusted LaTeX is parsed only here: `9^9^9^9` runs for ever and takes all memory. The process ends when one request
exceeds its CPU time or memory; the service then starts another. The program's argument is the limit on the CPU time of
a request, in seconds.

A request is `{"answer": text, "reference": text}`; the reply is `{"same": bool, "answer": text or null, "reference":
text or null}`. The first line, `{"ready": true}`, is sent when the library is loaded.
"""

import logging
from collections.abc import Callable
from typing import Any

from llmbench.confined.worker import serve

MAX_MEMORY_BYTES = 768 * 1024 * 1024
"""The limit on address space in bytes, in addition to what the loaded library uses."""
_SHOWN_CHARS = 200


def main() -> None:
    serve(_loaded, memory_bytes=MAX_MEMORY_BYTES)


def _loaded() -> Callable[[Any], dict[str, Any]]:
    logging.disable(logging.CRITICAL)
    import math_verify  # type: ignore[import-untyped]

    _compared(math_verify, "$1$", "$1$")
    return lambda request: _compared(math_verify, request["answer"], request["reference"])


def _compared(library: Any, answer: str, reference: str) -> dict[str, Any]:
    parsed_reference = _parsed(library, reference)
    parsed_answer = _parsed(library, answer) if parsed_reference else []
    is_same = bool(parsed_reference and parsed_answer) and library.verify(
        parsed_reference, parsed_answer, timeout_seconds=None
    )
    if parsed_reference and parsed_answer and not is_same:
        # The library reads the i of e^{i\\pi} as a variable, so compare again with the imaginary unit.
        imaginary = _with_imaginary(parsed_reference), _with_imaginary(parsed_answer)
        is_same = imaginary != (parsed_reference, parsed_answer) and library.verify(*imaginary, timeout_seconds=None)
    return {"same": bool(is_same), "answer": _shown(parsed_answer), "reference": _shown(parsed_reference)}


def _parsed(library: Any, text: str) -> list[Any]:
    parsed: list[Any] = library.parse(text, parsing_timeout=None) if text else []
    return parsed


def _with_imaginary(parsed: list[Any]) -> list[Any]:
    import sympy  # type: ignore[import-untyped]

    return [
        expression.subs({each: sympy.I for each in expression.free_symbols if each.name == "i"})
        if isinstance(expression, sympy.Expr)
        else expression
        for expression in parsed
    ]


def _shown(parsed: list[Any]) -> str | None:
    # The last entry is the text that was parsed, if the library keeps it.
    texts = [entry for entry in parsed if isinstance(entry, str)]
    if not parsed:
        return None
    return (texts[-1] if texts else str(parsed[0]))[:_SHOWN_CHARS]


if __name__ == "__main__":
    main()
