"""Write the findings of a CI job as annotations: for GitHub as workflow commands, for GitLab as a Code Quality
report."""

import hashlib
import json
import re
from collections.abc import Iterable

from llmbench_cli.ci.findings import Finding, Level

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
_SEVERITIES = {Level.ERROR: "major", Level.WARNING: "minor"}
# The runner reads a command at the beginning of a line, after white space, and its older form anywhere in a line.
_NEWER = re.compile(r"(^|[\r\n])(\s*):(?=:)")
_OLDER = re.compile(r"##(?=\[)")


def github_command(finding: Finding) -> str:
    """Return the workflow command that shows the finding. No text in the finding can end this command or begin another.

    >>> github_command(Finding(Level.ERROR, "a,b.yaml", 3, "gate", "score", "worse: score", "50%\\n::set-env::x"))
    '::error file=a%2Cb.yaml,line=3,title=worse%3A score::50%25%0A::set-env::x'
    """
    properties = {"file": finding.path, "line": str(finding.line), "title": finding.title}
    written = ",".join(f"{name}={value.translate(_PROPERTY)}" for name, value in properties.items())
    return f"::{finding.level.value} {written}::{finding.message.translate(_DATA)}"


def harmless(text: str) -> str:
    r"""Return `text`, which consists of complete lines, changed so that a runner of GitHub finds no workflow command in
    it.

    >>> harmless("ok\n ::set-output name=a::b\rthen ##[group]x")
    'ok\n : :set-output name=a::b\rthen # #[group]x'
    """
    return _OLDER.sub("# #", _NEWER.sub(r"\1\2: ", text))


def code_quality(findings: Iterable[Finding]) -> str:
    """Return the findings as a Code Quality report, the JSON that GitLab reads. Findings about the same problem have
    the same fingerprint in all jobs.

    https://docs.gitlab.com/ci/testing/code_quality/
    """
    entries = [
        {
            "description": f"{finding.title}: {finding.message}",
            "check_name": f"llmbench-{finding.check}",
            "fingerprint": _fingerprint(finding),
            "severity": _SEVERITIES[finding.level],
            "location": {"path": finding.path, "lines": {"begin": finding.line}},
        }
        for finding in findings
    ]
    return json.dumps(entries, ensure_ascii=False, indent=2) + "\n"


def _fingerprint(finding: Finding) -> str:
    about = "\0".join((finding.path, finding.check, finding.subject))
    return hashlib.sha256(about.encode("utf-8", "replace")).hexdigest()
