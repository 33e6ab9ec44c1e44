"""A process of its own that compares mathematical expressions with math-verify, one request a line.

LaTeX of a stranger is read here and nowhere else: `9^9^9^9` runs for ever and takes all memory. So the operating
system ends this process when one request takes too much processor time or memory; the service starts another.

A request is `{"answer": text, "reference": text}`; the reply is `{"same": bool, "answer": text or null, "reference":
text or null}`. The first line, `{"ready": true}`, comes when the library is loaded.
"""

import json
import logging
import signal
import sys
from typing import Any

MAX_MEMORY_BYTES = 768 * 1024 * 1024
"""Of address space beyond what the library takes by being loaded."""
MAX_PROCESSOR_S = 3.0
"""Of one request."""
_SHOWN_CHARS = 200


def main() -> None:
    logging.disable(logging.CRITICAL)
    # What the library writes to its standard output is not ours.
    replies, sys.stdout = sys.stdout, sys.stderr
    import math_verify  # type: ignore[import-untyped]

    _compared(math_verify, "$1$", "$1$")
    _limit_memory()
    # The default action of the signal ends the process, also in the middle of a multiplication in C.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _say(replies, {"ready": True})
    for line in sys.stdin:
        asked: dict[str, str] = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, MAX_PROCESSOR_S)
        try:
            reply = _compared(math_verify, asked["answer"], asked["reference"])
        except (MemoryError, RecursionError):
            # What is left of the process is not to be trusted.
            return
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        _say(replies, reply)


def _compared(library: Any, answer: str, reference: str) -> dict[str, Any]:
    right = _parsed(library, reference)
    mine = _parsed(library, answer) if right else []
    alike = bool(right and mine) and library.verify(right, mine, timeout_seconds=None)
    if right and mine and not alike:
        # The library takes the i of e^{i\pi} for a variable.
        imaginary = _with_imaginary(right), _with_imaginary(mine)
        alike = imaginary != (right, mine) and library.verify(*imaginary, timeout_seconds=None)
    return {"same": bool(alike), "answer": _shown(mine), "reference": _shown(right)}


def _parsed(library: Any, text: str) -> list[Any]:
    found: list[Any] = library.parse(text, parsing_timeout=None) if text else []
    return found


def _with_imaginary(parsed: list[Any]) -> list[Any]:
    import sympy  # type: ignore[import-untyped]

    return [
        one.subs({each: sympy.I for each in one.free_symbols if each.name == "i"})
        if isinstance(one, sympy.Expr)
        else one
        for one in parsed
    ]


def _shown(parsed: list[Any]) -> str | None:
    # The last entry is the text that was read, where the library keeps it.
    texts = [one for one in parsed if isinstance(one, str)]
    if not parsed:
        return None
    return (texts[-1] if texts else str(parsed[0]))[:_SHOWN_CHARS]


def _say(replies: Any, reply: dict[str, Any]) -> None:
    replies.write(json.dumps(reply) + "\n")
    replies.flush()


def _limit_memory() -> None:
    if not sys.platform.startswith("linux"):
        # Elsewhere the limit is not kept or not known; the service still ends this process in time.
        return
    import resource

    with open("/proc/self/statm") as statm:
        taken = int(statm.read().split()[0]) * resource.getpagesize()
    limit = taken + MAX_MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    main()
