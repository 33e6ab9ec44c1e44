"""Convert rows into tasks, the same way for all formats. Errors name the line and the field."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import TextIOWrapper
from itertools import islice
from typing import IO, Any

from pydantic import ValidationError

from config_api.tasks.schemas import TaskIn
from config_api.transfer.formats.base import Fault, FileItem, Format, Note, Suggested
from config_api.transfer.schemas import MAX_IMPORT_TASKS, MOST_SHOWN, BadRow, ImportNote
from llmbench.contracts.check import CASE_CHECKS
from llmbench.faults import faults_of
from llmbench.files.unreadable import Unreadable

CHUNK = 500
MOST_SUGGESTED = 20
MAX_CHARACTERS = 40_000_000
"""The maximum number of characters in all tasks of a file.

The size of a file is limited, too, but a template in it can multiply its content.
"""


@dataclass(frozen=True)
class NumberedTask:
    line: int
    task: TaskIn


@dataclass
class Findings:
    """The errors, notes and suggested evaluators of a file. They are collected while the file is read."""

    rows: int = 0
    bad_rows: list[BadRow] = field(default_factory=list)
    bad_row_count: int = 0
    notes: list[ImportNote] = field(default_factory=list)
    note_count: int = 0
    suggested: list[dict[str, Any]] = field(default_factory=list)
    with_checks: bool = False

    def bad(self, line: int, *faults: tuple[str | None, str]) -> None:
        """Count one invalid row, and add its errors to `bad_rows`, up to `MOST_SHOWN` in total."""
        self.bad_row_count += 1
        for name, message in faults[: MOST_SHOWN - len(self.bad_rows)]:
            self.bad_rows.append(BadRow(line=line, field=name and _encodable(name), message=_encodable(message)))

    def note(self, note: Note) -> None:
        """Add a note. A note about several rows is listed once, with the number of rows. `notes` lists `MOST_SHOWN` at
        most; `note_count` counts all."""
        self.note_count += 1
        message = _encodable(note.message)
        existing = next((note for note in self.notes if note.message == message), None)
        if existing is not None:
            existing.count += 1
        elif len(self.notes) < MOST_SHOWN:
            self.notes.append(ImportNote(line=note.line, message=message))

    def suggest(self, evaluator: Mapping[str, object]) -> None:
        if evaluator not in self.suggested and len(self.suggested) < MOST_SUGGESTED:
            self.suggested.append(dict(evaluator))

    def evaluators(self) -> list[dict[str, Any]]:
        """Return the evaluators that a run over the tasks needs; an empty list if the default evaluators suffice."""
        if not self.suggested:
            return [{"kind": CASE_CHECKS}] if self.with_checks else []
        return ([{"kind": CASE_CHECKS}] if self.with_checks else []) + self.suggested


def chunks(file: IO[bytes], format_: Format, *, stem: str, findings: Findings) -> Iterator[list[NumberedTask]]:
    """Yield the valid tasks in chunks of up to `CHUNK`. Errors and notes are added to `findings`. Raises `Unreadable`.

    `stem` is the file's name without its extension.
    """
    # Only `\n` ends a line: texts in quotes keep their `\r`, and line numbers match those of an editor.
    text = TextIOWrapper(file, encoding="utf-8-sig", newline="\n")
    good = _good(format_.read(text, stem), findings)
    while chunk := list(islice(good, CHUNK)):
        yield chunk


def _good(items: Iterator[FileItem], findings: Findings) -> Iterator[NumberedTask]:
    lines: dict[str, int] = {}
    characters = 0
    for part in items:
        if isinstance(part, Note):
            findings.note(part)
            continue
        if isinstance(part, Suggested):
            findings.suggest(part.evaluator)
            continue
        findings.rows += 1
        if findings.rows > MAX_IMPORT_TASKS:
            raise Unreadable(part.line, f"holds more than {MAX_IMPORT_TASKS} tasks; import it in parts")
        if isinstance(part, Fault):
            findings.bad(part.line, (part.field, part.message))
            continue
        try:
            task = TaskIn.model_validate(part.fields)
        except ValidationError as error:
            findings.bad(part.line, *((fault.field or None, fault.message) for fault in faults_of(error, TaskIn)))
            continue
        if task.task_id in lines:
            findings.bad(part.line, ("task_id", f"is also on line {lines[task.task_id]}: {task.task_id}"))
            continue
        lines[task.task_id] = part.line
        findings.with_checks = findings.with_checks or bool(task.checks)
        characters += sum(
            len(value if isinstance(value, str) else str(value)) for value in task.stored().values() if value
        )
        if characters > MAX_CHARACTERS:
            raise Unreadable(part.line, f"makes tasks of more than {MAX_CHARACTERS} characters; import it in parts")
        yield NumberedTask(part.line, task)


def _encodable(text: str) -> str:
    """Replace unpaired surrogates, which JSON can contain and UTF-8 cannot, with question marks."""
    return text.encode("utf-8", errors="replace").decode()
