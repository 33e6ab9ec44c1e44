"""Read a file of outputs (JSON lines or CSV) row by row, and report errors with their line and column.

A file with its own cases has the columns of a dataset and the column `output`. Other common names of a dataset's
columns are recognised (docs/how-to/datasets.md). A file for the cases of a dataset version has only the columns `id`
and `output`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Final
from uuid import UUID

from llmbench.errors import FieldError, Problem
from llmbench.files.cases import MAX_TEXT_CHARACTERS, BadCase, Faults, case_of, given_name, known_name
from llmbench.files.columns import OUTPUT, Columns, lacking_columns
from llmbench.files.csv_rows import refuse_twice
from llmbench.files.seen import SeenNames, SeenTurns
from llmbench.files.unreadable import Unreadable
from llmbench.http.multipart import bad_form
from llmbench.ids import new_id
from orchestrator.evaluations.domain.evaluation import GivenAnswer, case_from
from orchestrator.evaluations.ports.evaluations import OutputOf, Outputs
from orchestrator.kernel.api.row_file import Row, RowFormat, rows_of, unreadable_file

MAX_FILE_BYTES: Final = 48 * 1024 * 1024
MAX_ROWS: Final = 100_000
MAX_ROW_BYTES: Final = 4 * 1024 * 1024
_MOST_SHOWN: Final = 100
_MAX_COLUMNS: Final = 1_000


@dataclass
class _Faults:
    bad: list[dict[str, Any]] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)

    def add_all(self, line: int, found: Faults) -> None:
        for column, message in found:
            self.add(line, column, message)

    def add(self, line: int, column: str | None, message: str) -> None:
        self.lines.add(line)
        if len(self.bad) < _MOST_SHOWN:
            readable = message.replace("\0", "?").encode(errors="replace").decode()[:500]
            self.bad.append({"line": line, "field": column and column[:120], "message": readable})

    def refusal(self, row_count: int) -> Problem:
        first = self.bad[0]
        place = f"row {first['line']}" + (f", column {first['field']}" if first["field"] else "")
        count = len(self.lines)
        return Problem(
            422,
            "Bad rows",
            f"{count} of {row_count} rows are bad; the first is {place}: {first['message']}",
            errors=[
                FieldError(f"{fault['line']}.{fault['field'] or ''}".rstrip("."), fault["message"])
                for fault in self.bad
            ],
            extra={"row_count": row_count, "bad_row_count": count, "bad_rows": self.bad},
        )


def read_outputs(
    file: IO[bytes], format: RowFormat, version_id: UUID | None, chosen: Mapping[str, str] | None = None
) -> Outputs:
    """Return all outputs of the file. Raises a 422 `Problem` if the file is unreadable, lacks a column that `chosen`
    names, or has invalid rows. The problem then lists the first errors.

    `chosen` maps names of the file's columns to names of a dataset's columns, or to `output`. With `version_id`, the
    file has outputs for the cases of that dataset version; without it, the file has its own cases.
    """
    mapping = chosen or {}
    seen: dict[str, None] = {}
    output = next((column for column, name in mapping.items() if name == OUTPUT), OUTPUT)
    columns = Columns({column: name for column, name in mapping.items() if name != OUTPUT}, outputs=True)
    try:
        # Only the output may be empty: a model can give an empty answer.
        rows = rows_of(file, format, _header, most=MAX_ROWS, may_be_empty=[OUTPUT])
        rows_of_file = _collecting_columns(rows, seen)
        texts_only = format == "csv"
        outputs = (
            _for_version(rows_of_file, version_id, output)
            if version_id
            else _with_own_cases(rows_of_file, output, columns, texts_only=texts_only)
        )
    except Problem:
        # If rows are invalid because a mapped column is missing, report the mapping instead.
        _require_columns(mapping, seen)
        raise
    except Unreadable as error:
        raise unreadable_file(error) from None
    _require_columns(mapping, seen)
    return outputs


def _collecting_columns(rows: Iterator[Row], seen: dict[str, None]) -> Iterator[Row]:
    """Yield the rows unchanged, and add the names of their columns to `seen`."""
    for line, row in rows:
        if not isinstance(row, str):
            seen.update(dict.fromkeys(row))
        yield line, row


def _require_columns(chosen: Mapping[str, str], seen: Mapping[str, None]) -> None:
    """Raise a 422 `Problem` that names the mapped columns that no row has."""
    if (lacking := lacking_columns(chosen, list(seen))) is not None:
        raise bad_form("map", lacking)


def _with_own_cases(rows: Iterator[Row], column: str, columns: Columns, *, texts_only: bool) -> Outputs:
    faults, names, turns, count = _Faults(), SeenNames(), SeenTurns(), 0
    given: list[GivenAnswer] = []
    digests: list[bytes] = []
    for line, row in rows:
        count += 1
        if isinstance(row, str):
            faults.add(line, None, row)
            continue
        output = _output(row, column, line, faults)
        fields: Mapping[str, Any] = row
        try:
            fields = columns.read(row)
            case = case_of(fields, texts_only=texts_only)
        except BadCase as bad:
            faults.add_all(line, [*bad.faults, *names.see(given_name(fields), line)])
            continue
        if case.size + len((output or "").encode(errors="replace")) > MAX_ROW_BYTES:
            faults.add(line, None, f"is larger than {MAX_ROW_BYTES // 1024 // 1024} MiB")
        if not case.has_own_name and case.name in names:
            case = case.again(count)
        faults.add_all(line, [*names.see(case.name, line), *turns.see(case, line)])
        if output is not None and not faults.lines:
            given.append(GivenAnswer(case_from(case, new_id()), output))
            digests.append(case.digest)
    # Report missing turns only if all rows are valid: a missing turn may be in an invalid row.
    for line, gap in () if faults.lines else turns.gaps():
        faults.add_all(line, gap)
    if faults.lines:
        raise faults.refusal(count)
    return Outputs(given=given, digests=digests, warnings=columns.warnings())


def _for_version(rows: Iterator[Row], version_id: UUID, column: str) -> Outputs:
    faults, names, count = _Faults(), SeenNames(), 0
    outputs: list[OutputOf] = []
    for line, row in rows:
        count += 1
        if isinstance(row, str):
            faults.add(line, None, row)
            continue
        output = _output(row, column, line, faults)
        fields = {column: value for column, value in row.items() if value not in (None, "")}
        name = given_name(fields)
        if name is None:
            faults.add(line, "id", "is missing: the name of the version's case")
        elif repeated := names.see(name, line):
            faults.add_all(line, repeated)
        else:
            outputs.append(OutputOf(line, name, output or ""))
        for other in (other for other in fields if known_name(other) != "id"):
            faults.add(line, other, "is not read: the case is the version's; leave all but id and output out")
    if faults.lines:
        raise faults.refusal(count)
    return Outputs(version_id=version_id, from_file=outputs)


def _output(row: dict[str, Any], column: str, line: int, faults: _Faults) -> str | None:
    """Remove the output from the row and return it. If it is missing or invalid, add an error to `faults` and return
    `None`. An empty text is valid, because a model can give an empty answer."""
    value = row.pop(column, None)
    if value is None:
        hint = "" if column != OUTPUT else "; where another column has it, say so: map <column>=output"
        faults.add(line, column, f"is missing: the text to score{hint}")
    elif not isinstance(value, str):
        faults.add(line, "output", "must be a text")
    elif len(value) > MAX_TEXT_CHARACTERS:
        faults.add(line, "output", f"has more than {MAX_TEXT_CHARACTERS:,} characters")
    elif not storable(value):
        faults.add(line, "output", "must not contain NUL characters or halves of surrogate pairs")
    else:
        return value
    return None


def storable(text: str) -> bool:
    """Return whether PostgreSQL can store the text. It cannot store NUL characters or single surrogates."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _header(cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if len(names) > _MAX_COLUMNS:
        raise Unreadable(1, f"has {len(names):,} columns; there may be {_MAX_COLUMNS:,}")
    refuse_twice(names)
    return names
