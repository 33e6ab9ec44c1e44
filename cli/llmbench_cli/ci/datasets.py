"""Put the datasets of a job on the platform. Afterwards, the newest published version of each dataset has the content
of its file."""

from collections.abc import Mapping
from pathlib import Path

from llmbench_cli.client import Client
from llmbench_cli.commands.datasets import MAX_BYTES
from llmbench_cli.errors import CommandFailed, Refused
from llmbench_cli.resources import made_dataset

_SHOWN = 10


async def have_datasets(client: Client, datasets: Mapping[str, Path]) -> list[str]:
    """Upload the files as versions of these datasets, and publish them. Return a line about each new version.

    A file with the content of the newest published version changes nothing. Raises `CommandFailed`, which names the
    bad rows, if a file cannot be used.
    """
    made = []
    for name, file in datasets.items():
        if file.stat().st_size > MAX_BYTES:
            raise CommandFailed(f"{file} is larger than {MAX_BYTES // 1024 // 1024} MiB")
        async with made_dataset(client, name) as path:
            published = (await client.get(path))["published_version"]
            try:
                with file.open("rb") as content:
                    version = await client.upload(f"{path}/versions", content, name=file.name)
            except Refused as refused:
                raise CommandFailed(_bad(file, refused)) from refused
            number = version["version_number"]
            if published is not None:
                before = await client.get(f"{path}/versions/{published}")
                if before["content_hash"] == version["content_hash"]:
                    await client.delete(f"{path}/versions/{number}")
                    continue
            await client.post(f"{path}/versions/{number}/publish")
            made.append(f"dataset {name}: version {number} with {version['row_count']} cases")
    return made


def _bad(file: Path, refused: Refused) -> str:
    rows = refused.problem.get("bad_rows") or []
    shown = [
        f"{file}:{'' if row.get('line') is None else row['line']}: "
        f"{row['field'] + ': ' if row.get('field') else ''}{row['message']}"
        for row in rows[:_SHOWN]
    ]
    return "\n".join([f"{file} cannot be used: {refused.reason}", *shown])
