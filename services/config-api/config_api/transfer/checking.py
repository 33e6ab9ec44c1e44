"""Convert rows into tasks, the same way for all formats. Errors name the line and the field."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import TextIOWrapper
from itertools import islice
from typing import IO, Any

from pydantic import ValidationError

from config_api.datasets.right_answers import Right, RightAnswers, has_choices
from config_api.tasks.schemas import TaskIn
from config_api.transfer.columns import TaskColumns
from config_api.transfer.formats.base import Fault, FileItem, Format, Note, Row, Suggested
from config_api.transfer.schemas import MAX_IMPORT_TASKS, MOST_SHOWN, BadRow, ImportNote
from llmbench.contracts.check import CASE_CHECKS
from llmbench.faults import faults_of
from llmbench.files.cases import BadCase
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
    right_answers: RightAnswers = field(default_factory=RightAnswers)

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
        """Return the evaluators that a run over the tasks needs. The list is empty if the default evaluators
        suffice."""
        if not self.suggested:
            return [{"kind": CASE_CHECKS}] if self.with_checks else []
        return ([{"kind": CASE_CHECKS}] if self.with_checks else []) + self.suggested


def chunks(
    file: IO[bytes], format_: Format, *, stem: str, findings: Findings, columns: TaskColumns | None = None
) -> Iterator[list[NumberedTask]]:
    """Yield the valid tasks in chunks of up to `CHUNK`, and add errors and notes to `findings`.

    `stem` is the file's name without its extension. With `columns`, the file may be a table whose columns have any
    names; without it, the file must have the fields of tasks. Raises `Unreadable` if the rest of the file cannot be
    read.
    """
    # Only `\n` ends a line: texts in quotes keep their `\r`, and line numbers match those of an editor.
    text = TextIOWrapper(file, encoding="utf-8-sig", newline="\n")
    if columns is not None and format_.table is not None:
        good = _good(_recognised(format_.table(text, stem), columns), findings)
    else:
        good = _good(format_.read(text, stem), findings)
    while chunk := list(islice(good, CHUNK)):
        yield chunk


def _recognised(items: Iterator[FileItem], columns: TaskColumns) -> Iterator[FileItem]:
    for part in items:
        if not isinstance(part, Row):
            yield part
            continue
        try:
            fields, notes = columns.read(part.line, part.fields)
        except BadCase as error:
            yield Fault(part.line, *error.faults[0], more=tuple(error.faults[1:]))
            continue
        yield from notes
        yield Row(part.line, fields)


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
            findings.bad(part.line, (part.field, part.message), *part.more)
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


def right_of_task(task: TaskIn) -> Right:
    answers = bool(task.accepted_answers or task.excellent)
    return Right(
        answers=answers,
        choices=answers and has_choices(task.metadata),
        grades=bool(task.excellent or task.good or task.pass_ or task.incorrect_answer_direction),
        citations=False,
        checks=bool(task.checks),
    )


def _encodable(text: str) -> str:
    """Replace unpaired surrogates, which JSON can contain and UTF-8 cannot, with question marks."""
    return text.encode("utf-8", errors="replace").decode()
