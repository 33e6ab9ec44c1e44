"""Record how a run of pytest ended, and run only the tests of a list.

    pytest -p tests.retry_failed.plugin --outcomes=FILE …          writes FILE, one JSON object a line
    pytest -p tests.retry_failed.plugin --only=FILE …              FILE is a JSON list of node ids, instead of paths

A line `failed` has the test's node id, its text, and in `final` the reason why a second try would prove nothing. The
last line has the exit status: without it the run did not end in order.
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
    """Record on each report if its failure is final; only here are the test's marks known."""
    report = yield
    setattr(report, FINAL, "one failure of it is enough" if item.get_closest_marker(NEVER) else "")
    return report


class Outcomes:
    """Writes the outcomes. With pytest-xdist this runs in the controller: workers only report."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("w", encoding="utf-8")
        self._passed: set[str] = set()
        self._failed: set[str] = set()
        self._skipped: set[str] = set()
        self._interrupted = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a failure at once; count the rest."""
        if report.failed:
            self._failed.add(report.nodeid)
            # The report for a crashed worker's test is made elsewhere and lacks this attribute.
            reason = getattr(report, FINAL, "its process crashed")
            self._write(failed=report.nodeid, when=report.when, final=reason, text=report.longreprtext)
        elif report.when == "call" and (report.passed or hasattr(report, "wasxfail")):
            self._passed.add(report.nodeid)
        elif report.skipped:
            self._skipped.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Write collection errors."""
        if report.failed:
            self._write(uncollected=report.nodeid, text=report.longreprtext)

    def pytest_keyboard_interrupt(self) -> None:
        """Record an interruption, whatever the exit status."""
        self._interrupted = True

    # This hook runs last, so that failures found by other plugins at the end are included.
    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the exit status."""
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
