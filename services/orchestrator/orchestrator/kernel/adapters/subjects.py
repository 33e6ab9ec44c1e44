"""Store and read the subject of a run or a baseline. The tables `run` and `baseline` have a column for each kind of
subject, which refers to the table of that kind."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, RowMapping, Table, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db import tables as t
from orchestrator.kernel.domain.subject import Subject, SubjectKind


@dataclass(frozen=True)
class _Kind:
    """A kind of subject. `table` stores its subjects with their names. `column` is the name of the column in `run` and
    in `baseline` that refers to `table`."""

    column: str
    table: Table


_KINDS: Final[Mapping[SubjectKind, _Kind]] = {
    SubjectKind.PRESET: _Kind("preset_id", t.evaluation_preset),
    SubjectKind.SUITE: _Kind("suite_family_id", t.suite_family),
}


def columns_of(subject: Subject | None) -> dict[str, UUID]:
    return {} if subject is None else {_KINDS[subject.kind].column: subject.id}


def subject_of(row: RowMapping | Mapping[Any, Any]) -> Subject | None:
    """Return the subject in a row of `run` or `baseline`; `None` if the row has none."""
    for kind, stored in _KINDS.items():
        if row[stored.column] is not None:
            return Subject(kind, row[stored.column])
    return None


def subject_columns(table: Table) -> list[ColumnElement[UUID | None]]:
    """Return the columns of `run` or `baseline` from which `subject_of` reads the subject."""
    return [table.c[stored.column] for stored in _KINDS.values()]


def is_of(table: Table, subject: Subject) -> ColumnElement[bool]:
    """Return the condition that a row of `run` or `baseline` belongs to the subject."""
    condition: ColumnElement[bool] = table.c[_KINDS[subject.kind].column] == subject.id
    return condition


async def names_of(connection: AsyncConnection, subjects: Iterable[Subject]) -> dict[Subject, str]:
    """Return the name of each subject, such as the name of a preset. Subjects that do not exist are left out."""
    wanted = set(subjects)
    found: dict[Subject, str] = {}
    for kind, stored in _KINDS.items():
        ids = [subject.id for subject in wanted if subject.kind is kind]
        if ids:
            query = select(stored.table.c.id, stored.table.c.name).where(stored.table.c.id.in_(ids))
            found |= {Subject(kind, row.id): row.name for row in await connection.execute(query)}
    return found
