"""Event from config-api: a provider was created, updated or deleted."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message, UtcTime


class ProviderChanged(Message):
    """A provider was created, updated or deleted. The event has the provider's id and name and the kind of change, but
    not the settings. A reader that needs the settings asks config-api."""

    SUBJECT: ClassVar[str] = "evt.config.provider.{change}.v1"

    type: Literal["llmbench.config.provider_changed.v1"] = "llmbench.config.provider_changed.v1"
    change: Literal["created", "updated", "deleted"]
    id: UUID
    name: str
    at: UtcTime

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.config.provider_changed.v1",
            "change": "created",
            "id": "0193a000-0000-7000-8000-0000000000aa",
            "name": "example",
            "at": "2026-01-01T12:00:00.000Z",
        },
    )
