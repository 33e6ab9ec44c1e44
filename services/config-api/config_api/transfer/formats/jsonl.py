"""Read and write JSON lines: one task per line, each in the form of `POST /api/tasks`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, TextIO

from config_api.transfer.formats.base import Example, Fault, Format, Note, Row, Writing
from llmbench.files.json_lines import rows


def read(text: TextIO, stem: str) -> Iterator[Row | Fault | Note]:
    for number, row in rows(text, "task"):
        yield Fault(number, None, row) if isinstance(row, str) else Row(number, row)


def _entry(fields: Mapping[str, Any], _: bool) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


FORMAT: Final = Format(
    name="jsonl",
    title="JSON lines",
    read=read,
    table=read,
    file_names=("*.jsonl", "*.ndjson"),
    writing=Writing("application/x-ndjson", "jsonl", _entry),
    examples=(
        Example(
            '{"task_id": "sum", "category": "arithmetic", "question": "17 + 25?"}\n\n[]\n{}{}\n',
            (
                Row(1, {"task_id": "sum", "category": "arithmetic", "question": "17 + 25?"}),
                Fault(3, None, "is not an object: a task is {…}"),
                Fault(4, None, "has something after its object"),
            ),
        ),
    ),
)
