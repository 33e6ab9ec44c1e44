"""Read and write JSON: a list of tasks, each in the form of `POST /api/tasks`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, TextIO

from config_api.transfer.formats.base import Example, Fault, Format, Note, Row, Writing
from llmbench.files.json_text import NotJson, after_space, value_at
from llmbench.files.unreadable import Unreadable


def read(text: TextIO, stem: str) -> Iterator[Row | Fault | Note]:
    """Yield the tasks. The text is in memory, but only one parsed task at a time.

    Raises `Unreadable` if the text is not a JSON list.
    """
    content = text.read()
    position = after_space(content, 0)
    if position == len(content):
        return
    if content[position] != "[":
        raise Unreadable(_line(content, position), "a list of tasks is wanted: [{…}, {…}]")
    line, counted = 1, 0
    position = after_space(content, position + 1)
    while content[position : position + 1] != "]":
        line, counted = line + content.count("\n", counted, position), position
        try:
            value, position = value_at(content, position)
        except NotJson as error:
            raise Unreadable(_line(content, error.position), str(error)) from None
        if isinstance(value, dict):
            yield Row(line, value)
        else:
            yield Fault(line, None, "is not an object: a task is {…}")
        position = after_space(content, position)
        follows = content[position : position + 1]
        if follows == ",":
            position = after_space(content, position + 1)
            if content[position : position + 1] == "]":
                raise Unreadable(_line(content, position), "is not JSON: a comma before the end of the list")
        elif follows != "]":
            raise Unreadable(_line(content, position), "is not JSON: a comma or the end of the list is missing")
    end = after_space(content, position + 1)
    if end != len(content):
        raise Unreadable(_line(content, end), "is not JSON: something follows the list")


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _entry(fields: Mapping[str, Any], is_first: bool) -> str:
    indented = json.dumps(fields, ensure_ascii=False, indent=2).replace("\n", "\n  ")
    return f"{'' if is_first else ','}\n  {indented}"


FORMAT: Final = Format(
    name="json",
    title="JSON list",
    read=read,
    table=read,
    file_names=("*.json",),
    writing=Writing("application/json", "json", _entry, opening="[", closing="\n]\n"),
    examples=(
        Example(
            '[\n  {"task_id": "sum", "category": "arithmetic",\n   "question": "17 + 25?", "good": null},\n  7\n]\n',
            (
                Row(2, {"task_id": "sum", "category": "arithmetic", "question": "17 + 25?", "good": None}),
                Fault(4, None, "is not an object: a task is {…}"),
            ),
        ),
    ),
)
