"""Test that failed tests run once more, alone, and that the combined verdict is correct. The tests run pytest on
generated files."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from llmbench_cli.embedded.binaries import checkout

# Each generated test counts its tries in a file, and records the process that ran it.
HEAD = """
import os, pathlib, pytest

def tries(name):
    file = pathlib.Path(__file__).with_name(f"tries-{name}")
    with file.open("a") as counted:
        counted.write(os.environ.get("PYTEST_XDIST_WORKER", "alone") + "\\n")
    return len(file.read_text().splitlines())
"""
GOOD = """
def test_good():
    tries("good")
"""
FLAKY = """
def test_flaky():
    assert tries("flaky") > 1, "the first time it is too slow"
"""
TWICE = """
def test_twice():
    assert tries("twice") > 2, "it is simply wrong"
"""
KILL = """
@pytest.mark.never_rerun
def test_kill():
    assert tries("kill") > 1, "one answer was lost"
"""


@dataclass(frozen=True)
class CompletedRun:
    """A folder of generated tests, with the exit code and the output of running them."""

    folder: Path
    code: int
    printed: str

    @property
    def closing(self) -> str:
        return self.printed.strip().splitlines()[-1]

    @property
    def flaky(self) -> str:
        """Return the output's section "flaky"."""
        return self.printed.partition("══ flaky")[2]

    def tries(self, name: str) -> list[str]:
        file = self.folder / f"tries-{name}"
        return file.read_text().splitlines() if file.exists() else []


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    # There are forty runs of pytest, and loading all other plugins would take each a second.
    few = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist.plugin,pytest_timeout"}
    return kept | few | {"PYTHONPATH": str(checkout())}


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tests.retry_failed", *arguments]


def _called(folder: Path, *arguments: str) -> CompletedRun:
    ended = subprocess.run(
        _command(*arguments),
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return CompletedRun(folder, ended.returncode, ended.stdout)


def _write(folder: Path, body: str) -> None:
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    (folder / "test_made.py").write_text(HEAD + body)


def _run(folder: Path, body: str, *arguments: str) -> CompletedRun:
    _write(folder, body)
    return _called(folder, "run", "state", *arguments)


def test_run_without_failures_succeeds(tmp_path: Path) -> None:
    completed = _run(tmp_path, GOOD + "\ndef test_skipped():\n    pytest.skip('no docker')\n")
    assert (completed.code, completed.closing) == (0, "1 passed, 0 failed, 1 skipped")
    assert not completed.flaky
    assert completed.tries("good") == ["alone"]


def test_flaky_test_is_listed_with_its_first_failure_and_the_run_succeeds(tmp_path: Path) -> None:
    completed = _run(tmp_path, GOOD + FLAKY, "--numprocesses=2", "--dist=loadfile")
    assert (completed.code, completed.closing) == (0, "2 passed, 0 failed, 0 skipped"), completed.printed
    assert "test_made.py::test_flaky" in completed.flaky
    assert "the first time it is too slow" in completed.flaky
    # The first try is in a worker of pytest-xdist, the second alone in a separate process.
    assert [where[:2] for where in completed.tries("flaky")] == ["gw", "al"]
    assert [where[:2] for where in completed.tries("good")] == ["gw"]


def test_repeated_failure_fails_the_run_and_never_rerun_has_one_try(tmp_path: Path) -> None:
    completed = _run(tmp_path, GOOD + FLAKY + TWICE + KILL, "-n2")
    assert (completed.code, completed.closing) == (1, "2 passed, 2 failed, 0 skipped"), completed.printed
    assert (len(completed.tries("twice")), len(completed.tries("kill")), len(completed.tries("flaky"))) == (2, 1, 2)
    assert "test_made.py::test_twice: twice" in completed.printed
    assert "test_made.py::test_kill: one failure of it is enough" in completed.printed
    assert "test_flaky" in completed.flaky
    assert "test_twice" not in completed.flaky


def test_mark_applies_to_a_file_and_to_teardown_failures(tmp_path: Path) -> None:
    body = """
pytestmark = pytest.mark.never_rerun

@pytest.fixture
def ledger():
    yield
    assert tries("ledger") > 1, "paid twice"

def test_of_the_ledger(ledger):
    pass
"""
    completed = _run(tmp_path, body)
    assert (completed.code, completed.closing) == (1, "0 passed, 1 failed, 0 skipped"), completed.printed
    assert len(completed.tries("ledger")) == 1


def test_fixtures_classes_parameters_and_subtests_are_retried(tmp_path: Path) -> None:
    body = """
@pytest.fixture
def server():
    assert tries("server") > 1
    yield
    assert tries("teardown") > 1

def test_setup_and_teardown(server):
    pass

class TestOdd:
    @pytest.mark.parametrize("name", ["a b", "x::y[z]", "ü\\n", "-k", "a/b.py"])
    def test_names(self, name):
        assert tries("names") > 5

def test_parts(subtests):
    count = tries("parts")
    for part in range(3):
        with subtests.test(part=part):
            assert count > 1
"""
    completed = _run(tmp_path, body)
    # The first try failed in the setup, the second in the teardown: only a second try without failure shows chance.
    assert (completed.code, completed.closing) == (1, "6 passed, 1 failed, 0 skipped"), completed.printed
    assert "test_setup_and_teardown: twice" in completed.printed
    assert len(completed.tries("names")) == 10


@pytest.mark.parametrize("workers", [(), ("-n2",)], ids=["alone", "workers"])
def test_crash_of_a_process_fails_the_run(tmp_path: Path, workers: tuple[str, ...]) -> None:
    body = "\ndef test_crash():\n    tries('crash') > 1 or os._exit(0)\n"
    completed = _run(tmp_path, GOOD + body, *workers)
    assert completed.code != 0, completed.printed
    assert len(completed.tries("crash")) == 1


def test_crash_in_the_second_try_fails_the_run(tmp_path: Path) -> None:
    body = "\ndef test_crash():\n    tries('crash') == 1 or os._exit(0)\n    assert False\n"
    completed = _run(tmp_path, GOOD + body)
    assert (completed.code, completed.closing) == (1, "1 passed, 1 failed, 0 skipped"), completed.printed


def test_timed_out_test_is_retried(tmp_path: Path) -> None:
    body = """
@pytest.mark.timeout(0.1)
def test_hangs():
    import threading
    tries("hangs") > 1 or threading.Event().wait()
"""
    completed = _run(tmp_path, GOOD + body, "-n1")
    assert (completed.code, completed.closing) == (0, "2 passed, 0 failed, 0 skipped"), completed.printed
    assert len(completed.tries("hangs")) == 2


@pytest.mark.parametrize("workers", [(), ("-n2",)], ids=["alone", "workers"])
def test_file_that_cannot_be_collected_fails_the_run(tmp_path: Path, workers: tuple[str, ...]) -> None:
    (tmp_path / "test_broken.py").write_text("import nothing_of_this_name\n")
    completed = _run(tmp_path, GOOD + FLAKY, "--continue-on-collection-errors", *workers)
    assert completed.code != 0, completed.printed
    assert len(completed.tries("flaky")) < 2


@pytest.mark.parametrize("body", ["", "\ndef test_skipped():\n    pytest.skip('no docker')\n"], ids=["none", "skipped"])
def test_run_without_a_test_fails(tmp_path: Path, body: str) -> None:
    completed = _run(tmp_path, body)
    assert completed.code == 5
    assert "no test ran" in completed.printed


@pytest.mark.parametrize("end", ["raise KeyboardInterrupt", "pytest.exit('enough', returncode=0)"])
def test_interrupted_run_fails(tmp_path: Path, end: str) -> None:
    completed = _run(tmp_path, FLAKY + f"\ndef test_ends():\n    {end}\n")
    assert completed.code != 0, completed.printed
    assert len(completed.tries("flaky")) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["term", "int"])
def test_signal_ends_both_processes_and_the_run_fails(tmp_path: Path, number: signal.Signals) -> None:
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    body = f"""
def test_waits():
    with open({str(ready)!r}, "w") as opened:
        opened.write(str(os.getpid()))
    import threading
    threading.Event().wait()
"""
    _write(tmp_path, body)
    process = subprocess.Popen(
        _command("run", "state"), cwd=tmp_path, env=_environment(), stdout=subprocess.DEVNULL, start_new_session=True
    )
    pid = int(ready.read_text())
    if number == signal.SIGINT:
        # A terminal's Ctrl-C goes to the complete process group.
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    assert process.wait() != 0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_many_failures_are_not_retried(tmp_path: Path) -> None:
    body = """
@pytest.mark.parametrize("number", range(30))
def test_all(number):
    assert tries("all") > 30
"""
    completed = _run(tmp_path, GOOD + body)
    assert (completed.code, completed.closing) == (1, "1 passed, 30 failed, 0 skipped"), completed.printed
    assert len(completed.tries("all")) == 30


def test_second_try_can_be_postponed(tmp_path: Path) -> None:
    # The failure's text has a character that the terminal cannot encode.
    _write(tmp_path, GOOD + FLAKY.replace("too slow", "too slow \\udc80"))
    later = _called(tmp_path, "run", "state", "--later")
    assert (later.code, len(later.tries("flaky"))) == (0, 1), later.printed
    assert "another try" in later.closing
    completed = _called(tmp_path, "again", "state")
    assert (completed.code, completed.closing) == (0, "2 passed, 0 failed, 0 skipped"), completed.printed
    assert "the first time it is too slow \\udc80" in completed.flaky


def test_second_try_without_a_first_fails(tmp_path: Path) -> None:
    assert _called(tmp_path, "again", "state").code != 0
    _write(tmp_path, KILL)
    assert _called(tmp_path, "run", "state", "--later").code == 1
    # The run above has stored its outcome, so `again` gives the same result.
    assert _called(tmp_path, "again", "state").code == 1
