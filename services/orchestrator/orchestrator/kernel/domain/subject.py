"""The subject of a run: what the runs that are compared with one baseline have in common."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class SubjectKind(StrEnum):
    """The kinds of subjects. A new kind needs a table in `orchestrator.kernel.adapters.subjects`, and a column of `run`
    and of `baseline`."""

    PRESET = "preset"


@dataclass(frozen=True)
class Subject:
    kind: SubjectKind
    id: UUID
