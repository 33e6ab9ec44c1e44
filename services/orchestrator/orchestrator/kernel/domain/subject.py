"""The subject of a run: what the runs that are compared with one baseline have in common."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class SubjectKind(StrEnum):
    """The kinds of subjects. A new kind needs a table in `orchestrator.kernel.adapters.subjects`, and a column of `run`
    and of `baseline`."""

    PRESET = "preset"
    SUITE = "suite"


@dataclass(frozen=True)
class Subject:
    """A subject. The id of a suite is that of its family, which all of its versions share."""

    kind: SubjectKind
    id: UUID
