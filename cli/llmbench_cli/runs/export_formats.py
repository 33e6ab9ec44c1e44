"""The export formats that the platform lists."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from rich.table import Table

from llmbench_cli.client import Client
from llmbench_cli.safe_text import safe_line

_ALIASES = {"ndjson": "jsonl"}


async def export_formats(client: Client) -> list[dict[str, Any]]:
    """Return the formats of `GET /api/export-formats`, in the order of the response."""
    found: list[dict[str, Any]] = (await client.get("/api/export-formats"))["items"]
    return found


def format_of_file(path: PurePath, formats: Sequence[dict[str, Any]]) -> str | None:
    """Return the format for a file's extension: the format of the same name, else the first one with this extension,
    else `None`. The extension `ndjson` counts as `jsonl`.

    >>> known = [{"name": "junit", "extension": "xml"}, {"name": "report", "extension": "json"}]
    >>> known.append({"name": "json", "extension": "json"})
    >>> [format_of_file(PurePath(name), known) for name in ("a.json", "a.XML", "a.txt", "a")]
    ['json', 'junit', None, None]
    """
    extension = path.suffix.removeprefix(".").lower()
    extension = _ALIASES.get(extension, extension)
    writing = [format_["name"] for format_ in formats if format_["extension"] == extension]
    return extension if extension in writing else next(iter(writing), None)


def formats_table(formats: Sequence[dict[str, Any]]) -> Table:
    """Return a table of the formats: the name for `--format`, the extension, and a description."""
    table = Table("format", "extension", "what it is", box=None, pad_edge=False)
    for format_ in formats:
        table.add_row(format_["name"], format_["extension"], safe_line(format_["description"]))
    return table
