"""Test that docs/how-to/extraction-rules.md explains every rule by which the judge extracts an answer."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
ROOMS = ("domain", "evaluators", "mathematics")
WORD = r"\"([a-z][A-Za-z:#' -]*)\""
WRITTEN = (
    rf"rule={WORD}",
    rf"(?:_?rule|found, rule) = .*{WORD}",
    rf"Choice\(.*, {WORD}\)",
    rf"_Claim\(.*?, {WORD}",
    rf"_one\(.*?, {WORD}",
    rf"Json\(.*?, {WORD}",
)
MARKER = r"\(_[A-Z_]+, \"([^\"]+)\"\)"


def test_every_extraction_rule_is_documented() -> None:
    page = (ROOT / "docs/how-to/extraction-rules.md").read_text(encoding="utf-8")
    known = set(re.findall(r"^\| `(.+)` \| .+ \|$", page, re.MULTILINE))
    rules: set[str] = set()
    for room in ROOMS:
        for file in sorted((ROOT / "services/judge/judge" / room).rglob("*.py")):
            source = file.read_text(encoding="utf-8")
            patterns = (*WRITTEN, MARKER) if file.name == "markers.py" else WRITTEN
            for pattern in patterns:
                rules.update(re.findall(pattern, source))
    assert {"only", "stated", "marker:####", "whole text", "value in the text"} <= rules, "the patterns find them"
    assert rules <= known, f"no sentence for {sorted(rules - known)}"
