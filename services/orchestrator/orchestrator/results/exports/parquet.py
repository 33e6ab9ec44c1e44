"""Write Parquet: one row per item, with the same columns for every run, in row groups of limited size.

Column names include units, scores are a list of records, and the case is JSON. Formulas are not neutralised, because
programs that read Parquet do not execute formulas.
"""

import asyncio
import io
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Final

from llmbench.contracts.outcome import CallFigures
from orchestrator.results.exports.base import ExportFormat
from orchestrator.results.exports.record import records, to_json
from orchestrator.results.ports.queries import ExportSource
from orchestrator.results.ports.schemas import RunSummary

if TYPE_CHECKING:
    import pyarrow

# A row group is collected in memory. These limit its rows, and the characters of all its texts.
_GROUP_ROWS: Final = 5_000
_GROUP_CHARACTERS: Final = 4_000_000

_TEXT, _INTEGER, _NUMBER, _YES_NO = "string", "int64", "float64", "bool"
_FIGURE: Final[dict[Any, str]] = {int | None: _INTEGER, float | None: _NUMBER, bool: _YES_NO}
_SCORE: Final = {
    "evaluator": _TEXT,
    "evaluator_revision_id": _TEXT,
    "judge_model": _TEXT,
    "status": _TEXT,
    "outcome": _TEXT,
    "raw": _NUMBER,
    "normalised": _NUMBER,
    "passed": _YES_NO,
    "reason": _TEXT,
    "error": _TEXT,
    "corrects": _TEXT,
    "by_person": _YES_NO,
    "extraction_answer": _TEXT,
    "extraction_answer_rule": _TEXT,
    "extraction_reference": _TEXT,
    "extraction_reference_rule": _TEXT,
}
COLUMNS: Final = {
    "run_id": _TEXT,
    "id": _TEXT,
    "position": _INTEGER,
    "task_id": _TEXT,
    "category": _TEXT,
    "subcategory": _TEXT,
    "target_id": _TEXT,
    "target_label": _TEXT,
    "model": _TEXT,
    "epoch": _INTEGER,
    "status": _TEXT,
    "attempts": _INTEGER,
    "question": _TEXT,
    "answer": _TEXT,
    "score": _NUMBER,
    "score_normalised": _NUMBER,
    "passed": _YES_NO,
    "reason": _TEXT,
    "failure_phase": _TEXT,
    "failure_kind": _TEXT,
    "failure_message": _TEXT,
    **{name: _FIGURE.get(field.annotation, _TEXT) for name, field in CallFigures.model_fields.items()},
    "score_revision_id": _TEXT,
    "conversation_id": _TEXT,
    "turn": _INTEGER,
    "system_prompt": _TEXT,
    "case": _TEXT,
    "answer_kind": _TEXT,
    "reasoning": _TEXT,
    "notes": _TEXT,
    "redactions": _INTEGER,
    "failure_cause": _TEXT,
    "suite_task": _TEXT,
}
"""The columns except `scores`, which is the last one."""


async def write(run: RunSummary, source: ExportSource) -> AsyncIterator[bytes]:
    # Compression is CPU-bound, so it runs in a thread: the service answers other requests meanwhile.
    file = await asyncio.to_thread(_File)
    rows: list[dict[str, Any]] = []
    characters = 0
    async for record in records(source):
        row = _row(run, record)
        rows.append(row)
        characters += sum(len(value) for value in row.values() if isinstance(value, str))
        if len(rows) >= _GROUP_ROWS or characters >= _GROUP_CHARACTERS:
            yield await asyncio.to_thread(file.add, rows)
            rows, characters = [], 0
    yield await asyncio.to_thread(file.end, rows)


def _row(run: RunSummary, record: dict[str, Any]) -> dict[str, Any]:
    failure = record["failure"] or {}
    values = {
        **record,
        "run_id": str(run.id),
        "question": record["case"]["question"],
        "case": to_json(record["case"]),
        "notes": "\n".join(record["notes"]),
        **{f"failure_{name}": failure.get(name) for name in ("phase", "kind", "message", "cause")},
    }
    scores = [_score(score) for score in record["scores"]]
    return {name: _writable(values[name]) for name in COLUMNS} | {"scores": scores}


def _score(record: dict[str, Any]) -> dict[str, Any]:
    values = record | {f"extraction_{name}": value for name, value in (record["extraction"] or {}).items()}
    return {name: _writable(values.get(name)) for name in _SCORE}


def _writable(value: Any) -> Any:
    """Replace unpaired surrogates: models send them, but UTF-8 cannot encode them."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


class _File:
    """A Parquet file written in parts: `add` and `end` return the bytes that were written since the last part. The
    library pyarrow is loaded when the first file is created."""

    def __init__(self) -> None:
        import pyarrow
        import pyarrow.parquet

        self._schema = _schema(pyarrow)
        self._made = io.BytesIO()
        self._sink = pyarrow.PythonFile(_Counted(self._made), mode="w")
        self._writer = pyarrow.parquet.ParquetWriter(self._sink, self._schema, compression="zstd")

    def add(self, rows: list[dict[str, Any]]) -> bytes:
        import pyarrow

        if rows:
            self._writer.write_table(pyarrow.Table.from_pylist(rows, schema=self._schema))
        return self._taken()

    def end(self, rows: list[dict[str, Any]]) -> bytes:
        first = self.add(rows)
        self._writer.close()
        return first + self._taken()

    def _taken(self) -> bytes:
        made = self._made.getvalue()
        self._made.seek(0)
        self._made.truncate()
        return made


class _Counted(io.RawIOBase):
    """A stream that reports its position in the entire file, although the buffer is emptied after each part."""

    def __init__(self, buffer: io.BytesIO) -> None:
        super().__init__()
        self._buffer = buffer
        self._place = 0

    def writable(self) -> bool:
        return True

    def write(self, chunk: Any) -> int:
        self._place += self._buffer.write(chunk)
        return len(chunk)

    def tell(self) -> int:
        return self._place


def _schema(arrow: Any) -> "pyarrow.Schema":
    score = arrow.struct([(name, arrow.type_for_alias(type_)) for name, type_ in _SCORE.items()])
    columns = [(name, arrow.type_for_alias(type_)) for name, type_ in COLUMNS.items()]
    return arrow.schema([*columns, ("scores", arrow.list_(score))])


def _shown(file: bytes) -> str:
    """Return the rows of a Parquet file as JSON Lines."""
    import pyarrow.parquet

    rows = pyarrow.parquet.read_table(io.BytesIO(file)).to_pylist()
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


FORMAT = ExportFormat(
    name="parquet",
    title="Parquet",
    description="One row per item in typed columns, for data tools.",
    media_type="application/vnd.apache.parquet",
    extension="parquet",
    write=write,
    shown=_shown,
)
