"""Read the waiting time that a provider requests, from the headers of several providers."""

import math
import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

LONGEST_S = 86_400.0
_DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?")


def retry_after_s(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Return the seconds to wait, at most a day, from lower-case `headers`; `None` without a valid time.

    `retry-after-ms` (Azure, OpenAI) is the most exact, so it is read first, then `retry-after` (RFC 9110: seconds or a
    date). If both are missing, the longest duration in `x-ratelimit-reset-*` (OpenAI) is used.
    """
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return _bounded(exact / 1000)
    standard = headers.get("retry-after")
    if standard is not None:
        seconds = _number(standard)
        return _bounded(seconds) if seconds is not None else _until(standard, now)
    resets = [
        duration
        for name in ("x-ratelimit-reset-requests", "x-ratelimit-reset-tokens")
        if (duration := _duration(headers.get(name))) is not None
    ]
    return _bounded(max(resets)) if resets else None


def _number(text: str | None) -> float | None:
    try:
        number = float(text) if text is not None else None
    except ValueError:
        return None
    return number if number is None or math.isfinite(number) else None


def _until(date: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=now.tzinfo)
    return _bounded((moment - now).total_seconds())


def _duration(text: str | None) -> float | None:
    """Return the seconds of a duration such as `1m30.5s`, `250ms` or `12`; `None` for any other text."""
    if not text:
        return None
    plain = _number(text)
    if plain is not None:
        return plain
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        return None
    days, hours, minutes, seconds, milliseconds = (float(part or 0) for part in match.groups())
    return days * 86_400 + hours * 3600 + minutes * 60 + seconds + milliseconds / 1000


def _bounded(seconds: float) -> float:
    return min(max(seconds, 0.0), LONGEST_S)
