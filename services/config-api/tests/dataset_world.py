"""Helpers for the tests of datasets."""

import io
import json
from pathlib import Path
from typing import Any

import httpx
from config_api_asserting import create_resource

Json = dict[str, Any]


async def dataset(api: httpx.AsyncClient, name: str = "Questions", **fields: Any) -> str:
    """Create a dataset and return its URL path."""
    return f"/v1/datasets/{(await create_resource(api, '/v1/datasets', name=name, **fields))['dataset_id']}"


async def upload(
    api: httpx.AsyncClient, path: str, content: bytes | str, name: str = "cases.jsonl", **query: Any
) -> httpx.Response:
    raw = content.encode() if isinstance(content, str) else content
    return await api.post(f"{path}/versions", files={"file": (name, raw)}, params=query)


async def upload_version(api: httpx.AsyncClient, path: str, content: bytes | str, name: str = "cases.jsonl") -> Json:
    answer = await upload(api, path, content, name)
    assert answer.status_code == 201, answer.text
    version: Json = answer.json()
    return version


def jsonl(*cases: Json) -> str:
    return "".join(json.dumps(case) + "\n" for case in cases)


def numbered(count: int, **fields: Any) -> list[Json]:
    return [{"id": f"case-{number:04}", "prompt": f"What is {number} + 1?", **fields} for number in range(count)]


def stored_files(files: Path) -> list[Path]:
    """Return the paths of the stored files."""
    return [path for path in files.rglob("*") if path.is_file()]


def refuse_files(files: Path) -> None:
    """Make the file store refuse all further files. Files of exactly one organisation must be stored already."""
    (organisation,) = files.iterdir()
    organisation.rename(files.with_name("away"))
    organisation.write_text("no folder")


def parquet(**columns: list[Any]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


def bomb(rows: int, *, one_value: bool) -> bytes:
    """Return a small Parquet file of `rows` texts of 900,000 characters each.

    With `one_value` the text is stored once and referenced `rows` times, so that the file does not declare its unpacked
    size.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    file, text = io.BytesIO(), "x" * 900_000
    if one_value:
        column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), [text])
        pq.write_table(pa.table({"prompt": column}), file, store_schema=False)
        return file.getvalue()
    few = pa.table({"prompt": [text] * 10})
    with pq.ParquetWriter(file, few.schema, use_dictionary=False, compression="zstd") as writer:
        for _ in range(rows // 10):
            writer.write_table(few)
    return file.getvalue()
