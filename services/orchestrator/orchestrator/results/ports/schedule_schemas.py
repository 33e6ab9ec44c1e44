"""The schedule or the experiment that created a run, as the API shows it."""

from uuid import UUID

from pydantic import BaseModel


class ScheduleRef(BaseModel):
    id: UUID
    name: str


class ExperimentRef(BaseModel):
    id: UUID
    name: str
