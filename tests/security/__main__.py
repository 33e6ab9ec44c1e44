"""Run the security tests of `make security`, with more cases than in `make test`. The last line of output is one JSON
object."""

import json
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

from llmbench_cli.embedded.binaries import checkout
from tests.security.areas import AREAS
from tests.security.audit import audit_npm, audit_python, report_of

EXAMPLES = 1_000
"""The number of examples per property; `make test` uses 100."""
REQUESTS = 100
"""The generated requests per operation of the HTTP APIs, valid and invalid ones each; `make test` uses 4."""
TIMEOUT_S = 3_600


def main() -> None:
    """Run all areas and audits, and print the summary. Exit with 1 if a test failed or a dependency has an advisory."""
    began = time.monotonic()
    areas = {name: _tested(name, paths) for name, paths in AREAS.items()}
    audits = [audit_python(), audit_npm()]
    print(report_of(audits))
    advisories = {audit.what: None if audit.advisories is None else len(audit.advisories) for audit in audits}
    tests = {count: sum(area[count] for area in areas.values()) for count in ("tests", "failed", "skipped")}
    violations = tests["failed"] + sum(filter(None, advisories.values()))
    summary: dict[str, Any] = {
        "command": "make security",
        "areas": areas,
        **tests,
        "examples_per_property": EXAMPLES,
        "requests_per_operation": REQUESTS,
        # The value of an audit is null if no advisory database answered.
        "advisories": advisories,
        "seconds": round(time.monotonic() - began),
        "violations": violations,
    }
    print(json.dumps(summary))
    sys.exit(1 if violations else 0)


def _tested(name: str, paths: tuple[str, ...]) -> dict[str, int]:
    print(f"── {name}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "--hypothesis-profile=long", f"--junitxml={report}"),
                *(f"--schemathesis-examples={REQUESTS}", "--every-cell", "--timeout", str(TIMEOUT_S)),
                *("--numprocesses", os.environ.get("WORKERS", "2"), "--dist", "loadfile", *paths),
            ],
            cwd=checkout(),
            check=False,
        )
        # Parsing is safe: pytest has just written this file for the repository's own tests.
        suite = ElementTree.parse(report).getroot().find("testsuite") if report.exists() else None
    counts = {key: 0 if suite is None else int(suite.get(key, 0)) for key in ("tests", "failures", "errors", "skipped")}
    failed = counts["failures"] + counts["errors"]
    # Count a run that ended without a report as one failure.
    return {
        "tests": counts["tests"],
        "failed": max(failed, int(done.returncode != 0)),
        "skipped": counts["skipped"],
    }


if __name__ == "__main__":
    main()
