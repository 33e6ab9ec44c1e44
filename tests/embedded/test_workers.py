"""Test `scripts/workers.sh`, which chooses the number of parallel test processes by cores and memory."""

import os
import subprocess
from pathlib import Path

import pytest

from llmbench_cli.embedded.binaries import checkout


def _workers(limit: Path) -> int:
    printed = subprocess.run(
        [checkout() / "scripts" / "workers.sh"],
        env={**os.environ, "CGROUP_MEMORY": str(limit)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return int(printed)


def test_small_memory_limit_allows_one_process(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    limit.write_text(f"{2 * 1024**3}\n")
    assert _workers(limit) == 1
    limit.write_text(f"{100 * 1024**2}\n")
    assert _workers(limit) == 1


@pytest.mark.parametrize("content", ["max\n", "9223372036854771712\n", "", None])
def test_missing_memory_limit_means_the_machines_memory(tmp_path: Path, content: str | None) -> None:
    limit = tmp_path / "memory.max"
    if content is not None:
        limit.write_text(content)
    assert 1 <= _workers(limit) <= os.sysconf("SC_NPROCESSORS_ONLN") + 2
