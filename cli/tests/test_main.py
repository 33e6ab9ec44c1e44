"""Test that every failing command prints one line, and ends with a documented exit code."""

import http.server
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from llmbench_cli.errors import CommandFailed
from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.main import commands, error_line

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "exit-codes.md"
SOME_ID = "0198c0de-0000-7000-8000-000000000000"
AWAY = "http://127.0.0.1:1"
ON_THE_PLATFORM = (
    "list",
    f"show {SOME_ID}",
    f"watch {SOME_ID}",
    f"compare {SOME_ID}",
    f"report {SOME_ID}",
    f"retry {SOME_ID}",
    f"pause {SOME_ID}",
    f"resume {SOME_ID}",
    f"cancel {SOME_ID}",
    f"delete {SOME_ID} --yes",
    f"gate check {SOME_ID} --margin 0.1",
    "events --run last",
    "datasets list",
    "datasets create name",
    "datasets upload name {folder}/binary.csv",
    "datasets publish name",
    "datasets sample name 3",
    "datasets export name",
    "documents list",
    "documents add {folder}/binary.csv",
    "documents show name",
    "documents delete name",
    f"documents draft {SOME_ID} --dataset x",
    "documents generate name --model a:b",
    "presets list",
    "presets create name",
    "presets delete name",
    "suites list",
    "suites show name",
    "suites add everyday",
    "suites run name --model a:b",
    "import {folder}/binary.csv",
    "evaluate {folder}/binary.csv --metric contains",
    "evaluate --input a --output b --metric contains",
)
ON_FILES = (
    "run {folder}/binary.csv",
    "run missing.yaml",
    "presets import {folder}/binary.csv",
    "sql nonsense --data {folder}",
    "export-tasks {folder}/tasks.csv --url nonsense",
)


@pytest.fixture(scope="module")
def foreign() -> Iterator[str]:
    """Run a web server that answers with JSON but is not llmbench. Yield its URL."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            body = json.dumps(["hello"]).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_DELETE = _answer

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


def _line(command: str, folder: Path) -> str:
    """Write a binary file into the folder, for commands that read one, and run the command. Return the single line with
    which it fails."""
    (folder / "binary.csv").write_bytes(bytes(range(256)))
    nowhere = CliRunner(env={"LLMBENCH_NATS_URL": "nats://127.0.0.1:1"})
    done = nowhere.invoke(commands, [word.format(folder=folder) for word in command.split()])
    failed = done.exception
    if failed is None or isinstance(failed, SystemExit):
        assert done.exit_code in set(ExitCode), command
        assert done.exit_code != ExitCode.OK, command
        return done.stderr
    assert isinstance(failed, Exception)
    line = error_line(failed)
    assert "unexpected error" not in line, f"{command}: {line}"
    return line


@pytest.mark.parametrize("command", ON_THE_PLATFORM)
def test_unreachable_platform_is_reported_in_one_line(command: str, tmp_path: Path) -> None:
    assert f"nothing answers at {AWAY}: start the platform" in _line(f"{command} --url {AWAY}", tmp_path)


@pytest.mark.parametrize("command", ON_THE_PLATFORM)
def test_server_that_is_not_llmbench_is_reported_in_one_line(command: str, foreign: str, tmp_path: Path) -> None:
    assert "is not llmbench" in _line(f"{command} --url {foreign}", tmp_path)


@pytest.mark.parametrize("command", ON_FILES)
def test_invalid_file_is_reported_in_one_line(command: str, tmp_path: Path) -> None:
    assert _line(command, tmp_path).strip()


def test_unexpected_error_asks_for_a_report_and_a_known_one_does_not() -> None:
    with pytest.raises(KeyError) as caught:
        _ = os.environ["THERE_IS_NO_SUCH_VARIABLE"]
    assert "please report it: KeyError: 'THERE_IS_NO_SUCH_VARIABLE'" in error_line(caught.value)
    assert error_line(CommandFailed("there is no run")) == "there is no run"
    assert error_line(PermissionError(13, "Permission denied", "runs.csv")) == "runs.csv: Permission denied"


def test_documentation_lists_every_exit_code() -> None:
    text = PAGE.read_text()
    for exit_code in ExitCode:
        assert f"| {exit_code.value} | {exit_code.meaning} |" in text
