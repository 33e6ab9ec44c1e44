"""Time zones by their names in the IANA database."""

from typing import Final
from zoneinfo import ZoneInfo

NO_ZONE: Final = "is no time zone: write a name of the IANA database, such as Europe/Berlin, America/New_York or UTC"
"""The message for a name that no time zone has."""


def time_zone(name: str) -> ZoneInfo | None:
    """Return the time zone with this name, or `None` if there is none.

    >>> time_zone("Europe/Berlin"), time_zone("../UTC"), time_zone("UTC+5")
    (zoneinfo.ZoneInfo(key='Europe/Berlin'), None, None)
    """
    try:
        return ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        return None
