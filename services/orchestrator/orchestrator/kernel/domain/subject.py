"""The subject of a run: the object, such as a preset, whose runs are compared with the same baseline."""

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
