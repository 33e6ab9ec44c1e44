"""Find the latest migration by reading the migration files.

Alembic is not used here: its import would add a fifth to each service's start time.
"""

import re
from functools import cache
from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"
_REVISION = re.compile(r"""^(down_)?revision\b[^=\n]*= *["'](\w+)["']""", re.MULTILINE)


@cache
def head() -> str:
    """Return the schema version that this code expects: the latest revision of the migrations."""
    revisions: set[str] = set()
    built_on: set[str] = set()
    for file in (MIGRATIONS / "versions").glob("*.py"):
        for down, revision in _REVISION.findall(file.read_text("utf-8")):
            (built_on if down else revisions).add(revision)
    (newest,) = revisions - built_on
    return newest
