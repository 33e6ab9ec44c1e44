"""Test that `make security` runs every test that proves a promise of docs/security.md."""

from collections import Counter
from pathlib import Path

from tests.architecture.repository import ROOT, files
from tests.security.areas import AREAS
from tools.gen.claims import markers


def test_every_test_of_a_promise_is_in_exactly_one_area() -> None:
    in_areas = Counter(path for paths in AREAS.values() for path in paths)
    assert [path for path, times in in_areas.items() if times > 1 or not (ROOT / path).is_file()] == []
    showing = {str(path) for path in map(Path, files()) if path.name.startswith("test_") and _shows(path)}
    assert showing - in_areas.keys() == set()


def _shows(path: Path) -> bool:
    """Return whether a test of this file proves a promise of docs/security.md."""
    if path.suffix != ".py":
        return False
    return any(claim.startswith("S-") for claim, _ in markers((ROOT / path).read_text("utf-8")))
