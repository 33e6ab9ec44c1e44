"""A pytest plugin that records the outcomes of tests, or runs only the tests of a list.

    pytest -p tests.retry_failed.plugin --outcomes=FILE …          writes FILE, one JSON object a line
    pytest -p tests.retry_failed.plugin --only=FILE …              FILE is a JSON list of node ids, instead of paths

A line `failed` has the test's node id, its text, and in `final` the reason why the test has no second try. The
last line has the exit status; without that line, pytest did not end normally.
"""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

FINAL = "final_failure"
NEVER = "never_rerun"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outcomes", metavar="FILE", help="write how each test ended")
    parser.addoption("--only", metavar="FILE", help="run the tests whose node ids FILE lists")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{NEVER}: kills, chaos, ledgers, exactly-once. One failure in a hundred is what these tests look for.",
    )
    if hasattr(config, "workerinput"):
        return
    if only := config.getoption("--only"):
        config.args[:] = json.loads(Path(only).read_text("utf-8"))
    if outcomes := config.getoption("--outcomes"):
        config.pluginmanager.register(Outcomes(Path(outcomes)), "outcomes")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Store in each report whether a failure is final, so that the test must not be tried again. Only this hook has
    access to the test's marks."""
    report = yield
    setattr(report, FINAL, "one failure of it is enough" if item.get_closest_marker(NEVER) else "")
    return report


class Outcomes:
    """Writes the outcomes of the tests to the file `--outcomes`. With pytest-xdist, only the controller process does
    this; the workers send their reports to the controller."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("w", encoding="utf-8")
        self._passed: set[str] = set()
        self._failed: set[str] = set()
        self._skipped: set[str] = set()
        self._interrupted = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a failure at once, and count passed and skipped tests."""
        if report.failed:
            self._failed.add(report.nodeid)
            # This hook's attribute is missing from the report of a test whose worker crashed.
            reason = getattr(report, FINAL, "its process crashed")
            self._write(failed=report.nodeid, when=report.when, final=reason, text=report.longreprtext)
        elif report.when == "call" and (report.passed or hasattr(report, "wasxfail")):
            self._passed.add(report.nodeid)
        elif report.skipped:
            self._skipped.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Write the error of a file that cannot be collected."""
        if report.failed:
            self._write(uncollected=report.nodeid, text=report.longreprtext)

    def pytest_keyboard_interrupt(self) -> None:
        """Record that the run was interrupted, because the exit status may not show it."""
        self._interrupted = True

    # Run this hook last, so that it includes failures that other plugins find at the end.
    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the last line of `--outcomes`: exit status, names of passed tests, and number of skipped tests."""
        passed = self._passed - self._failed
        skipped = self._skipped - self._failed - passed
        self._write(
            exitstatus=int(session.exitstatus),
            interrupted=self._interrupted,
            passed=sorted(passed),
            skipped=len(skipped),
        )
        self._file.close()

    def _write(self, **fields: Any) -> None:
        self._file.write(json.dumps(fields) + "\n")
        self._file.flush()
