"""Test the process that reads untrusted files: it has no secrets, no access to network or files, and ends in time."""

import ctypes
import json
import os
import platform
import signal
import sys
from pathlib import Path
from typing import IO

import pytest

from llmbench.confined.bounded import MAX_LINE_BYTES, BoundedProcess

pytestmark = [
    pytest.mark.never_rerun,
    pytest.mark.skipif(
        not sys.platform.startswith("linux") or platform.machine() not in ("x86_64", "aarch64"),
        reason="elsewhere only the environment and the time are bounded",
    ),
]
PATIENCE_S = 240.0
HERE = str(Path(__file__).parent)
LANDLOCK = ctypes.CDLL(None).syscall(444, None, 0, 1) if sys.platform == "linux" else 3
"""The version of Landlock. Old kernels and some containers do not have it, and some have one that does not know all
rights."""


def probe(
    *arguments: str, stdin: IO[bytes] | int = -1, readable: Path | None = None, max_output_bytes: int | None = None
) -> BoundedProcess:
    path = f"{HERE}{os.pathsep}{readable}" if readable else HERE
    return BoundedProcess(
        "confined_probe",
        *arguments,
        stdin=stdin,
        environment={"PYTHONPATH": path},
        max_output_bytes=max_output_bytes,
    )


@pytest.mark.shows("S-24")
def test_process_has_its_input_but_no_secret_file_or_network(tmp_path: Path) -> None:
    secret, file = tmp_path / "master.key", tmp_path / "upload"
    module = tmp_path / "modules" / "module.py"
    module.parent.mkdir()
    module.write_text("one = 1")
    secret.write_text("key")
    file.write_text("hostile")
    # Popen would pass on this environment of the service by default.
    os.environ["LLMBENCH_MASTER_KEY_OF_TEST"] = "key"
    try:
        with (
            file.open("rb") as content,
            probe("try", str(secret), str(module), stdin=content, readable=module.parent) as process,
        ):
            line = process.line(PATIENCE_S)
            assert line is not None
            assert process.end() == 0
    finally:
        del os.environ["LLMBENCH_MASTER_KEY_OF_TEST"]
    outcomes = json.loads(line)
    if LANDLOCK < 1:
        for name in ("a file", "a new file", "its parent's environment"):
            outcomes[name] = "PermissionError"
    if LANDLOCK < 3:
        outcomes["a readable file's end"] = "PermissionError"
    else:
        assert module.read_text() == "one = 1"
    assert outcomes == {
        "environment": [],
        "network": "PermissionError",
        "unix socket": "PermissionError",
        "a file": "PermissionError",
        "a new file": "PermissionError",
        "a readable file": "done",
        "a readable file's end": "PermissionError",
        "its parent's environment": "PermissionError",
        "its parent's end": "PermissionError",
        "a program": "PermissionError",
        "memory": "MemoryError",
        "its input": "hostile",
        "a module": "decimal",
    }


@pytest.mark.shows("S-24")
def test_cpu_limit_kills_the_process() -> None:
    with probe("spin") as process:
        assert process.line(PATIENCE_S) is None
        assert process.end() in (-signal.SIGXCPU, -signal.SIGKILL)


@pytest.mark.shows("S-24")
def test_sleeping_process_is_killed_after_the_time_limit() -> None:
    with probe("sleep") as process:
        assert process.line(PATIENCE_S) == b"{}\n"
        assert list(process.lines(0.01)) == []
        assert process.exceeded == "time"
        assert process.end() == -signal.SIGKILL


def test_endless_line_kills_the_process() -> None:
    with probe("long", str(2 * MAX_LINE_BYTES // 3)) as process:
        assert list(process.lines(PATIENCE_S)) == [], "memory is limited too: it dies of its own line"
        assert process.end() != 0


@pytest.mark.shows("S-24")
def test_output_beyond_its_limit_kills_the_process() -> None:
    with probe("endless", max_output_bytes=1_000_000) as process:
        lines = list(process.lines(PATIENCE_S))
        assert process.exceeded == "output"
        assert process.end() == -signal.SIGKILL
    assert set(lines) == {b"\n"}
    assert len(lines) <= 1_000_000


def test_leaving_the_context_kills_the_process() -> None:
    with probe("sleep") as process:
        assert process.line(PATIENCE_S) == b"{}\n"
        assert process.is_running
    assert not process.is_running
