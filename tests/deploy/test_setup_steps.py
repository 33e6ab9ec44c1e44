"""Test `scripts/step.sh`, which runs one step of the set-up: it is quiet, explains a failure, and ends at Ctrl-C."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from llmbench_cli.embedded.binaries import checkout

TITLE = "web: building"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a copy of `scripts/step.sh`, and nothing else of the checkout. Its path contains a space."""
    root = tmp_path / "some checkout"
    (root / "scripts").mkdir(parents=True)
    shutil.copy(checkout() / "scripts" / "step.sh", root / "scripts")
    return root


def _command(folder: Path, code: str, *options: str) -> list[str]:
    return [str(folder / "scripts" / "step.sh"), *options, TITLE, "bash", "-c", code]


def _run(folder: Path, code: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(_command(folder, code, *options), capture_output=True, text=True, check=False)


def test_output_of_a_step_goes_to_its_log(folder: Path) -> None:
    ended = _run(folder, "echo 500 lines; echo a warning >&2", "--usual", "15")
    first, last = ended.stdout.splitlines()
    assert first == "── web: building, usually 15 s (log: .venv/setup.log)"
    assert last.startswith("   done in ")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "500 lines\na warning\n" in (folder / ".venv" / "setup.log").read_text("utf-8")


def test_failed_step_prints_the_end_of_its_log_and_a_hint(folder: Path) -> None:
    _run(folder, "echo an earlier step")
    ended = _run(folder, "for i in $(seq 1 50); do echo line $i; done; exit 3", "--hint", "Free some disk space.")
    assert ended.returncode == 3
    assert "line 50" in ended.stderr
    assert "line 1\n" not in ended.stderr
    assert "an earlier step" not in ended.stderr
    assert ended.stderr.splitlines()[-1] == (
        "error: web: building failed. Free some disk space. Then give the same command again: what is done stays done."
    )


def test_ctrl_c_ends_the_command_of_a_step(folder: Path) -> None:
    os.mkfifo(folder / "started")
    command = _command(folder, f"echo $$ >'{folder}/started'; exec sleep 600")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as step:
        pid = int((folder / "started").read_text("utf-8"))
        # A terminal sends Ctrl-C to every process of the group.
        os.killpg(step.pid, signal.SIGINT)
        _, errors = step.communicate(timeout=60)
    assert step.returncode == 130
    assert "web: building: interrupted" in errors
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
