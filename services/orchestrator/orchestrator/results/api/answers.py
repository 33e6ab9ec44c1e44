"""Responses about results: pages, counts and events."""

from pydantic import BaseModel

from llmbench.contracts.run_event import RunEvent
from orchestrator.results.ports.item_schemas import ItemExcerpt, ItemOut
from orchestrator.results.ports.schemas import RunSummary


class RunPage(BaseModel):
    items: list[RunSummary]
    next_cursor: str | None


class ItemPage(BaseModel):
    items: list[ItemOut]
    next_cursor: str | None


class ItemExcerpts(BaseModel):
    items: list[ItemExcerpt]


class ItemCount(BaseModel):
    items: int


class RunEvents(BaseModel):
    """A page of a run's events, ascending. Send `next_seq` as `from_seq` to get the next page."""

    events: list[RunEvent]
    next_seq: int
    last_seq: int
