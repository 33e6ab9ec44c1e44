"""Mount a small file system that a test can fill up and empty."""

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
    """A mounted file system of a few megabytes."""

    folder: Path

    def fill(self) -> None:
        """Write a file, "ballast", until no space is left."""
        with (self.folder / "ballast").open("ab", buffering=0) as ballast:
            for size in (1024 * 1024, 512):
                while _written(ballast.fileno(), bytes(size)):
                    pass

    def empty(self) -> None:
        """Remove the file "ballast", so that there is space again."""
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
    """Mount a file system in memory, and yield it. Skips the test if the user may not mount file systems."""
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
        # Processes may still have files open here. A lazy unmount frees the file system when they end.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()
