"""Mount a small file system for a test that fills it up and empties it."""

import contextlib
import errno
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class SmallDisk:
    folder: Path

    def fill(self) -> None:
        """Use all space."""
        with (self.folder / "ballast").open("ab", buffering=0) as ballast:
            for size in (1024 * 1024, 512):
                while _written(ballast.fileno(), bytes(size)):
                    pass

    def empty(self) -> None:
        """Free the space again."""
        (self.folder / "ballast").unlink(missing_ok=True)


def _written(file: int, chunk: bytes) -> bool:
    try:
        os.write(file, chunk)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return False
        raise
    return True


@contextlib.contextmanager
def small_disk(megabytes: int) -> Iterator[SmallDisk]:
    """Mount a file system in memory. Skips the test if this user may not mount one."""
    folder = Path(tempfile.mkdtemp(prefix="llmbench-disk-"))
    folder.chmod(0o755)
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0755", "llmbench-test", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True)
        why = mounted.stderr.strip() if mounted.returncode else ""
    except OSError as error:
        why = str(error)
    if why:
        shutil.rmtree(folder)
        pytest.skip(f"no small file system can be mounted here, which takes root: {why}")
    try:
        yield SmallDisk(folder)
    finally:
        # Connections that are still open to this file system end with their processes.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()
