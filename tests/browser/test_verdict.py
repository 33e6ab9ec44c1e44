"""Test that the list of failed browser tests is read correctly from a report of Playwright's JSON reporter."""

import json
from pathlib import Path
from typing import Any

from tests.browser.verdict import read


def _spec(title: str, status: str, *errors: str | None) -> dict[str, Any]:
    results = [
        {"error": {"message": error, "stack": f"\x1b[31m{error}\x1b[39m\n    at x.ts:1"} if error else None}
        for error in errors
    ]
    return {"title": title, "file": "a.spec.ts", "line": 7, "tests": [{"status": status, "results": results}]}


def test_failed_and_flaky_tests_are_listed_with_the_error_of_their_first_attempt(tmp_path: Path) -> None:
    inner = {"specs": [_spec("is flaky", "flaky", "first", None), _spec("passes", "expected", None)]}
    suites = [{"suites": [inner], "specs": [_spec("fails", "unexpected", "one", "two"), _spec("waits", "skipped")]}]
    file = tmp_path / "open.json"
    file.write_text(json.dumps({"suites": suites, "errors": [{"message": "no browser"}]}))
    outside, flaky, failed = read(file)
    assert (outside.name, outside.passed, outside.error) == ("open: outside the tests", False, "no browser")
    assert (flaky.name, flaky.passed, flaky.error) == ("a.spec.ts:7 is flaky", True, "first\n    at x.ts:1")
    assert (failed.name, failed.passed, failed.error) == ("a.spec.ts:7 fails", False, "one\n    at x.ts:1")
