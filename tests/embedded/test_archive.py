"""Test how a backup is packed into one file, without a database. Unpacking reproduces the content, and writes no file
outside the target folder.
"""

import io
import tarfile
from pathlib import Path

import pytest

from llmbench_cli.embedded import archive
from llmbench_cli.embedded.binaries import checkout
from llmbench_cli.embedded.errors import StartError


def test_archive_round_trip_preserves_rows_and_files(tmp_path: Path) -> None:
    files, rows, file = tmp_path / "files", tmp_path / "rows", tmp_path / "backup"
    (files / "org" / "v1").mkdir(parents=True)
    (files / "org" / "v1" / "a.csv").write_bytes(b"a\r\n")
    (files / "link").symlink_to("/etc/passwd")
    rows.write_bytes(b"PGDMP")
    archive.pack(file, rows=rows, files=files)
    with archive.unpacked(file, inside=tmp_path / "home") as backup:
        assert backup.rows.read_bytes() == b"PGDMP"
        assert backup.files is not None
        (tmp_path / "place").mkdir()
        (tmp_path / "place" / "old").touch()
        (tmp_path / "place" / "org" / "v1").mkdir(parents=True)
        (tmp_path / "place" / "org" / "v1" / "a.csv").write_bytes(b"damaged")
        archive.put_back(tmp_path / "place", backup.files)
    assert sorted(path.name for path in (tmp_path / "place").rglob("*") if path.is_file()) == ["a.csv", "old"]
    assert (tmp_path / "place" / "org" / "v1" / "a.csv").read_bytes() == b"a\r\n"
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("folder", [True, False])
def test_archive_distinguishes_no_files_from_no_folder_of_files(tmp_path: Path, *, folder: bool) -> None:
    rows, file = tmp_path / "rows", tmp_path / "backup"
    rows.write_bytes(b"PGDMP")
    archive.pack(file, rows=rows, files=tmp_path / "absent" if folder else None)
    with archive.unpacked(file, inside=tmp_path) as backup:
        assert (backup.files is not None) is folder


def test_old_backup_without_files_is_read_as_rows(tmp_path: Path) -> None:
    file = tmp_path / "backup"
    file.write_bytes(b"PGDMP and more")
    with archive.unpacked(file, inside=tmp_path) as backup:
        assert backup == archive.Backup(file, None)


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside", "files/../../outside"])
def test_hostile_archive_writes_nothing_outside_its_folder(tmp_path: Path, name: str) -> None:
    file = tmp_path / "backup"
    with tarfile.open(file, "w") as tar:
        entry = tarfile.TarInfo(name)
        entry.size = 1
        tar.addfile(entry, io.BytesIO(b"x"))
    with (
        pytest.raises(StartError, match=r"cannot be unpacked|no backup"),
        archive.unpacked(file, inside=tmp_path / "home"),
    ):
        pass
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["backup"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_in_an_archive_are_refused(tmp_path: Path, kind: bytes) -> None:
    file = tmp_path / "backup"
    with tarfile.open(file, "w") as tar:
        link = tarfile.TarInfo("files")
        link.type, link.linkname = kind, str(tmp_path)
        tar.addfile(link)
        through = tarfile.TarInfo("files/written")
        through.size = 1
        tar.addfile(through, io.BytesIO(b"x"))
    with (
        pytest.raises(StartError, match="'files' is not one of its files"),
        archive.unpacked(file, inside=tmp_path / "home"),
    ):
        pass
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["backup"]


def test_truncated_backup_is_reported_in_one_sentence(tmp_path: Path) -> None:
    rows, whole, file = tmp_path / "rows", tmp_path / "whole", tmp_path / "backup"
    rows.write_bytes(b"PGDMP" * 10_000)
    archive.pack(whole, rows=rows, files=None)
    file.write_bytes(whole.read_bytes()[:20_000])
    with pytest.raises(StartError, match="cannot be unpacked"), archive.unpacked(file, inside=tmp_path):
        pass


def test_extractall_is_not_used_because_debians_python_lacks_its_filter() -> None:
    """The command line's source must not call tarfile's `extractall`. Its safe form, `extractall(filter=…)`, needs
    Python 3.11.4, and Debian 12 has 3.11.2."""
    callers = [path for path in (checkout() / "cli" / "llmbench_cli").rglob("*.py") if "extractall" in path.read_text()]
    assert not callers
