"""List and read the files of the repository: tracked ones, and untracked ones that git does not ignore."""

import subprocess
from functools import cache
from pathlib import Path

from llmbench_cli.embedded.binaries import checkout

ROOT = checkout()


@cache
def files() -> tuple[Path, ...]:
    """Return the paths of all files of the repository that git does not ignore, relative to the root and sorted."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return tuple(Path(name) for name in sorted(listed.split("\0")) if name and (ROOT / name).is_file())


@cache
def text(path: Path) -> str:
    """Return the text of a file of the repository. It is cached, because many tests read the same files."""
    return (ROOT / path).read_text("utf-8")
