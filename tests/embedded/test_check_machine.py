"""Test that prerequisites which the set-up cannot install are reported in one line, before the set-up begins."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from llmbench_cli.embedded.binaries import checkout

SCRIPT = checkout() / "scripts" / "check_machine.py"


def _check(*arguments: str) -> tuple[int, str]:
    ended = subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def test_complete_machine_prints_nothing() -> None:
    # The test does not use the temporary folder, which may be mounted noexec.
    assert _check(str(checkout())) == (0, "")


def test_missing_library_is_named_in_one_line() -> None:
    code, printed = _check(str(checkout()), "libc.so.6", "libnothing.so.9")
    assert code == 1
    assert printed.startswith("error: libnothing.so.9 missing.")
    assert len(printed.splitlines()) == 1


def test_disk_mounted_noexec_is_named() -> None:
    barred = next((mount for mount in _mounts() if os.statvfs(mount).f_flag & os.ST_NOEXEC), None)
    if barred is None:
        pytest.skip("nothing is mounted noexec here")
    code, printed = _check(str(barred))
    assert code == 1
    assert "mounted noexec" in printed


def _mounts() -> list[Path]:
    file = Path("/proc/mounts")
    lines = file.read_text().splitlines() if file.exists() else []
    folders = [Path(line.split()[1]) for line in lines]
    return [folder for folder in folders if os.access(folder, os.R_OK)]
