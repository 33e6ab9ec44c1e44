"""Run pytest, and run each failed test once more: alone, afterwards, in a separate process.

    python -m tests.retry_failed run FOLDER [--later] [arguments of pytest …]
    python -m tests.retry_failed again FOLDER

A test that passes the second time is listed under "flaky" with its first failure; it does not fail the run. A test with
the mark `never_rerun` has only one try, and so has a test whose process crashed. A run fails if it was interrupted,
could not collect a file or ran no test. With `--later`, the second try is left to a call of `again`.
"""

import json
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.retry_failed.outcome import Failure, Outcome

MOST_AGAIN = 25
"""The maximum number of failed tests for a second try. More failures are hardly chance, so then none is tried again."""
_TESTS_FAILED = 1
_INTERRUPTED = 2
_CRASHED = 3
_NO_TESTS = 5
_ALONE = ("--numprocesses=0", "--dist=no")


def pytest(arguments: list[str]) -> int:
    """Run pytest and return its exit status. If a signal ended it, return 128 plus the signal, as a shell does."""
    process = subprocess.Popen([sys.executable, "-m", "pytest", "-p", "tests.retry_failed.plugin", *arguments])
    # The terminal sends Ctrl-C to pytest, too. Ignore it here, so that this process ends after pytest.
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, lambda *_: None),
        signal.SIGTERM: signal.signal(signal.SIGTERM, lambda number, _: process.send_signal(number)),
    }
    try:
        status = process.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return 128 - status if status < 0 else status


def run_first_try(folder: Path, arguments: list[str]) -> int:
    """Run pytest with these arguments, store the outcome in `folder`, and return pytest's exit status."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "arguments.json").write_text(json.dumps(arguments))
    status = pytest([f"--outcomes={folder / 'first.jsonl'}", *arguments])
    (folder / "status").write_text(str(status))
    return status


def refusal(status: int, outcome: Outcome) -> int:
    """Return the exit status of the tests if the first try has failed and a second try is not allowed. Return 0 if the
    first try succeeded, or if its failed tests may be tried again."""
    if outcome.exitstatus != status:
        return status or _CRASHED
    if outcome.interrupted:
        return status or _INTERRUPTED
    if status == 0:
        return 0 if outcome.passed else _NO_TESTS
    if status != _TESTS_FAILED or not outcome.failures:
        return status
    return status if outcome.uncollected or len(retryable_failures(outcome)) > MOST_AGAIN else 0


def retryable_failures(outcome: Outcome) -> list[Failure]:
    """Return the failures of tests that may be tried again."""
    return [failure for failure in outcome.failures if not failure.final]


def run_second_try(folder: Path) -> int:
    """Run once more the failed tests that the first try recorded in `folder`, and print a report.

    Return 0 if every test has passed in one of the two tries. Run nothing, and return an exit status other than 0,
    if no first try is stored, if it was interrupted, or if too many tests failed.
    """
    if not (folder / "status").is_file():
        print(f"error: no finished run of the tests is known in {folder}", flush=True)
        return _CRASHED
    status = int((folder / "status").read_text())
    outcome = Outcome.read(folder / "first.jsonl")
    if refused := refusal(status, outcome):
        print(_why(refused, outcome), flush=True)
        if len(retryable_failures(outcome)) > MOST_AGAIN:
            _closing(len(outcome.passed), len(outcome.failures), outcome.skipped)
        return refused
    tried = retryable_failures(outcome)
    passed = _tried_again(folder, [failure.test for failure in tried]) if tried else frozenset()
    flaky = [failure for failure in tried if failure.test in passed]
    failed = [failure for failure in outcome.failures if failure.test not in passed]
    _report(flaky, failed)
    _closing(len(outcome.passed) + len(flaky), len(failed), outcome.skipped)
    return _TESTS_FAILED if failed else 0


def _tried_again(folder: Path, tests: list[str]) -> frozenset[str]:
    """Run only these tests, and return the tests that passed; an empty set if pytest did not end normally."""
    print(f"── {len(tests)} failed: once more, alone", flush=True)
    (folder / "only.json").write_text(json.dumps(tests))
    arguments = json.loads((folder / "arguments.json").read_text())
    outcomes = folder / "second.jsonl"
    status = pytest([f"--outcomes={outcomes}", *arguments, f"--only={folder / 'only.json'}", *_ALONE])
    outcome = Outcome.read(outcomes)
    ended = status in (0, _TESTS_FAILED) and outcome.exitstatus == status and not outcome.uncollected
    return outcome.passed & set(tests) if ended else frozenset()


def _why(status: int, outcome: Outcome) -> str:
    if status == _NO_TESTS:
        return "error: no test ran"
    if len(retryable_failures(outcome)) > MOST_AGAIN:
        return f"error: {len(outcome.failures)} tests failed. So many do not fail by chance: none was run again."
    return f"error: pytest ended with status {status}: nothing is run again"


def _report(flaky: list[Failure], failed: list[Failure]) -> None:
    if failed:
        print(f"\n══ failed: {len(failed)}")
    for failure in failed:
        print(f"{failure.test}: {failure.final or 'twice'}")
    if flaky:
        print(f"\n══ flaky: {len(flaky)} failed once and passed alone. The first failure of each:")
    for failure in flaky:
        print(f"\n── {failure.test}\n{failure.text.rstrip()}")


def _closing(passed: int, failed: int, skipped: int) -> None:
    print(f"\n{passed} passed, {failed} failed, {skipped} skipped", flush=True)


def _keep_temporary_files() -> None:
    """Have `scripts/in-memory.sh` keep the temporary files: a test has failed, even if its second try passes."""
    folder = Path(tempfile.gettempdir())
    if folder.name.startswith("llmbench-tests-"):
        (folder / "failed").touch()


def main(arguments: list[str]) -> int:
    match arguments:
        case ["run", folder, "--later", *rest]:
            status = run_first_try(Path(folder), rest)
            outcome = Outcome.read(Path(folder) / "first.jsonl")
            if refused := refusal(status, outcome):
                print(_why(refused, outcome), flush=True)
                return refused
            if outcome.failures:
                _keep_temporary_files()
                print(
                    f"── {len(retryable_failures(outcome))} failed: they get another try when all else is done",
                    flush=True,
                )
            return _TESTS_FAILED if len(retryable_failures(outcome)) < len(outcome.failures) else 0
        case ["run", folder, *rest]:
            run_first_try(Path(folder), rest)
            return run_second_try(Path(folder))
        case ["again", folder]:
            return run_second_try(Path(folder))
    print(__doc__)
    return 2


if __name__ == "__main__":
    # The text of a failure may have characters that the terminal cannot encode.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
