"""Encode and decode the cursor of the list of compared cases."""

import json
import re
from typing import Final

from orchestrator.comparison.ports.cases import CasePlace, CaseSort
from orchestrator.kernel.api.cursor import decode, encode, garbage

MOST_SORTED: Final = 3
"""The largest absolute value of a sort key. Differences are from -1 to 1, and the sort order `group` subtracts 2 from
losses."""


def case_place(place: CasePlace, sort: CaseSort) -> str:
    """Return the cursor of the page that starts after the case at `place`, in a list of cases that is sorted by
    `sort`."""
    return encode(sort, json.dumps(place.difference), place.rank, place.task_id)


def case_cursor(cursor: str | None, sort: CaseSort) -> CasePlace | None:
    """Return the position of the last case before the page, as the cursor encodes it. Return `None` without a cursor,
    which means the first page. Raises a 422 `Problem` if the cursor is invalid or was made for another sort order."""
    if cursor is None:
        return None
    sorted_by, difference, rank, task_id = decode(cursor, 4)
    try:
        value = json.loads(difference)
    except (ValueError, RecursionError):
        raise garbage() from None
    number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST_SORTED
    if sorted_by != sort or not (value is None or number) or not re.fullmatch(r"[0-9]{1,10}", rank) or "\0" in task_id:
        raise garbage()
    # Refuse values that PostgreSQL cannot store: a number beyond the column's range, or half of a surrogate pair.
    if int(rank) >= 2**31 or task_id.encode(errors="ignore").decode() != task_id:
        raise garbage()
    return CasePlace(difference=value, rank=int(rank), task_id=task_id)
