"""Event from config-api: a dataset or one of its versions was created, updated or deleted."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message, UtcTime


class DatasetChanged(Message):
    """A dataset or one of its versions was created, updated or deleted. The event has the dataset's id and name and the
    kind of change, but not the content. A reader that needs the content asks config-api."""

    SUBJECT: ClassVar[str] = "evt.config.dataset.{change}.v1"

    type: Literal["llmbench.config.dataset_changed.v1"] = "llmbench.config.dataset_changed.v1"
    change: Literal["created", "updated", "deleted"]
    id: UUID
    name: str
    at: UtcTime

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.config.dataset_changed.v1",
            "change": "created",
            "id": "0193a000-0000-7000-8000-0000000000aa",
            "name": "example",
            "at": "2026-01-01T12:00:00.000Z",
        },
    )
