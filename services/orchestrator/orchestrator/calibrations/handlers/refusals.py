"""Build the `Problem`s with which requests about calibrations are refused."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from llmbench.errors import FieldError, Problem
from orchestrator.calibrations.domain.answers import Fault

_MOST_SHOWN: Final = 100


def no_calibration(id_: UUID) -> Problem:
    return Problem(404, "No such calibration", f"There is no calibration {id_}.")


def no_task(id_: UUID) -> Problem:
    return Problem(404, "No such task", f"There is no annotation task {id_}.")


def bad_labels(faults: Sequence[Fault], row_count: int) -> Problem:
    """Return the 422 `Problem` with the first 100 errors of rows, each with the number of its line."""
    ordered = sorted(faults, key=lambda fault: fault.line)
    lines = len({fault.line for fault in ordered})
    first, shown = ordered[0], ordered[:_MOST_SHOWN]
    place = f"row {first.line}" + (f", column {first.field}" if first.field else "")
    return Problem(
        422,
        "Bad labels",
        f"{lines} of {row_count} rows are bad; the first is {place}: {first.message}",
        errors=[FieldError(f"{fault.line}.{fault.field or ''}".rstrip("."), fault.message) for fault in shown],
        extra={
            "row_count": row_count,
            "bad_row_count": lines,
            "bad_rows": [{"line": fault.line, "field": fault.field, "message": fault.message} for fault in shown],
        },
    )
