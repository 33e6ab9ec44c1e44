"""Read a file into test cases, chunk by chunk, and collect the file's errors."""

import hashlib
import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import IO, Any, Final

from config_api.datasets.formats.base import MAX_COLUMNS, Fault, Fields, Format, Header, Row
from llmbench.files.cases import INPUT_FIELDS, BadCase, Case, Faults, case_of, given_name
from llmbench.files.columns import Columns
from llmbench.files.seen import SeenNames, SeenTurns
from llmbench.files.unreadable import Unreadable

CHUNK: Final = 500
MAX_CASES: Final = 500_000
MAX_CHARACTERS: Final = 512 * 1024 * 1024
MOST_SHOWN: Final = 100
"""The maximum number of listed errors. The number of invalid rows is counted without this limit."""


@dataclass(frozen=True)
class BadRow:
    """An error in a row. `line` is `None` for an error in the file's header. `field` is `None` if the error concerns
    the entire row."""

    line: int | None
    field: str | None
    message: str


@dataclass
class Reading:
    """Reads one file in chunks, and collects its errors, its header and the types of its columns. `lines` has the line
    numbers of the last chunk's cases. `map` is the user's mapping from columns of the file to fields of a test case."""

    file: IO[bytes]
    format: Format
    row_count: int = 0
    bad_rows: list[BadRow] = field(default_factory=list)
    bad_row_count: int = 0
    header_is_bad: bool = False
    header: dict[str, Any] = field(default_factory=dict)
    map: Mapping[str, str] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._kinds: dict[str, tuple[str, int]] = {}
        self._columns = Columns(self.map)
        self._names = SeenNames()
        self._turns = SeenTurns()
        self._entry = ""
        self._content = hashlib.sha256()
        self.file.seek(0)
        self._good = self._cases()

    def next_chunk(self) -> list[Case]:
        """Return the next valid cases, at most `CHUNK`; an empty list at the end of the file. Raises `Unreadable` if
        the rest of the file cannot be read."""
        cases = list(islice(self._good, CHUNK))
        self.lines = [line for line, _ in cases]
        return [case for _, case in cases]

    def refuse(self, line: int, faults: Faults) -> None:
        """Record errors of a case that `next_chunk` returned as valid, such as errors that the judge service found in
        the case's checks."""
        self._entry = ""
        self._bad(line, faults)

    def close(self) -> None:
        """Stop reading the file."""
        self._good.close()

    @property
    def is_bad(self) -> bool:
        return self.header_is_bad or self.bad_row_count > 0

    @property
    def columns(self) -> list[dict[str, str]]:
        return [{"name": name, "type": kind} for name, (kind, _) in self._kinds.items()]

    @property
    def mapping(self) -> list[dict[str, str]]:
        return self._columns.mapping()

    @property
    def unmapped(self) -> str | None:
        return self._columns.unmapped()

    @property
    def warnings(self) -> list[str]:
        return self._columns.warnings()

    @property
    def schema_hash(self) -> str:
        """Return the first 32 hexadecimal digits of the SHA-256 of the columns' names and types."""
        return hashlib.sha256(json.dumps(self.columns, sort_keys=True).encode()).hexdigest()[:32]

    @property
    def content_hash(self) -> str:
        """Return the hash of the valid cases that were read so far, in their order."""
        return self._content.hexdigest()

    def _cases(self) -> Generator[tuple[int, Case], None, None]:
        characters = line = 0
        for part in self.format.read(self.file):
            if isinstance(part, Header):
                self.header = dict(part.values)
                continue
            if part.line is None:
                self.header_is_bad = True
                self._tell(None, [(part.column, part.message), *part.more])
                continue
            self.row_count += 1
            if self.row_count > MAX_CASES:
                raise Unreadable(part.line, f"holds more than {MAX_CASES:,} rows; upload it in parts")
            # Several entries of a JSON list may be on one line, so the message names the entry, too.
            self._entry = f" (entry {self.row_count})" if part.line == line else ""
            line = part.line
            if isinstance(part, Fault):
                self._bad(part.line, [(part.column, part.message), *part.more, *self._names.see(part.name, part.line)])
                continue
            try:
                case = self._checked(part)
            except BadCase as error:
                self._bad(part.line, error.faults)
                continue
            characters += case.size
            if characters > MAX_CHARACTERS:
                raise Unreadable(part.line, f"holds more than {MAX_CHARACTERS:,} characters; upload it in parts")
            self._content.update(case.digest)
            yield part.line, case
        # Look for missing turns only if all rows are valid: an invalid row may be the missing turn.
        self._entry = ""
        if not self.bad_row_count:
            for line, faults in self._turns.gaps():
                self._bad(line, faults)

    def _checked(self, row: Row) -> Case:
        """Validate a row and return its case. Raises `BadCase` with all errors of the row."""
        faults: Faults = []
        fields = row.fields
        try:
            fields = self._columns.read(row.fields)
            faults = self._other_kinds(row)
            case = case_of(fields, texts_only=self.format.texts_only)
        except BadCase as error:
            name = given_name(fields)
            raise BadCase([*faults, *error.faults, *self._names.see(name, row.line)]) from None
        if not case.has_own_name and case.name in self._names:
            case = case.again(self.row_count)
        faults += [*self._names.see(case.name, row.line), *self._turns.see(case, row.line)]
        if faults:
            raise BadCase(faults)
        return case

    def _other_kinds(self, row: Row) -> Faults:
        """Return an error for each metadata value whose type differs from the first value of its column.

        Mixed types would break filters and groups.
        """
        faults: Faults = []
        for name, value in row.fields.items():
            kind = kind_of(value)
            if kind is None:
                continue
            known, line = self._kinds.get(name, ("", 0))
            if not known:
                if len(self._kinds) >= MAX_COLUMNS:
                    raise Unreadable(row.line, f"has more than {MAX_COLUMNS:,} columns")
                self._kinds[name] = (kind, row.line)
            elif kind != known and self._columns.is_metadata(name):
                faults.append((name, f"is a {kind}, but a {known} on line {line}"))
        return faults

    def _bad(self, line: int, faults: Faults) -> None:
        self.bad_row_count += 1
        self._tell(line, faults)

    def _tell(self, line: int | None, faults: Faults) -> None:
        for name, message in faults[: MOST_SHOWN - len(self.bad_rows)]:
            self.bad_rows.append(BadRow(line, name and _encodable(name)[:120], _encodable(message)[:500] + self._entry))


def kind_of(value: Any) -> str | None:
    """Return the name of the value's type, as the schema of a version uses it; `None` for null."""
    match value:
        case None:
            return None
        case bool():
            return "boolean"
        case str():
            return "text"
        case int() | float():
            return "number"
        case list() | tuple():
            return "list"
    return "object"


def _encodable(text: str) -> str:
    """Replace NUL characters and unpaired surrogates with question marks."""
    return text.replace("\0", "?").encode("utf-8", errors="replace").decode()


def case_fields(
    name: str,
    input_: Fields,
    expected: str | None,
    truth: Fields | None,
    metadata: Fields,
    checks: Sequence[Fields] = (),
) -> Fields:
    """Return a stored case as the dict of fields from which a format writes a row."""
    return {
        "id": name,
        **{part: input_[part] for part in INPUT_FIELDS if part in input_},
        **({} if expected is None else {"expected_output": expected}),
        **({"ground_truth": truth} if truth else {}),
        **({"metadata": metadata} if metadata else {}),
        **({"checks": list(checks)} if checks else {}),
    }
