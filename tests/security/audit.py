"""Audit all dependencies against databases of security advisories: `python -m tests.security.audit`.

Exit codes: 0, no known advisory; 1, an advisory; 3, no database could be queried, which is not a success.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from llmbench_cli.embedded.binaries import checkout
from tools.gen.licences import LOCKS

TOOLS = checkout() / ".venv" / ".audit-tools"
TIMEOUT_S = 300


@dataclass(frozen=True)
class Audit:
    """The result of auditing the dependencies `what`. `advisories` is None if no database answered; `why` is then the
    reason.
    """

    what: str
    advisories: tuple[str, ...] | None
    why: str = ""


def audit_npm() -> Audit:
    process = _run("npm", "--prefix", str(checkout() / "web"), "audit", "--omit=dev", "--json")
    try:
        answer = json.loads(process.stdout)
        found = answer["vulnerabilities"]
        assert isinstance(answer["metadata"]["vulnerabilities"]["total"], int)
    except (ValueError, KeyError, TypeError, AssertionError):
        return Audit("npm", None, _complaint(process.stderr or process.stdout) or "npm said nothing")
    return Audit("npm", tuple(f"{name}: {one['severity']}" for name, one in sorted(found.items())))


def audit_python() -> Audit:
    program = _pip_audit()
    if program is None:
        return Audit("python", None, "pip-audit cannot be installed from this machine's package index")
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        locks = [argument for lock in LOCKS for argument in ("--requirement", str(checkout() / lock))]
        process = _run(
            *(str(program), "--disable-pip", "--no-deps", "--progress-spinner=off", "--format=json"),
            *(f"--output={answer}", *locks),
        )
        try:
            packages = json.loads(answer.read_text("utf-8"))["dependencies"]
        except (OSError, ValueError, KeyError):
            return Audit("python", None, _complaint(process.stderr) or "pip-audit said nothing")
    found = tuple(f"{one['name']}: {each['id']}" for one in packages for each in one.get("vulns", ()))
    skipped = [package for package in packages if "skip_reason" in package]
    if skipped and not found:
        return Audit("python", None, f"of {len(skipped)} packages, {skipped[0]['name']}: {skipped[0]['skip_reason']}")
    return Audit("python", found)


def _pip_audit() -> Path | None:
    """Return the path of pip-audit, installed in a venv of its own so that its dependencies are not audited; None on
    failure."""
    program = TOOLS / "bin" / "pip-audit"
    if not program.exists():
        _run(sys.executable, "-m", "venv", str(TOOLS))
        _run(str(TOOLS / "bin" / "pip"), "install", "--quiet", "pip-audit")
    return program if program.exists() else None


def _run(*command: str) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=TIMEOUT_S, env={**os.environ, "NO_COLOR": "1"}
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 1, "", str(error))


def _complaint(text: str) -> str:
    """Return the first line of a program's output that reports an error, else its first line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    complaints = [line for line in lines if re.search(r"\b[45]\d\d\b|error", line, re.IGNORECASE)]
    return (complaints or lines or [""])[0][:200]


def report_of(audits: list[Audit]) -> str:
    """Return one line about each audit."""
    lines = []
    for audit in audits:
        if audit.advisories is None:
            lines.append(f"{audit.what}: NOT AUDITED. No database of advisories answered: {audit.why}. Ask elsewhere.")
        else:
            lines.append(f"{audit.what}: {len(audit.advisories)} advisories {'; '.join(audit.advisories)}".rstrip())
    return "\n".join(lines)


def main() -> None:
    audits = [audit_python(), audit_npm()]
    print(report_of(audits))
    if any(audit.advisories for audit in audits):
        sys.exit(1)
    if any(audit.advisories is None for audit in audits):
        sys.exit(3)


if __name__ == "__main__":
    main()
