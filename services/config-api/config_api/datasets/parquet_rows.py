"""Convert Parquet on standard input to JSON lines, or JSON lines to Parquet, in a separate process.

Untrusted Parquet is decoded only here: a few kilobytes can expand to gigabytes, and the decoder is native code. The
process is confined (`llmbench.confined.confinement`), so a fault in the decoder affects no other process. The service
never loads the decoder, which is larger than all of its own code.

Each JSON line made from Parquet is `{"row": {…}}`, or `{"fault": [column, message]}` for an invalid row. If the rest
of the file cannot be read, the last line is `{"unreadable": message}`.
"""

import json
import math
import sys
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from llmbench.confined.confinement import confine

MAX_MEMORY_BYTES = 384 * 1024 * 1024
"""The address space that the process may use in addition to what the loaded decoder uses."""
MAX_PROCESSOR_S = 120
MAX_TEXT_CHARACTERS = 1_000_000
MAX_COLUMNS = 1_000
MAX_UNPACKED_BYTES = 512 * 1024 * 1024
_BATCH_ROWS = 64


class _NotRepresentable(Exception):
    """Raised for a value that JSON cannot represent."""


def main() -> None:
    # Import the decoder before `confine`, whose memory limit excludes what is loaded by then.
    import pyarrow as pa
    import pyarrow.parquet as pq

    confine(memory_bytes=MAX_MEMORY_BYTES, processor_s=MAX_PROCESSOR_S)
    pa.set_cpu_count(1)
    say = sys.stdout.write
    try:
        if sys.argv[1:] == ["write"]:
            _write(pa, pq)
            return
        written = 0
        for item in _read(pa, pq):
            line = json.dumps(item)
            # Limit the output, too: a value that the file stores once may be referenced a million times.
            written += len(line)
            if written > MAX_UNPACKED_BYTES:
                line = json.dumps({"unreadable": f"unpacks to more than {MAX_UNPACKED_BYTES:,} bytes"})
            say(line)
            say("\n")
            if written > MAX_UNPACKED_BYTES:
                return
    except MemoryError:
        say(json.dumps({"unreadable": "takes more memory to unpack than a dataset may"}) + "\n")
    except (pa.ArrowException, OSError, ValueError) as error:
        say(json.dumps({"unreadable": f"is not Parquet, or damaged: {str(error).splitlines()[0][:200]}"}) + "\n")


def _read(pa: Any, pq: Any) -> Iterator[dict[str, Any]]:
    file = pq.ParquetFile(
        pa.PythonFile(sys.stdin.buffer, mode="r"),
        # Read the file page by page, not an entire column at once.
        buffer_size=1024 * 1024,
        pre_buffer=False,
        thrift_string_size_limit=16 * 1024 * 1024,
        thrift_container_size_limit=1_000_000,
        page_checksum_verification=False,
    )
    metadata = file.metadata
    names = file.schema_arrow.names
    if len(names) > MAX_COLUMNS:
        yield {"unreadable": f"has {len(names):,} columns; there may be {MAX_COLUMNS:,}"}
        return
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        yield {"unreadable": f"the column {twice[:80]!r} is there twice"}
        return
    unpacked = sum(metadata.row_group(at).total_byte_size for at in range(metadata.num_row_groups))
    if unpacked > MAX_UNPACKED_BYTES:
        yield {"unreadable": f"unpacks to {unpacked:,} bytes; there may be {MAX_UNPACKED_BYTES:,}"}
        return
    # The file may store a value once and reference it a million times. Decoding it takes much less time than the JSON.
    unpacked = 0
    for batch in file.iter_batches(batch_size=_BATCH_ROWS, use_threads=False):
        # A column without a value takes room in the batch, but none in the JSON.
        unpacked += sum(column.nbytes for column in batch.columns if column.null_count < len(column))
        if unpacked > MAX_UNPACKED_BYTES:
            yield {"unreadable": f"unpacks to more than {MAX_UNPACKED_BYTES:,} bytes"}
            return
    for batch in file.iter_batches(batch_size=_BATCH_ROWS, use_threads=False):
        for values in batch.to_pylist():
            yield _row(values)


def _row(values: dict[str, Any]) -> dict[str, Any]:
    row = {}
    for name, value in values.items():
        if value is None:
            continue
        try:
            row[name] = _json_value(value, 20)
        except _NotRepresentable as error:
            return {"fault": [name, str(error)]}
    return {"row": row}


def _json_value(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        if len(value) > MAX_TEXT_CHARACTERS:
            raise _NotRepresentable(f"has {len(value):,} characters; there may be {MAX_TEXT_CHARACTERS:,}")
        return value
    if isinstance(value, bool | int | None):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _NotRepresentable(f"is {value}, which JSON cannot represent")
        return value
    if depth == 0:
        raise _NotRepresentable("is nested too deep")
    if isinstance(value, list):
        return [_json_value(each, depth - 1) for each in value]
    if isinstance(value, tuple):
        # pyarrow returns a map as a list of tuples; each becomes a list of key and value.
        return [_json_value(each, depth - 1) for each in value]
    if isinstance(value, dict):
        return {str(key): _json_value(each, depth - 1) for key, each in value.items() if each is not None}
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal | UUID | timedelta):
        return str(value)
    if isinstance(value, bytes):
        try:
            return _json_value(value.decode(), depth)
        except UnicodeDecodeError:
            raise _NotRepresentable("holds bytes that are no text in UTF-8") from None
    raise _NotRepresentable(f"is of a type that JSON does not have: {type(value).__name__}")


def _write(pa: Any, pq: Any) -> None:
    """Write Parquet with one column of texts per field.

    The first line of standard input lists the fields; each other line is a row of texts and nulls.
    """
    names = json.loads(sys.stdin.readline())
    schema = pa.schema([(name, pa.string()) for name in names])
    with pq.ParquetWriter(pa.PythonFile(sys.stdout.buffer, mode="w"), schema, compression="zstd") as writer:
        held: list[list[str | None]] = []
        for line in sys.stdin:
            held.append(json.loads(line))
            if len(held) == 1_000:
                writer.write_batch(_batch(pa, held, schema))
                held = []
        writer.write_batch(_batch(pa, held, schema))


def _batch(pa: Any, rows: list[list[str | None]], schema: Any) -> Any:
    columns = [pa.array([row[at] for row in rows], pa.string()) for at in range(len(schema))]
    return pa.record_batch(columns, schema=schema)


if __name__ == "__main__":
    main()
