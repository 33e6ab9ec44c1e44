"""Read a request for a calibration: JSON, or a form with the JSON and a file of labels (JSON lines or CSV).

A row names its answer by `item_id`, or by `case`, with `target` and `epoch` if the case has several answers. It has a
`label`, and may have an `annotator`.
"""

import asyncio
from typing import IO, Any, Final

from fastapi import Request
from pydantic import ValidationError

from llmbench.errors import FieldError, Problem
from llmbench.faults import field_errors
from llmbench.files.csv_rows import refuse_twice
from llmbench.files.unreadable import Unreadable
from orchestrator.calibrations.api.bodies import CreateCalibration, LabelIn
from orchestrator.calibrations.domain.answers import Fault, LabelRow
from orchestrator.calibrations.domain.scale import is_word, number_of
from orchestrator.calibrations.handlers.create_calibration import GivenRows
from orchestrator.kernel.api.json_or_form import documented, read_json_or_form
from orchestrator.kernel.api.row_file import RowFormat, rows_of, unreadable_file

MAX_UPLOAD_BYTES: Final = 4 * 1024 * 1024
MOST_ROWS: Final = 50_000
_MOST_FAULTS: Final = 1_000
_COLUMNS: Final = frozenset(LabelIn.model_fields)
_NOT_A_LABEL: Final = "must be a number, or a word such as pass or fail"

LABELS_BODY: Final = documented(CreateCalibration)


async def read_request(request: Request, spool: IO[bytes]) -> tuple[CreateCalibration, GivenRows | None]:
    """Return the requested calibration and the labels that came with it. An uploaded file is first written to
    `spool`."""
    sent = await read_json_or_form(request, CreateCalibration, spool, example="labels.csv")
    _one_source(sent.body, has_file=sent.format is not None)
    if sent.format is not None:
        # Parse in a thread: parsing takes CPU time, and the service must answer other requests meanwhile.
        return sent.body, await asyncio.to_thread(read_labels, spool, sent.format, sent.file_name)
    return sent.body, None if sent.body.labels is None else _of_json(sent.body.labels)


def _one_source(body: CreateCalibration, *, has_file: bool) -> None:
    sources = [body.annotation_task_id is not None, body.labels is not None, has_file]
    if sum(sources) != 1:
        message = "send annotation_task_id, labels or a file: one of the three"
        raise Problem(422, "Invalid calibration", message, errors=[FieldError("annotation_task_id", message)])


def _of_json(labels: list[LabelIn]) -> GivenRows:
    found: list[LabelRow] = []
    faults: list[Fault] = []
    for number, label in enumerate(labels, start=1):
        row = _label_row(number, label)
        if isinstance(row, Fault):
            faults.append(row)
        else:
            found.append(row)
    return GivenRows(found, faults)


def read_labels(file: IO[bytes], format: RowFormat, file_name: str | None) -> GivenRows:
    """Return the rows of a file of labels, with the errors of those that cannot be read. Raises a 422 `Problem` for a
    file that is not in the format."""
    found: list[LabelRow] = []
    faults: list[Fault] = []
    try:
        for line, row in rows_of(file, format, _header, most=MOST_ROWS):
            read = _row(line, row)
            if isinstance(read, Fault):
                faults.append(read)
                if len(faults) >= _MOST_FAULTS:
                    break
            else:
                found.append(read)
    except Unreadable as error:
        raise unreadable_file(error) from None
    return GivenRows(found, faults, file_name=file_name)


def _row(line: int, row: dict[str, Any] | str) -> LabelRow | Fault:
    if isinstance(row, str):
        return Fault(line, None, row)
    try:
        label = LabelIn.model_validate(row)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        first = faults[0]
        at = str(first["loc"][0])[:60] if first["loc"] else None
        if at == "label":
            return Fault(line, at, "is missing" if first["type"] == "missing" else _NOT_A_LABEL)
        if first["type"] == "extra_forbidden":
            return Fault(line, at, f"is not read; a row has {', '.join(sorted(_COLUMNS))}")
        return Fault(line, at, field_errors(faults, LabelIn)[0].message[:300])
    return _label_row(line, label)


def _label_row(line: int, label: LabelIn) -> LabelRow | Fault:
    if (label.item_id is None) == (label.case is None):
        return Fault(line, "item_id", "name the answer by item_id, or by its case: one of the two")
    number = number_of(label.label)
    if number is None:
        return Fault(line, "label", _NOT_A_LABEL)
    place = (label.item_id, label.case, label.target, label.epoch)
    return LabelRow(line, number, label.annotator, *place, is_word=is_word(label.label))


def _header(cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    refuse_twice(names)
    if unknown := [name for name in names if name and name not in _COLUMNS]:
        raise Unreadable(1, f"the column {unknown[0][:80]!r} is not read; there may be {', '.join(sorted(_COLUMNS))}")
    if "label" not in names:
        raise Unreadable(1, "has no column `label`")
    return names
