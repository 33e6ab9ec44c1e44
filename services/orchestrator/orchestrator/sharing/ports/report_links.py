"""The links that show the report of a run without sign-in: their responses, and the port that stores them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import UtcTime
from llmbench.http.created_by import CreatedBy

MOST_LINKS: Final = 20
"""The maximum number of links of one run that work at the same time."""


class ReportLinkOut(BaseModel):
    """A link to the report of a run, without its token."""

    id: UUID
    created_at: UtcTime
    created_by: CreatedBy = None
    expires_at: UtcTime
    opened_at: UtcTime | None = Field(description="When the report was opened with it last; null if never.")


class ReportLinks(BaseModel):
    """The links of a run that are neither expired nor revoked, the newest first."""

    items: list[ReportLinkOut]


@dataclass(frozen=True)
class SharedRun:
    """The run whose report a link shows, and when the link expires."""

    link_id: UUID
    run_id: UUID
    run_name: str
    expires_at: datetime


class ReportLinkStore(Protocol):
    """Stores the links to reports. A link is found by the SHA-256 of its token. Links that have expired or were revoked
    are never returned."""

    async def of_run(self, run_id: UUID) -> ReportLinks:
        """Return the links of a run; none for an unknown run."""
        ...

    async def add(self, run_id: UUID, token_hash: bytes, *, days: int) -> ReportLinkOut | None:
        """Add a link that expires in `days` days; `token_hash` is the SHA-256 of its token. Return `None` if the run
        already has `MOST_LINKS` links. Raises a 404 `Problem` for an unknown run."""
        ...

    async def revoke(self, run_id: UUID, link_id: UUID) -> bool:
        """Revoke a link, so that it stops working at once. Return `False` if the run has no such link."""
        ...

    async def find(self, token_hash: bytes) -> SharedRun | None:
        """Return the run whose report a link shows, by the SHA-256 of the link's token. Return `None` if there is no
        such link, or if its organisation is closed."""
        ...

    async def mark_opened(self, link_id: UUID) -> None:
        """Store the present time as the time at which the link was last opened."""
        ...
