"""Read and write a backup: a tar of the database's rows, the uploaded files and the checksums of both.

An older backup has no checksums, or is the dump of the rows alone, without a tar. A checksum detects damage but proves
no origin, so all content is treated as untrusted.
"""

import hashlib
import io
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Final

from llmbench_cli.embedded.errors import StartError

_ROWS = "database.dump"
_FILES = "files"
_MANIFEST = "manifest.json"
_MAX_MANIFEST_BYTES: Final = 256 * 1024 * 1024
MAX_MEMBERS: Final = 1_000_000
_MAX_DEPTH: Final = 50


@dataclass(frozen=True)
class Backup:
    """An unpacked backup. `rows` is a dump of PostgreSQL. `files` is the folder of uploaded files, or None if the
    backup has none."""

    rows: Path
    files: Path | None


def pack(into: Path, *, rows: Path, files: Path | None) -> None:
    """Write the rows and the uploaded files into the tar `into`, followed by their checksums.

    `files` is the folder of uploaded files; None leaves them out. A file that disappears meanwhile is skipped. Raises
    OSError if another file cannot be read, or the tar cannot be written.
    """
    sums: dict[str, dict[str, int | str]] = {}
    with tarfile.open(into, "w") as tar:
        _add(tar, rows, _ROWS, sums)
        if files is not None:
            folder = tarfile.TarInfo(_FILES)
            folder.type, folder.mode = tarfile.DIRTYPE, 0o700
            tar.addfile(folder)
            for path in sorted(files.rglob("*")) if files.is_dir() else ():
                # Pack only regular files. A file that is deleted meanwhile is skipped.
                if path.is_file() and not path.is_symlink():
                    with suppress(FileNotFoundError):
                        _add(tar, path, f"{_FILES}/{path.relative_to(files).as_posix()}", sums)
        written = json.dumps({"format": 1, "members": sums}).encode()
        manifest = tarfile.TarInfo(_MANIFEST)
        manifest.size, manifest.mode = len(written), 0o600
        tar.addfile(manifest, io.BytesIO(written))


class _Hashed(io.RawIOBase):
    """A file whose content is hashed while it is read."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self.sum = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        block = self._source.read(size)
        self.sum.update(block)
        return block


def _add(tar: tarfile.TarFile, path: Path, name: str, sums: dict[str, dict[str, int | str]]) -> None:
    with path.open("rb") as content:
        member = tar.gettarinfo(arcname=name, fileobj=content)
        member.mode = 0o600
        hashed = _Hashed(content)
        tar.addfile(member, hashed)
        sums[name] = {"bytes": member.size, "sha256": hashed.sum.hexdigest()}


@contextmanager
def unpacked(file: Path, *, inside: Path) -> Iterator[Backup]:
    """Unpack the backup into a temporary folder inside `inside`, and delete that folder at the end of the block.

    A backup that has only rows is not unpacked. Raises StartError if `file` is no intact backup, or if the disk is too
    full.
    """
    if _begins_with(file, b"PGDMP"):
        yield Backup(file, None)
        return
    there = inside.exists()
    inside.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        free = shutil.disk_usage(inside).free
        if file.stat().st_size > free:
            raise StartError(
                f"{file} has {file.stat().st_size:,} bytes, and {inside} has room for {free:,}: make room, or set "
                "LLMBENCH_HOME to a folder on another disk"
            )
        with tempfile.TemporaryDirectory(dir=inside, prefix="restore-") as folder:
            yield _unpacked(file, Path(folder))
    finally:
        if not there and not any(inside.iterdir()):
            inside.rmdir()


def _begins_with(file: Path, magic: bytes) -> bool:
    with file.open("rb") as content:
        return content.read(len(magic)) == magic


def _unpacked(file: Path, folder: Path) -> Backup:
    sums: dict[str, dict[str, int | str]] = {}
    try:
        # Accept only an uncompressed tar: its content takes no more space than the file.
        with tarfile.open(file, "r:") as tar:
            for number, member in enumerate(tar):
                if number >= MAX_MEMBERS:
                    raise ValueError(f"it has more than {MAX_MEMBERS:,} files")
                _unpack(tar, member, folder, sums)
                # Forget the members: `tarfile` would keep all of them in memory.
                tar.members = []  # type: ignore[attr-defined]
    except (tarfile.TarError, OSError, ValueError, EOFError, OverflowError) as failed:
        raise StartError(f"{file} cannot be unpacked: {failed}; nothing was restored") from failed
    rows, files = folder / _ROWS, folder / _FILES
    if not rows.is_file():
        raise StartError(f"{file} is no backup of llmbench; nothing was restored")
    _check_sums(file, folder / _MANIFEST, sums)
    return Backup(rows, files if files.is_dir() else None)


def _check_sums(file: Path, manifest: Path, sums: Mapping[str, Mapping[str, int | str]]) -> None:
    """Compare `sums`, the checksums of the unpacked files, with those in the backup's file `manifest`. Raises
    StartError if they differ. A backup of an earlier version has no such file and is not checked."""
    if not manifest.is_file():
        return
    try:
        if manifest.stat().st_size > _MAX_MANIFEST_BYTES:
            raise ValueError("too large")
        packed = json.loads(manifest.read_bytes())["members"]
        names = sorted(packed.keys() | (sums.keys() - {_MANIFEST}))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StartError(f"{file} is damaged: its list of checksums cannot be read; nothing was restored") from None
    for name in names:
        if packed.get(name) != sums.get(name):
            why = "is missing" if name not in sums else "was added" if name not in packed else "has another checksum"
            raise StartError(f"{file} is damaged or was changed: {name!r} {why}; nothing was restored")


def _unpack(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path, sums: dict[str, dict[str, int | str]]) -> None:
    """Unpack a file or a folder of the tar into `folder`, and add a file's checksum to `sums`.

    Raises ValueError for anything else, such as a link, and for a file that ends too early. Also raises it for a path
    that `llmbench` never writes into a backup, such as one with `..`.

    The filters of `tarfile` are not used: they came with Python 3.11.4, and Debian 12 has 3.11.2.
    """
    parts = PurePosixPath(member.name).parts
    is_file = member.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and member.sparse is None
    is_ours = parts in ((_ROWS,), (_MANIFEST,)) if is_file and len(parts) == 1 else parts[:1] == (_FILES,)
    if (
        not is_ours
        or len(parts) > _MAX_DEPTH
        or ".." in parts
        or "\0" in member.name
        or not (is_file or member.isdir())
    ):
        raise ValueError(f"{member.name[:80]!r} is not one of its files")
    target = folder.joinpath(*parts)
    if member.isdir():
        target.mkdir(parents=True, exist_ok=True, mode=0o700)
        return
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    source = tar.extractfile(member)
    assert source is not None  # extractfile() returns None only for members that are not regular files
    hashed = _Hashed(source)
    with source, open(target, "xb", opener=_private) as unpacked:  # never readable for others
        shutil.copyfileobj(hashed, unpacked)
        if unpacked.tell() != member.size:
            raise ValueError(f"{member.name[:80]!r} ends too early")
    sums[PurePosixPath(*parts).as_posix()] = {"bytes": member.size, "sha256": hashed.sum.hexdigest()}


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def put_back(place: Path, files: Path) -> None:
    """Move everything in `files` into `place`, the folder of uploaded files. A file of the same name is replaced.

    Other files in `place` are kept, because another database may use them. Raises StartError if a file cannot be
    written, or would be written through a link.
    """
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        for path in sorted(files.rglob("*")):
            target = place / path.relative_to(files)
            if any(part.is_symlink() for part in (target, *target.parents) if place in part.parents):
                raise StartError(f"{target} is, or lies behind, a link: move it away; nothing was restored")
            if path.is_dir():
                target.mkdir(exist_ok=True, mode=0o700)
            else:
                shutil.move(path, target)
    except OSError as failed:
        raise StartError(
            f"the uploaded files cannot be written to {place}: {failed.strerror}; correct that and restore again. "
            f"Only some of them were restored"
        ) from failed
