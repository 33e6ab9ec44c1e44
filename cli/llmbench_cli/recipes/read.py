"""Read the rows of a benchmark's file as the user has it: JSON lines (also packed by gzip), JSON, CSV or Parquet."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from llmbench.files.csv_text import reader
from llmbench_cli.errors import CommandFailed

MAX_BYTES: Final = 256 * 1024 * 1024
MAX_ROWS: Final = 500_000


def rows_of(file: Path, header: Sequence[str] = ()) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a file, whose format follows from the ending of its name. `header` has the column names of a
    CSV file without a header line.

    Raises `CommandFailed` for a file that is too large, unreadable, or in no known format.
    """
    try:
        if file.stat().st_size > MAX_BYTES:
            raise CommandFailed(f"{file} is larger than {MAX_BYTES // 1024 // 1024} MiB; divide it")
        for number, row in enumerate(_rows(file, header), start=1):
            if number > MAX_ROWS:
                raise CommandFailed(f"{file} has more than {MAX_ROWS:,} rows; divide it")
            yield row
    except UnicodeDecodeError as failed:
        raise CommandFailed(f"{file} is not encoded as UTF-8 (byte {failed.start}): save it as UTF-8") from failed
    except (OSError, ValueError, EOFError, zlib.error, csv.Error) as failed:
        raise CommandFailed(f"{file} cannot be read: {failed}") from failed


def _rows(file: Path, header: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    match "".join(file.suffixes[-2:]).lower() if file.suffix.lower() == ".gz" else file.suffix.lower():
        case ".jsonl" | ".ndjson" | ".jsonl.gz":
            return _json_lines(file)
        case ".json":
            return _json(file)
        case ".csv":
            return _csv(file, header)
        case ".parquet":
            return _parquet(file)
    raise CommandFailed(f"{file} is no .jsonl, .jsonl.gz, .json, .csv or .parquet file")


def _json_lines(file: Path) -> Iterator[Mapping[str, Any]]:
    opened = gzip.open if file.suffix.lower() == ".gz" else open
    unpacked = 0
    with opened(file, "rt", encoding="utf-8-sig") as lines:
        for number, line in enumerate(iter(lambda: lines.readline(MAX_BYTES), ""), start=1):
            unpacked += len(line)
            if unpacked > MAX_BYTES:
                raise CommandFailed(f"{file} has more than {MAX_BYTES // 1024 // 1024} MiB of text; divide it")
            if line.strip():
                try:
                    yield _object(json.loads(line))
                except (ValueError, RecursionError) as error:
                    raise CommandFailed(f"{file}:{number}: not a JSON object: {error}") from None


def _json(file: Path) -> Iterator[Mapping[str, Any]]:
    try:
        document = json.loads(file.read_text("utf-8-sig"))
    except RecursionError:
        raise CommandFailed(f"{file} is nested too deep") from None
    if not isinstance(document, list):
        raise CommandFailed(f"{file} is no list of objects")
    yield from map(_object, document)


def _csv(file: Path, header: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    with file.open(encoding="utf-8-sig", newline="") as text:
        table = reader(text)
        first = next(table, [])
        names: Sequence[str] = first
        if header and header[0] not in first:
            names = header
            table = reader(io.StringIO(file.read_text("utf-8-sig"), newline=""))
        for cells in table:
            if len(cells) > len(names):
                raise CommandFailed(f"{file}:{table.line_num}: {len(cells)} cells, and {len(names)} columns")
            if cells:
                yield dict(zip(names, cells, strict=False))


def _parquet(file: Path) -> Iterator[Mapping[str, Any]]:
    # Import here: it takes long, and few commands need it.
    import pyarrow.parquet as pq

    with pq.ParquetFile(file) as table:
        for batch in table.iter_batches(batch_size=1_000, use_threads=False):
            yield from batch.to_pylist()


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{str(value)[:60]} is not a JSON object")
    return value
