"""Responses about results: pages, counts and events."""

from pydantic import BaseModel, ConfigDict

from llmbench.contracts.base import UtcTime
from llmbench.contracts.run_event import RunEvent
from llmbench.contracts.run_words import ItemStatus
from orchestrator.results.ports.item_schemas import ItemExcerpt, ItemOut
from orchestrator.results.ports.schemas import RunSummary


class RunPage(BaseModel):
    items: list[RunSummary]
    next_cursor: str | None


class RunGroupOut(BaseModel):
    """A group of runs. `key` is a tag, the name of a suite or a date; null for the runs without a tag or a suite.
    `created_from` and `created_before` are the bounds of a day, for the filters of the list of runs."""

    model_config = ConfigDict(from_attributes=True)

    key: str | None
    runs: int
    created_from: UtcTime | None = None
    created_before: UtcTime | None = None


class RunGroups(BaseModel):
    items: list[RunGroupOut]
    next_cursor: str | None


class ItemPage(BaseModel):
    items: list[ItemOut]
    next_cursor: str | None


class ItemExcerpts(BaseModel):
    items: list[ItemExcerpt]


class ItemCount(BaseModel):
    """The numbers of items that a filter finds.

    `statuses` counts the items of each status that the filter would find without its own statuses; a status without
    items is left out. `not_passed` counts the items that it would find with `passed=false`.
    """

    items: int
    statuses: dict[ItemStatus, int]
    not_passed: int


class RunEvents(BaseModel):
    """A page of a run's events, ascending. Send `next_seq` as `from_seq` to get the next page."""

    events: list[RunEvent]
    next_seq: int
    last_seq: int
