"""Summarise the failed browser tests at the end of `make test`. Their own output is then far up on the terminal.

python -m tests.browser.verdict
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from llmbench_cli.embedded.binaries import checkout

FOLDER: Final = checkout() / "web" / "playwright-report"
"""Each run of Playwright writes a file of its JSON reporter here, named after its kind of platform."""
_MOST_LINES: Final = 25
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Attempted:
    """A browser test that did not pass at its first attempt. `passed` says whether a later attempt passed."""

    name: str
    passed: bool
    error: str
    """The error of the first attempt that failed: at most 25 lines."""


def report_of(kind: str) -> Path:
    """Return the path of Playwright's report on the browser tests on one kind of platform, such as one with sign-in."""
    return FOLDER / f"{kind}.json"


def read(file: Path) -> list[Attempted]:
    """Return the tests in Playwright's report that did not pass at the first attempt, and its errors outside tests."""
    report = json.loads(file.read_text("utf-8"))
    outside = [Attempted(f"{file.stem}: outside the tests", False, _text(error)) for error in report.get("errors", ())]
    return outside + [test for suite in report["suites"] for test in _tests(suite)]


def _tests(suite: dict[str, Any]) -> Iterator[Attempted]:
    for inner in suite.get("suites", ()):
        yield from _tests(inner)
    for spec in suite.get("specs", ()):
        for test in spec["tests"]:
            if test["status"] in {"unexpected", "flaky"}:
                errors = [result["error"] for result in test["results"] if result.get("error")]
                name = f"{spec['file']}:{spec['line']} {spec['title']}"
                yield Attempted(name, test["status"] == "flaky", _text(errors[0]) if errors else "without an error")


def _text(error: dict[str, Any]) -> str:
    lines = _COLOUR.sub("", error.get("stack") or error.get("message") or "").splitlines()
    return "\n".join(lines[:_MOST_LINES])


def main() -> int:
    """Print the failed and the flaky tests, and a last line with the counts. Return 1 if a test failed."""
    tests = [test for file in sorted(FOLDER.glob("*.json")) for test in read(file)]
    failed = [test for test in tests if not test.passed]
    for test in sorted(tests, key=lambda test: not test.passed):
        print(f"\n── {'flaky' if test.passed else 'failed'}: {test.name}\n{test.error}")
    print(f"\nbrowser: {len(failed)} failed, {len(tests) - len(failed)} flaky", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main())
