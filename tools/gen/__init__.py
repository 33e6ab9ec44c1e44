"""Write the files that are generated from the code and committed, so that documents stay correct.

    python -m tools.gen            writes
    python -m tools.gen --check    fails, naming each file that is out of date

A generator is a function that derives the texts of files from the code, and returns them by path (`Generated`). Only
`__main__` writes files.
"""

from pathlib import Path

# The texts of generated files by their paths, relative to the checkout.
Generated = dict[Path, str]

DOCS = Path("docs/generated")
