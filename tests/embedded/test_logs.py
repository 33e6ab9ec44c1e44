"""Test that log files stay bounded while processes write to them, and which line is reported as the reason for a
process's end."""

import asyncio
import sys
from pathlib import Path

from llmbench_cli.embedded.logs import last_messages, rotate
from llmbench_cli.embedded.process import ProcessSpec, end, spawn


async def _at_once() -> None:
    """Do nothing. As a probe of readiness, this succeeds at once, because these tests do not wait for readiness."""


def test_small_log_is_not_rotated(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("small")
    assert not rotate(log, max_bytes=100)
    assert log.read_text() == "small"


def test_rotation_keeps_the_newest_parts(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    for text in ("one", "two", "three", "four"):
        log.write_text(text * 10)
        assert rotate(log, max_bytes=10, keep=2)
    assert log.read_text() == ""
    assert (tmp_path / "x.log.1").read_text() == "four" * 10
    assert (tmp_path / "x.log.2").read_text() == "three" * 10
    assert not (tmp_path / "x.log.3").exists()


async def test_process_continues_to_write_after_a_rotation(tmp_path: Path) -> None:
    log, go = tmp_path / "x.log", tmp_path / "go"
    program = (
        "import pathlib, sys, time\n"
        "print('before' * 100, flush=True)\n"
        f"while not pathlib.Path({str(go)!r}).exists(): time.sleep(0.01)\n"
        "print('after', flush=True)\n"
    )
    spec = ProcessSpec(name="x", command=(sys.executable, "-c", program), log=log, ready=_at_once)
    process = await spawn(spec)
    try:
        async with asyncio.timeout(90):
            while not last_messages(log).startswith("before"):
                await asyncio.sleep(0.01)
            assert rotate(log, max_bytes=100)
            go.touch()
            await process.wait()
        assert log.read_bytes() == b"after\n"
    finally:
        await end(process, spec)


def test_last_words_are_the_last_nonempty_line(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("first\nlast\n\n")
    assert last_messages(log) == "last"
    assert last_messages(tmp_path / "absent.log") == ""


def test_last_words_of_a_json_log_are_its_message(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text('{"level": "ERROR", "message": "it is over"}\n')
    assert last_messages(log) == "it is over"
    log.write_text('{"message": "failed", "exception": "Traceback:\\n  …\\nValueError: no"}\n')
    assert last_messages(log) == "ValueError: no"
    log.write_text('{"neither": 1}\n')
    assert last_messages(log) == '{"neither": 1}'
