"""Test shared libraries that a minimal Linux lacks: a process gets them from a wheel, or one line of output names
them."""

import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from llmbench_cli.doctor import looks
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.libraries import OPENMP, carried, loader_path, require_openmp

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems' wheels bring their libraries along")


def nothing(_: str) -> bool:
    """Report that the machine does not have the shared library, as on a minimal Linux."""
    return False


def everything(_: str) -> bool:
    return True


@LINUX
def test_locked_wheel_contains_the_library_that_the_model_needs(tmp_path: Path) -> None:
    folder = tmp_path / "a home" / "libraries"
    assert carried() is not None
    found = loader_path(folder, machine=nothing)
    assert found["LD_LIBRARY_PATH"].split(":")[0] == str(folder)
    # The loader finds the copy in this path, so a process can load the model's library, which needs it.
    loaded = subprocess.run(
        [sys.executable, "-c", "import xllamacpp; print(open('/proc/self/maps').read())"],
        env={**os.environ, **found},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert str(carried()) in loaded


@LINUX
def test_broken_link_of_an_older_installation_is_replaced(tmp_path: Path) -> None:
    (tmp_path / OPENMP.name).symlink_to(tmp_path / "absent")
    loader_path(tmp_path, machine=nothing)
    ctypes.CDLL(str(tmp_path / OPENMP.name))
    assert [path.name for path in tmp_path.iterdir()] == [OPENMP.name]


def test_machine_with_its_own_library_uses_it(tmp_path: Path) -> None:
    assert loader_path(tmp_path, machine=everything) == {}
    assert not list(tmp_path.iterdir())


@LINUX
def test_home_path_with_a_colon_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="LLMBENCH_HOME without ':'"):
        loader_path(tmp_path / "a:b", machine=nothing)


@LINUX
def test_unavailable_library_is_named_before_the_start() -> None:
    require_openmp(machine=nothing)
    require_openmp(machine=everything)
    with pytest.raises(StartError, match=r"libgomp\.so\.1 is missing, .* apt install libgomp1; .*--no-model"):
        require_openmp(machine=nothing, copy=lambda: None)


@LINUX
def test_doctor_names_each_missing_library() -> None:
    found = {finding.name: finding for finding in looks.libraries(machine=nothing)}
    assert found["libgomp.so.1"].ok
    assert found["libgomp.so.1"].detail == "of the wheel zfpy"
    assert not found["libstdc++.so.6"].ok
    assert "apt install libstdc++6" in found["libstdc++.so.6"].advice
    assert all(finding.ok for finding in looks.libraries())


async def test_doctor_checks_each_program() -> None:
    assert {finding.name: finding.detail for finding in await looks.programs()} == {
        "postgres": "runs",
        "nats-server": "runs",
        "caddy": "runs",
    }


@pytest.fixture
def programs() -> Iterator[Path]:
    """Yield a folder for executables. The temporary folder is not used, because it may be mounted noexec."""
    with tempfile.TemporaryDirectory(dir=sys.prefix) as folder:
        yield Path(folder)


async def test_doctor_names_programs_that_do_not_run(programs: Path) -> None:
    lacks, barred = programs / "lacks", programs / "barred"
    lacks.write_text("#!/bin/sh\necho 'error while loading shared libraries: libx.so.9' >&2\nexit 127\n")
    lacks.chmod(0o755)
    barred.touch(0o644)
    found = await looks.programs({"lacks": lambda: lacks, "barred": lambda: barred, "absent": lambda: programs / "no"})
    assert not any(finding.ok for finding in found)
    assert all(finding.advice for finding in found)
    details = {finding.name: finding.detail for finding in found}
    assert "libx.so.9" in details["lacks"]
    assert "noexec" in details["barred"]
    assert "No such file" in details["absent"]
