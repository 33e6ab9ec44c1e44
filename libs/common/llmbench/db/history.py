"""The migrations as files. Alembic, and what it imports, would cost the start of each service a fifth of its time."""

import re
from functools import cache
from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"
_REVISION = re.compile(r"""^(down_)?revision\b[^=\n]*= *["'](\w+)["']""", re.MULTILINE)


@cache
def head() -> str:
    """The schema version this code is written for: the revision that no other builds on."""
    revisions: set[str] = set()
    built_on: set[str] = set()
    for file in (MIGRATIONS / "versions").glob("*.py"):
        for down, revision in _REVISION.findall(file.read_text("utf-8")):
            (built_on if down else revisions).add(revision)
    (newest,) = revisions - built_on
    return newest
