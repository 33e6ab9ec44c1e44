"""Test the writing of log records: their formats, the ids of messages and traces in them, and the escaping of control
characters."""

import json
import logging
import subprocess
import sys

import pytest
from opentelemetry.trace import SpanKind

from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.observability.logs import bind_ids, bound, configure_logging
from llmbench.observability.telemetry import current_traceparent, incoming

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
COMMAND = GenerateCompletion.model_validate(GenerateCompletion.EXAMPLES[0])
PROGRAM = """
import logging
from llmbench.observability.logs import bound, configure_logging
configure_logging("judge", form={form!r})
with bound(run_id="r1"):
    try:
        raise ValueError("line one\\nline two")
    except ValueError:
        logging.getLogger("a.b").exception("it is %s", "ölig")
"""


def _written(form: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(form=form)], check=True, capture_output=True, text=True, encoding="utf-8"
    )
    return done.stderr


def test_records_without_a_terminal_are_lines_of_json() -> None:
    (line,) = _written("auto").splitlines()
    record = json.loads(line)
    assert record["message"] == "it is ölig"
    assert (record["level"], record["service"], record["logger"], record["run_id"]) == ("ERROR", "judge", "a.b", "r1")
    assert record["exception"].endswith("ValueError: line one\nline two")


def test_text_format_includes_the_ids() -> None:
    first = _written("text").splitlines()[0]
    assert first.endswith("ERROR   judge a.b: it is ölig [run_id=r1]")


HOSTILE = """
import logging
from llmbench.observability.logs import configure_logging
configure_logging("judge", form={form!r})
forged = "\\n2026-01-01 00:00:00,000 ERROR judge x: forged\\r\\x1b[2J\\x9b2J\\u2028\\u0085\\u202e{{'level': 'ERROR'}}"
logging.getLogger("a").warning("model %s", forged)
try:
    raise ValueError(forged)
except ValueError:
    logging.getLogger("a").exception("failed")
"""


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.shows("S-17")
def test_control_characters_in_a_log_record_are_escaped(form: str) -> None:
    done = subprocess.run([sys.executable, "-c", HOSTILE.format(form=form)], check=True, capture_output=True)
    written = done.stderr.decode()
    assert not [
        character for character in written if character != "\n" and (character < " " or "\x7f" <= character <= "\x9f")
    ]
    assert not {"\u2028", "\u202e"} & set(written)
    records = [line for line in written.splitlines() if not line.startswith("  ")]
    assert len(records) == 2, written
    assert "forged" in written
    if form == "json":
        assert all(json.loads(line)["service"] == "judge" for line in records)


def test_records_have_the_ids_of_message_and_trace(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        configure_logging("gateway", form="json")
        with bound(message_id="m1"), incoming(TRACE, "x", SpanKind.CONSUMER):
            bind_ids(COMMAND)
            logging.getLogger("x").warning("inside")
        logging.getLogger("x").warning("outside")
    finally:
        root.handlers[:], root.level = before
    inside, outside = map(json.loads, capsys.readouterr().err.splitlines())
    assert inside["message_id"] == "m1"
    assert inside["call_id"] == str(COMMAND.call_id)
    assert inside["item_id"] == str(COMMAND.item_id)
    assert inside["run_id"] == str(COMMAND.run_id)
    assert inside["trace_id"] == TRACE[3:35]
    assert "score_id" not in inside
    assert not {"run_id", "message_id", "trace_id"} & outside.keys()


@pytest.mark.parametrize("nonsense", [None, "", "00-zz-00-01", TRACE + "\r\nX: y", TRACE.upper()])
def test_malformed_trace_context_is_replaced(nonsense: str | None) -> None:
    with incoming(nonsense, "x", SpanKind.SERVER):
        assert current_traceparent() != nonsense
        assert current_traceparent() == current_traceparent()
        assert len(current_traceparent()) == len(TRACE)


def test_trace_context_continues_without_an_exporter() -> None:
    with incoming(TRACE, "x", SpanKind.SERVER) as span:
        assert current_traceparent() == TRACE
        assert not span.is_recording()
