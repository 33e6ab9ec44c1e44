"""The part of a request that names the subject of a run or of a baseline."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from orchestrator.kernel.domain.subject import Subject, SubjectKind
from orchestrator.runs.api.input import Input

BaselineLabel = Annotated[
    str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]+$", description="Such as `main` or `v1.2`.")
]


class SubjectChoice(Input):
    """The subject of a run, such as a preset or a suite. A baseline is compared with the runs of its subject."""

    kind: SubjectKind
    id: UUID

    def chosen(self) -> Subject:
        return Subject(self.kind, self.id)
