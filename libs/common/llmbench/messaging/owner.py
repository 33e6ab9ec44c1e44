"""The headers of a message that name its organisation, and the person on whose behalf it was sent."""

from collections.abc import Mapping
from uuid import UUID

from llmbench.ids import DEFAULT_ORG_ID

ORGANISATION = "ce-organisation"
"""The header with the id of the organisation that a message belongs to: an extension attribute of CloudEvents."""

ACTOR = "ce-actor"
"""The header with the id of the person on whose behalf a message was sent. Without sign-in it is missing."""


def actor_of(headers: Mapping[str, str] | None) -> UUID | None:
    """Return the person on whose behalf a received message was sent; `None` if the header is missing or is no id."""
    try:
        return UUID((headers or {}).get(ACTOR, ""))
    except ValueError:
        return None


def organisation_of(headers: Mapping[str, str] | None) -> UUID | None:
    """Return the organisation that a received message belongs to; `None` if the header is no id.

    A message without the header belongs to the default organisation: it was sent by hand, or by an earlier version.
    """
    stated = (headers or {}).get(ORGANISATION)
    if stated is None:
        return DEFAULT_ORG_ID
    try:
        return UUID(stated)
    except ValueError:
        return None
