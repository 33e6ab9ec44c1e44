"""Make tasks from a table whose columns may have any names. The columns are recognised in the same way as in a
dataset's file.

A row becomes a test case first, and the case becomes a task. Fields that a task does not have, such as a context, are
kept in its metadata.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from config_api.transfer.formats.base import Note, named
from llmbench.files.cases import BadCase, Case, case_of
from llmbench.files.columns import Columns, chosen_map, lacking_columns

Fields = Mapping[str, Any]

OF_TASKS_ONLY: Final = ("category", "subcategory", "excellent", "good", "pass", "incorrect_answer_direction")
"""The fields of a task that a test case does not have."""
_GRADES: Final = OF_TASKS_ONLY[2:]
_ONLY_METADATA: Final = ("context", "conversation_id", "turn")


def task_map(given: Sequence[str]) -> dict[str, str]:
    """Parse the user's mapping, a list of texts `column=field`, and return the field of each column. Raises
    `ValueError`, whose message names the mistake."""
    return chosen_map(given, further=OF_TASKS_ONLY)


@dataclass
class TaskColumns:
    """Reads the rows of one file with columns of any name, and makes the fields of tasks from them.

    - `chosen`: the field of each column that the user mapped.
    - `category`: the category of rows that have none.
    - `stem`: the file's name without its extension; rows without an id are named after it.
    - `texts_only`: the file's format has only texts, as CSV does.
    """

    chosen: Mapping[str, str]
    category: str
    stem: str
    texts_only: bool
    rows: int = 0
    _own: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._columns = Columns({column: name for column, name in self.chosen.items() if name not in OF_TASKS_ONLY})

    def read(self, line: int, fields: Fields) -> tuple[dict[str, Any], list[Note]]:
        """Return the fields of the row's task, and notes about values that are kept only as metadata.

        Raises `BadCase` for an invalid row.
        """
        self.rows += 1
        own: dict[str, Any] = {}
        rest: dict[str, Any] = {}
        for column, value in fields.items():
            name = self._own_field(column)
            if name is None:
                rest[column] = value
                continue
            if name in own:
                raise BadCase([(column, "is there twice, under two names")])
            self._own[column] = (name, "chosen" if column in self.chosen else "name")
            own[name] = _text(value)
        case = case_of(self._columns.read(rest), texts_only=self.texts_only)
        lost = [name for name in _ONLY_METADATA if name in case.input]
        notes = [Note(line, f"a task has no {name}; it is kept as metadata") for name in lost]
        return self._task(case, own), notes

    def mapping(self) -> list[dict[str, str]]:
        own = [{"column": column, "field": name, "by": by} for column, (name, by) in self._own.items()]
        return [*own, *self._columns.mapping()]

    def unmapped(self) -> str | None:
        """Return a message about mapped columns that the file lacks, or `None`."""
        return lacking_columns(self.chosen, [*self._own, *self._columns.seen])

    def _own_field(self, column: str) -> str | None:
        if column in self.chosen:
            chosen = self.chosen[column]
            return chosen if chosen in OF_TASKS_ONLY else None
        name = "_".join(column.strip().lower().replace("-", " ").split())
        return name if name in OF_TASKS_ONLY and name not in self.chosen.values() else None

    def _task(self, case: Case, own: Mapping[str, Any]) -> dict[str, Any]:
        truth = dict(case.truth or {})
        rubric = dict(truth.pop("rubric", None) or {})
        answers = [case.expected_output, truth.pop("answer", None), *truth.pop("acceptable_answers", [])]
        grades = {name: rubric.pop(name) for name in _GRADES if name in rubric}
        metadata: dict[str, Any] = {name: case.input[name] for name in _ONLY_METADATA if name in case.input}
        metadata |= truth | ({"rubric": rubric} if rubric else {}) | case.metadata
        given = {name: value for name, value in own.items() if value not in (None, "")}
        return {
            "task_id": case.name if case.has_own_name else named(self.stem, self.rows),
            "category": self.category,
            "question": case.input["prompt"],
            **{name: case.input[name] for name in ("system_prompt", "conversation") if name in case.input},
            "accepted_answers": list(dict.fromkeys(answer for answer in answers if answer)),
            "metadata": metadata,
            "checks": case.checks,
            **grades,
            **given,
        }


def _text(value: Any) -> Any:
    """Return a number or truth value as a text. Other values are returned unchanged; the task's validation refuses
    those that are not texts."""
    return json.dumps(value) if isinstance(value, bool | int | float) else value
