"""The file of a backup: a tar of the database's rows and of the uploaded files. Older ones are the rows alone."""

import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from llmbench_cli.embedded.errors import StartError

_ROWS = "database.dump"
_FILES = "files"


@dataclass(frozen=True)
class Backup:
    """`files` is null where the backup says nothing of them."""

    rows: Path
    files: Path | None


def pack(into: Path, *, rows: Path, files: Path | None) -> None:
    """Write the tar. Raises OSError."""
    with tarfile.open(into, "w") as tar:
        tar.add(rows, _ROWS)
        if files is not None:
            folder = tarfile.TarInfo(_FILES)
            folder.type, folder.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(folder)
            for path in sorted(files.rglob("*")) if files.is_dir() else ():
                # Only what the platform keeps there, and not what it removes at this moment.
                if path.is_file() and not path.is_symlink():
                    _add(tar, path, f"{_FILES}/{path.relative_to(files).as_posix()}")


def _add(tar: tarfile.TarFile, path: Path, name: str) -> None:
    try:
        content = path.open("rb")
    except FileNotFoundError:
        return
    with content:
        tar.addfile(tar.gettarinfo(arcname=name, fileobj=content), content)


@contextmanager
def unpacked(file: Path, *, beside: Path) -> Iterator[Backup]:
    """Yield what is in the backup, unpacked on the disk of `beside` for as long as the block. Raises StartError."""
    if not tarfile.is_tarfile(file):
        yield Backup(file, None)
        return
    there = beside.exists()
    beside.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=beside, prefix="restore-") as folder:
            yield _unpacked(file, Path(folder))
    finally:
        if not there and not any(beside.iterdir()):
            beside.rmdir()


def _unpacked(file: Path, folder: Path) -> Backup:
    try:
        with tarfile.open(file) as tar:
            for member in tar:
                _unpack(tar, member, folder)
    except (tarfile.TarError, OSError, ValueError) as failed:
        raise StartError(f"{file} cannot be unpacked: {failed}") from failed
    rows, files = folder / _ROWS, folder / _FILES
    if not rows.is_file():
        raise StartError(f"{file} is no backup of llmbench")
    return Backup(rows, files if files.is_dir() else None)


def _unpack(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Unpack a file or a folder. Raises ValueError for anything else, and for what would lie outside of `folder`.

    The library's own filters came with Python 3.11.4, and Debian 12 has 3.11.2.
    """
    parts = PurePosixPath(member.name).parts
    if not parts or parts[0] == "/" or ".." in parts or not (member.isreg() or member.isdir()):
        raise ValueError(f"{member.name!r} is not one of its files")
    target = folder.joinpath(*parts)
    if member.isdir():
        target.mkdir(parents=True, exist_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    source = tar.extractfile(member)
    assert source is not None  # it is a regular file
    with source, target.open("xb") as unpacked:
        shutil.copyfileobj(source, unpacked)


def put_back(place: Path, files: Path) -> None:
    """Put `files` where uploaded files are kept. What else is there stays: it may be another database's.

    Raises StartError.
    """
    try:
        for path in sorted(files.rglob("*")):
            if path.is_file():
                target = place / path.relative_to(files)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(path, target)
    except OSError as failed:
        raise StartError(
            f"the rows are restored, the uploaded files cannot be put into {place}: {failed.strerror}; mend that and "
            "restore again with --force"
        ) from failed
