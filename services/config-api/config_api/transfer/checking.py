"""Rows become tasks here, the same way for all formats: what is bad is named by line and field."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import TextIOWrapper
from itertools import islice
from typing import IO, Any

from pydantic import ValidationError

from config_api.tasks.schemas import TaskIn
from config_api.transfer.formats.base import Fault, Format, Found, Note, Suggested
from config_api.transfer.schemas import MAX_IMPORT_TASKS, MOST_SHOWN, BadRow, ImportNote
from llmbench.contracts.check import CASE_CHECKS
from llmbench.files.unreadable import Unreadable

CHUNK = 500
MOST_SUGGESTED = 20
MAX_CHARACTERS = 40_000_000
"""Of all tasks together. A file is no larger itself, but a template can multiply what it holds."""


@dataclass(frozen=True)
class NumberedTask:
    line: int
    task: TaskIn


@dataclass
class Findings:
    """What is said about the file afterwards. Grows while it is read."""

    rows: int = 0
    bad_rows: list[BadRow] = field(default_factory=list)
    bad_row_count: int = 0
    notes: list[ImportNote] = field(default_factory=list)
    note_count: int = 0
    suggested: list[dict[str, Any]] = field(default_factory=list)
    with_checks: bool = False

    def bad(self, line: int, *faults: tuple[str | None, str]) -> None:
        """One bad row, with all that is wrong with it."""
        self.bad_row_count += 1
        for name, message in faults[: MOST_SHOWN - len(self.bad_rows)]:
            self.bad_rows.append(BadRow(line=line, field=name and _sayable(name), message=_sayable(message)))

    def note(self, note: Note) -> None:
        """What is said of several rows is listed once, with how often."""
        self.note_count += 1
        message = _sayable(note.message)
        there = next((one for one in self.notes if one.message == message), None)
        if there is not None:
            there.count += 1
        elif len(self.notes) < MOST_SHOWN:
            self.notes.append(ImportNote(line=note.line, message=message))

    def suggest(self, evaluator: Mapping[str, object]) -> None:
        if evaluator not in self.suggested and len(self.suggested) < MOST_SUGGESTED:
            self.suggested.append(dict(evaluator))

    def evaluators(self) -> list[dict[str, Any]]:
        """Those that a run over the tasks needs; none where the usual ones will do."""
        if not self.suggested:
            return [{"kind": CASE_CHECKS}] if self.with_checks else []
        return ([{"kind": CASE_CHECKS}] if self.with_checks else []) + self.suggested


def chunks(file: IO[bytes], format_: Format, *, stem: str, findings: Findings) -> Iterator[list[NumberedTask]]:
    """The good tasks, up to `CHUNK` at a time. Raises `Unreadable`."""
    # `\n` alone ends a line: texts within quotes keep their `\r`, and lines count as in an editor.
    text = TextIOWrapper(file, encoding="utf-8-sig", newline="\n")
    good = _good(format_.read(text, stem), findings)
    while chunk := list(islice(good, CHUNK)):
        yield chunk


def _good(found: Iterator[Found], findings: Findings) -> Iterator[NumberedTask]:
    lines: dict[str, int] = {}
    characters = 0
    for part in found:
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
            findings.bad(part.line, *_faults(error))
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


def _faults(error: ValidationError) -> list[tuple[str | None, str]]:
    """Without the "Value error, " that pydantic puts before what our own validators say."""
    return [
        (
            ".".join(str(step)[:80] for step in fault["loc"]) or None,
            str(fault["ctx"]["error"]) if fault["type"] == "value_error" else fault["msg"],
        )
        for fault in error.errors(include_url=False, include_input=False)
    ]


def _sayable(text: str) -> str:
    """Half a surrogate pair, which JSON can hold and UTF-8 cannot, becomes a question mark."""
    return text.encode("utf-8", errors="replace").decode()
