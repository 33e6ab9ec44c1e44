"""Writes the files that are generated from the code and committed, so that documents cannot rot.

    python -m tools.gen            writes
    python -m tools.gen --check    fails, naming each file that is out of date

Rule of this room: a generator is a function from code to texts by path; only `__main__` touches disk.
"""

from pathlib import Path

# Paths relative to the checkout → text.
Generated = dict[Path, str]

DOCS = Path("docs/generated")
