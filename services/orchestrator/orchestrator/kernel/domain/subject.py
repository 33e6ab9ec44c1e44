"""The subject of a run: the object, such as a preset, whose runs are compared with the same baseline."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class SubjectKind(StrEnum):
    """The kinds of subjects. A new kind needs an entry in `orchestrator.kernel.adapters.subjects`, and a column in each
    of the tables `run` and `baseline`."""

    PRESET = "preset"
    SUITE = "suite"


@dataclass(frozen=True)
class Subject:
    """A subject: its kind and its id. A suite's id here is the id of its family, which all its versions share."""

    kind: SubjectKind
    id: UUID
